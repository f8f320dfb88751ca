#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/row_allocator.h"
#include "model/fletch/token_map.h"
#include "pipeline/programs/fletch/wire.h"
#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model::fletch {

/// What the controller knows of one cached path.
struct CacheEntry {
  using Index = std::uint32_t;
  static constexpr Index none = ~Index{0};

  workloads::PathId path;
  workloads::Key key = 0;
  std::uint8_t token = 0;
  bool in_small_table = false;
  std::uint8_t depth = 0;
  pipeline::programs::fletch::Location location;
  Index parent = none;
  Index first_child = none;
  Index next = none;            ///< sibling
  Index previous = none;        ///< sibling
  std::uint64_t order = 0;      ///< of admission
  std::uint32_t frequency = 0;  ///< hits as last read from the switch; 0 after a reset
};

/// The controller's global view of the cache: which paths, where they lie in the switch, how they
/// hang together, and what is free. Every cached path's ancestors are cached.
class CacheDirectory {
 public:
  using Index = CacheEntry::Index;

  CacheDirectory(const workloads::Namespace& tree, std::uint32_t rows, std::uint64_t most_entries);

  [[nodiscard]] bool contains(workloads::PathId path) const {
    return by_path_.find(path.value()) != nullptr;
  }
  /// CacheEntry::none when the path is not cached.
  [[nodiscard]] Index find(workloads::PathId path) const;
  [[nodiscard]] const CacheEntry& operator[](Index index) const { return entries_[index]; }
  [[nodiscard]] CacheEntry& operator[](Index index) { return entries_[index]; }

  enum class Failure : std::uint8_t { none, no_token, no_room };
  /// Takes room for a path whose parent is cached already (the root has none).
  Failure add(workloads::PathId path, unsigned slots, Index& added);
  /// Forgets a path without cached children. Its room stays taken until release().
  CacheEntry remove(Index index);
  /// The room of a removed path may be used again.
  void release(const CacheEntry& removed);

  /// Nothing is cached; tokens stay.
  void forget_all();
  /// Puts a path back where it was, after forget_all(); its parent first.
  Index restore(const CacheEntry& saved);
  /// All of them are back.
  void restored();

  [[nodiscard]] TokenMap& tokens() { return tokens_; }
  [[nodiscard]] const TokenMap& tokens() const { return tokens_; }
  [[nodiscard]] std::uint64_t entries() const { return by_path_.size(); }
  [[nodiscard]] const RowAllocator& rows() const { return rows_; }

 private:
  void hang_under(Index parent, Index child);
  void unhang(Index child);

  const workloads::Namespace& tree_;
  RowAllocator rows_;
  std::uint64_t most_entries_;
  TokenMap tokens_;
  sim::FlatMap<Index> by_path_;
  std::vector<CacheEntry> entries_;
  std::vector<Index> free_entries_;
  std::vector<std::uint16_t> free_counters_;  ///< the next one to be used is the last
  std::uint32_t small_left_;
  std::uint64_t order_ = 0;
  std::uint64_t not_released_ = 0;  ///< removed, their room still taken
};

}  // namespace recirc::model::fletch
