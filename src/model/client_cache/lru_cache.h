#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "workloads/namespace.h"

namespace recirc::model::client_cache {

/// What a directory's entry takes in a cache: the text of its path, and the rest.
struct EntrySize {
  const workloads::Namespace& tree;
  std::uint64_t overhead = 0;
  [[nodiscard]] std::uint64_t of(workloads::PathId directory) const {
    return tree.path_length(directory) + overhead;
  }
};

/// One client's cached directories; the least recently used leaves first.
///
/// Whoever uses a directory uses those above it, so an ancestor was never used less recently than
/// what is below it, and what is cached is closed upwards: where a directory is, its ancestors are.
/// (The root is always known and takes no entry.) That is why one look tells of a whole path, and
/// why using a path moves one entry: one that has others below it counts as used when the last of
/// them was. 16 bytes an entry, and 11 to 21 for the table.
class LruCache {
 public:
  [[nodiscard]] bool contains(workloads::PathId directory) const {
    return find(directory) != nobody;
  }
  /// Marks a cached directory, and so those above it, as the most recently used.
  void use(workloads::PathId directory);
  /// Adds a directory, whose parent is the root or cached, as the most recently used one.
  void add(workloads::PathId directory, const EntrySize& size);
  /// Takes out the least recently used directory; there must be one.
  workloads::PathId evict(const EntrySize& size);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index nobody = ~Index{0};

  struct Entry {
    workloads::PathId::rep directory = 0;
    Index newer = nobody;
    Index older = nobody;
    std::uint32_t children : 31 = 0;
    /// In the order of use. Others have been used with what is below them, and not since.
    std::uint32_t listed : 1 = 0;
  };

  [[nodiscard]] Index find(workloads::PathId directory) const;
  [[nodiscard]] std::size_t home(workloads::PathId::rep directory) const {
    return static_cast<std::size_t>(sim::mix64(directory)) & (table_.size() - 1);
  }
  void put_in_table(Index index);
  void take_from_table(Index index);
  void grow();
  Index take_entry();
  void list_newest(Index index);
  void list_oldest(Index index);
  void unlist(Index index);

  std::vector<Entry> entries_;
  /// The directory beside its entry: most looks are for what is not there or at another's place,
  /// and would else fetch an entry from memory to find that out.
  struct Place {
    workloads::PathId::rep directory = 0;
    Index index = nobody;
  };
  std::vector<Place> table_;  ///< open addressing, a power of two, at most 3/4 full
  Index newest_ = nobody;
  Index oldest_ = nobody;
  Index free_ = nobody;  ///< unused entries, chained through `newer`
  std::uint32_t size_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace recirc::model::client_cache
