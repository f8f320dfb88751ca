#include "model/fletch/leaves.h"

#include <algorithm>

namespace recirc::model::fletch {

void Leaves::added(CacheEntry::Index index) {
  if (!kept_) return;
  const CacheEntry& entry = directory_[index];
  if (entry.parent == CacheEntry::none) return;  // the root is never evicted
  leaves_.erase(rank_of(entry.parent));
  leaves_.insert(rank_of(index));
}

void Leaves::removing(CacheEntry::Index index) {
  if (!kept_) return;
  leaves_.erase(rank_of(index));
  const CacheEntry& entry = directory_[index];
  if (entry.parent == CacheEntry::none) return;  // the root, whose replay a crash has cut short
  const bool only_child = entry.next == CacheEntry::none && entry.previous == CacheEntry::none;
  const bool under_root = directory_[entry.parent].parent == CacheEntry::none;
  if (only_child && !under_root) leaves_.insert(rank_of(entry.parent));
}

void Leaves::set_frequency(CacheEntry::Index index, std::uint32_t hits) {
  leaves_.erase(rank_of(index));
  directory_[index].frequency = hits;
  leaves_.insert(rank_of(index));
}

void Leaves::reset() {
  std::set<Rank> fresh;
  for (const Rank& rank : leaves_) {
    const CacheEntry::Index index = std::get<2>(rank);
    directory_[index].frequency = 0;
    fresh.insert(rank_of(index));
  }
  leaves_.swap(fresh);
}

std::vector<CacheEntry::Index> Leaves::coldest(std::size_t most,
                                               const std::vector<workloads::PathId>& excluded,
                                               std::optional<std::uint8_t> pipe) const {
  std::vector<CacheEntry::Index> chosen;
  for (const Rank& rank : leaves_) {
    if (chosen.size() == most) break;
    const CacheEntry::Index index = std::get<2>(rank);
    if (pipe && directory_[index].pipe != *pipe) continue;
    const bool spared =
        std::find(excluded.begin(), excluded.end(), directory_[index].path) != excluded.end();
    if (!spared) chosen.push_back(index);
  }
  return chosen;
}

}  // namespace recirc::model::fletch
