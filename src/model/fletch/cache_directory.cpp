#include "model/fletch/cache_directory.h"

#include <algorithm>

#include "pipeline/programs/fletch/layout.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;

CacheDirectory::CacheDirectory(const workloads::Namespace& tree, std::uint32_t rows,
                               std::uint64_t most_entries)
    : tree_(tree),
      rows_(rows),
      most_entries_(std::min<std::uint64_t>(most_entries, program::cached_records)),
      small_left_(program::small_table_entries) {
  for (std::uint32_t i = program::cached_records; i > 0; --i) {
    free_counters_.push_back(static_cast<std::uint16_t>(i - 1));
  }
}

CacheDirectory::Index CacheDirectory::find(workloads::PathId path) const {
  const Index* index = by_path_.find(path.value());
  return index == nullptr ? CacheEntry::none : *index;
}

CacheDirectory::Failure CacheDirectory::add(workloads::PathId path, unsigned slots, Index& added) {
  if (entries() + not_released_ >= most_entries_) return Failure::no_room;
  const workloads::Key key = tree_.key(path);
  const auto token = tokens_.assign(path, key);
  if (!token) return Failure::no_token;
  const auto place = rows_.allocate(slots);
  if (!place) return Failure::no_room;

  Index index = static_cast<Index>(entries_.size());
  if (free_entries_.empty()) {
    entries_.emplace_back();
  } else {
    index = free_entries_.back();
    free_entries_.pop_back();
  }
  CacheEntry& entry = entries_[index];
  entry = CacheEntry{};
  entry.path = path;
  entry.key = key;
  entry.token = *token;
  entry.depth = static_cast<std::uint8_t>(tree_.depth(path));
  entry.order = order_++;
  entry.location = {free_counters_.back(), place->row, place->slots};
  free_counters_.pop_back();
  entry.in_small_table = small_left_ > 0;
  if (entry.in_small_table) --small_left_;
  if (entry.depth > 0) hang_under(find(tree_.parent(path)), index);
  by_path_[path.value()] = index;
  added = index;
  return Failure::none;
}

CacheEntry CacheDirectory::remove(Index index) {
  if (entries_[index].first_child != CacheEntry::none) {
    throw sim::InvariantBroken("a cached path was removed before its children");
  }
  unhang(index);
  const CacheEntry removed = entries_[index];
  by_path_.erase(removed.path.value());
  free_entries_.push_back(index);
  ++not_released_;
  return removed;
}

void CacheDirectory::release(const CacheEntry& removed) {
  rows_.release({removed.location.row, removed.location.slots});
  free_counters_.push_back(removed.location.counter);
  if (removed.in_small_table) ++small_left_;
  --not_released_;
}

void CacheDirectory::forget_all() {
  rows_ = RowAllocator(rows_.size());
  by_path_ = {};
  entries_.clear();
  free_entries_.clear();
  free_counters_.clear();
  for (std::uint32_t i = program::cached_records; i > 0; --i) {
    free_counters_.push_back(static_cast<std::uint16_t>(i - 1));
  }
  small_left_ = program::small_table_entries;
  order_ = 0;
  not_released_ = 0;
}

CacheDirectory::Index CacheDirectory::restore(const CacheEntry& saved) {
  const auto index = static_cast<Index>(entries_.size());
  CacheEntry& entry = entries_.emplace_back();
  entry.path = saved.path;
  entry.key = saved.key;
  entry.token = saved.token;
  entry.depth = saved.depth;
  entry.in_small_table = saved.in_small_table;
  entry.location = saved.location;
  entry.order = order_++;
  rows_.take({entry.location.row, entry.location.slots});
  if (entry.in_small_table) --small_left_;
  if (entry.depth > 0) hang_under(find(tree_.parent(entry.path)), index);
  by_path_[entry.path.value()] = index;
  return index;
}

void CacheDirectory::restored() {
  std::vector<char> used(program::cached_records, 0);
  for (const CacheEntry& entry : entries_) used[entry.location.counter] = 1;
  const auto is_used = [&](std::uint16_t counter) { return used[counter] != 0; };
  free_counters_.erase(std::remove_if(free_counters_.begin(), free_counters_.end(), is_used),
                       free_counters_.end());
}

void CacheDirectory::hang_under(Index parent, Index child) {
  if (parent == CacheEntry::none) {
    throw sim::InvariantBroken("a path was cached before its parent");
  }
  CacheEntry& entry = entries_[child];
  entry.parent = parent;
  entry.next = entries_[parent].first_child;
  if (entry.next != CacheEntry::none) entries_[entry.next].previous = child;
  entries_[parent].first_child = child;
}

void CacheDirectory::unhang(Index child) {
  const CacheEntry& entry = entries_[child];
  if (entry.next != CacheEntry::none) entries_[entry.next].previous = entry.previous;
  if (entry.previous != CacheEntry::none) {
    entries_[entry.previous].next = entry.next;
  } else if (entry.parent != CacheEntry::none) {
    entries_[entry.parent].first_child = entry.next;
  }
}

}  // namespace recirc::model::fletch
