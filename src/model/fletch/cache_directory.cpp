#include "model/fletch/cache_directory.h"

#include <algorithm>

#include "pipeline/programs/fletch/layout.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;

CacheDirectory::Pipe::Pipe(std::uint32_t size) : rows(size) {
  for (std::uint32_t i = program::cached_records; i > 0; --i) {
    free_counters.push_back(static_cast<std::uint16_t>(i - 1));
  }
}

CacheDirectory::CacheDirectory(const workloads::Namespace& tree, std::uint32_t rows,
                               std::uint64_t most_entries, std::uint32_t pipes, Mutants mutants)
    : tree_(tree),
      pipes_(pipes, Pipe(rows)),
      most_entries_(std::min<std::uint64_t>(most_entries, program::cached_records)),
      mutants_(mutants),
      small_left_(program::small_table_entries),
      last_small_left_(program::small_table_entries) {}

CacheDirectory::Index CacheDirectory::find(workloads::PathId path, std::uint8_t pipe) const {
  const Index* index = by_path_.find(copy_id(path, pipe));
  return index == nullptr ? CacheEntry::none : *index;
}

std::uint8_t CacheDirectory::copies(workloads::PathId path) const {
  const Shared* shared = shared_.find(path.value());
  if (shared == nullptr) return 0;
  if (mutants_.forget_a_copy) {
    return static_cast<std::uint8_t>(shared->copies & (~unsigned{shared->copies} + 1U));
  }
  return shared->copies;
}

CacheDirectory::Failure CacheDirectory::add(workloads::PathId path, std::uint8_t pipe,
                                            unsigned slots, Index& added) {
  const std::uint64_t taken = (mutants_.free_copies ? paths() : entries()) + not_released_;
  if (taken >= most_entries_) return Failure::no_entry;
  const workloads::Key key = tree_.key(path);
  const auto token = tokens_.assign(path, key);
  if (!token) return Failure::no_token;
  const auto place = pipes_[pipe].rows.allocate(slots);
  if (!place) return Failure::no_row;

  const Index index = new_entry();
  CacheEntry& entry = entries_[index];
  entry.path = path;
  entry.key = key;
  entry.token = *token;
  entry.pipe = pipe;
  entry.depth = static_cast<std::uint8_t>(tree_.depth(path));
  entry.order = order_++;
  std::vector<std::uint16_t>& counters = pipes_[pipe].free_counters;
  entry.location = {counters.back(), place->row, place->slots};
  counters.pop_back();
  place_in_tables(entry);
  if (entry.depth > 0) hang_under(find(tree_.parent(path), pipe), index);
  by_path_[copy_id(path, pipe)] = index;
  added = index;
  return Failure::none;
}

CacheDirectory::Index CacheDirectory::new_entry() {
  auto index = static_cast<Index>(entries_.size());
  if (free_entries_.empty()) {
    entries_.emplace_back();
  } else {
    index = free_entries_.back();
    free_entries_.pop_back();
    entries_[index] = CacheEntry{};
  }
  return index;
}

void CacheDirectory::place_in_tables(CacheEntry& entry) {
  entry.in_small_table = small_left_ > 0;
  if (entry.in_small_table) --small_left_;
  Shared& shared = shared_[entry.path.value()];
  entry.is_alone = shared.copies == 0;
  if (entry.is_alone) {
    shared.in_small_table = last_small_left_ > 0;
    if (shared.in_small_table) --last_small_left_;
  }
  shared.copies = static_cast<std::uint8_t>(shared.copies | (1U << entry.pipe));
  entry.last_in_small_table = shared.in_small_table;
}

CacheEntry CacheDirectory::remove(Index index) {
  if (entries_[index].first_child != CacheEntry::none) {
    throw sim::InvariantBroken("a cached path was removed before its children");
  }
  unhang(index);
  CacheEntry removed = entries_[index];
  by_path_.erase(copy_id(removed.path, removed.pipe));
  Shared& shared = shared_[removed.path.value()];
  shared.copies = static_cast<std::uint8_t>(shared.copies & ~(1U << removed.pipe));
  removed.is_alone = shared.copies == 0;
  if (removed.is_alone) shared_.erase(removed.path.value());
  free_entries_.push_back(index);
  ++not_released_;
  return removed;
}

void CacheDirectory::release(const CacheEntry& removed) {
  Pipe& pipe = pipes_[removed.pipe];
  pipe.rows.release({removed.location.row, removed.location.slots});
  pipe.free_counters.push_back(removed.location.counter);
  if (removed.in_small_table) ++small_left_;
  if (removed.is_alone && removed.last_in_small_table) ++last_small_left_;
  --not_released_;
}

void CacheDirectory::forget_all() {
  pipes_.assign(pipes_.size(), Pipe(pipes_.front().rows.size()));
  by_path_ = {};
  shared_ = {};
  entries_.clear();
  free_entries_.clear();
  small_left_ = program::small_table_entries;
  last_small_left_ = program::small_table_entries;
  order_ = 0;
  not_released_ = 0;
}

CacheDirectory::Index CacheDirectory::restore(const CachedCopy& saved) {
  const Index index = new_entry();
  CacheEntry& entry = entries_[index];
  static_cast<CachedCopy&>(entry) = saved;
  entry.order = order_++;
  pipes_[entry.pipe].rows.take({entry.location.row, entry.location.slots});
  if (entry.in_small_table) --small_left_;
  Shared& shared = shared_[entry.path.value()];
  if (shared.copies == 0 && entry.last_in_small_table) --last_small_left_;
  shared.in_small_table = entry.last_in_small_table;
  shared.copies = static_cast<std::uint8_t>(shared.copies | (1U << entry.pipe));
  if (entry.depth > 0) hang_under(find(tree_.parent(entry.path), entry.pipe), index);
  by_path_[copy_id(entry.path, entry.pipe)] = index;
  return index;
}

void CacheDirectory::restored() {
  for (std::uint8_t pipe = 0; pipe < pipes(); ++pipe) {
    std::vector<char> used(program::cached_records, 0);
    for (const CacheEntry& entry : entries_) {
      if (entry.pipe == pipe) used[entry.location.counter] = 1;
    }
    std::erase_if(pipes_[pipe].free_counters,
                  [&](std::uint16_t counter) { return used[counter] != 0; });
  }
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
