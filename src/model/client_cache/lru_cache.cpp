#include "model/client_cache/lru_cache.h"

#include "sim/error.h"

namespace recirc::model::client_cache {

using workloads::PathId;

namespace {
constexpr PathId root{0};
}  // namespace

LruCache::Index LruCache::find(PathId directory) const {
  if (table_.empty()) return nobody;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = home(directory.value());; i = (i + 1) & mask) {
    const Place& place = table_[i];
    if (place.index == nobody || place.directory == directory.value()) return place.index;
  }
}

void LruCache::use(PathId directory) {
  const Index index = find(directory);
  if (index == newest_) return;
  if (entries_[index].listed != 0) unlist(index);
  list_newest(index);
}

void LruCache::add(PathId directory, const EntrySize& size) {
  const PathId above = size.tree.parent(directory);
  if (above != root) {
    const Index parent = find(above);
    if (parent == nobody) throw sim::InvariantBroken("a cached directory has an uncached parent");
    ++entries_[parent].children;
  }
  const Index index = take_entry();
  entries_[index] = Entry{};
  entries_[index].directory = directory.value();
  put_in_table(index);
  list_newest(index);
  ++size_;
  bytes_ += size.of(directory);
}

PathId LruCache::evict(const EntrySize& size) {
  // What has others below it was used when they were: its own place in the order says nothing.
  while (oldest_ != nobody && entries_[oldest_].children != 0) unlist(oldest_);
  if (oldest_ == nobody) throw sim::InvariantBroken("a client's cache has nothing to evict");
  const Index victim = oldest_;
  const PathId directory{entries_[victim].directory};
  unlist(victim);
  take_from_table(victim);
  entries_[victim].newer = free_;
  free_ = victim;
  --size_;
  bytes_ -= size.of(directory);
  const PathId above = size.tree.parent(directory);
  if (above == root) return directory;
  const Index parent = find(above);
  const std::uint32_t left = entries_[parent].children - 1U;
  entries_[parent].children = left & 0x7fffffffU;
  if (left == 0 && entries_[parent].listed == 0) list_oldest(parent);
  return directory;
}

LruCache::Index LruCache::take_entry() {
  if (free_ != nobody) {
    const Index index = free_;
    free_ = entries_[index].newer;
    return index;
  }
  entries_.emplace_back();
  return static_cast<Index>(entries_.size() - 1);
}

void LruCache::put_in_table(Index index) {
  if ((std::size_t{size_} + 1) * 4 > table_.size() * 3) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t i = home(entries_[index].directory);
  while (table_[i].index != nobody) i = (i + 1) & mask;
  table_[i] = {entries_[index].directory, index};
}

void LruCache::take_from_table(Index index) {
  const std::size_t mask = table_.size() - 1;
  std::size_t gap = home(entries_[index].directory);
  while (table_[gap].index != index) gap = (gap + 1) & mask;
  // Later entries of the probe sequence move back, so that no marks of removed ones are needed.
  for (std::size_t i = (gap + 1) & mask; table_[i].index != nobody; i = (i + 1) & mask) {
    const std::size_t from_home = (i - home(table_[i].directory)) & mask;
    if (from_home < ((i - gap) & mask)) continue;
    table_[gap] = table_[i];
    gap = i;
  }
  table_[gap] = {};
}

void LruCache::grow() {
  std::vector<Place> old(table_.empty() ? 16 : table_.size() * 2);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Place& place : old) {
    if (place.index == nobody) continue;
    std::size_t i = home(place.directory);
    while (table_[i].index != nobody) i = (i + 1) & mask;
    table_[i] = place;
  }
}

void LruCache::list_newest(Index index) {
  Entry& entry = entries_[index];
  entry.listed = 1;
  entry.newer = nobody;
  entry.older = newest_;
  (newest_ == nobody ? oldest_ : entries_[newest_].newer) = index;
  newest_ = index;
}

void LruCache::list_oldest(Index index) {
  Entry& entry = entries_[index];
  entry.listed = 1;
  entry.older = nobody;
  entry.newer = oldest_;
  (oldest_ == nobody ? newest_ : entries_[oldest_].older) = index;
  oldest_ = index;
}

void LruCache::unlist(Index index) {
  Entry& entry = entries_[index];
  entry.listed = 0;
  (entry.newer == nobody ? newest_ : entries_[entry.newer].older) = entry.older;
  (entry.older == nobody ? oldest_ : entries_[entry.older].newer) = entry.newer;
}

}  // namespace recirc::model::client_cache
