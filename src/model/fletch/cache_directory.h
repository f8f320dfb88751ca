#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/config.h"
#include "model/fletch/row_allocator.h"
#include "model/fletch/token_map.h"
#include "pipeline/programs/fletch/wire.h"
#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model::fletch {

/// A cached path, or one copy of it, and where it lies in the switch: where servers are on several
/// pipes, a path has a copy in each whose servers own it or anything cached below it.
struct CachedCopy {
  workloads::PathId path;
  workloads::Key key = 0;
  std::uint8_t token = 0;
  std::uint8_t pipe = 0;        ///< of servers
  bool in_small_table = false;  ///< its level's lookup entry
  bool last_in_small_table = false;
  std::uint8_t depth = 0;
  pipeline::programs::fletch::Location location;

  bool operator==(const CachedCopy&) const = default;
};

/// A number of its own for each copy of each path.
inline std::uint64_t copy_id(workloads::PathId path, std::uint8_t pipe) {
  return std::uint64_t{pipe} << 32U | path.value();
}

/// What the running controller knows of it beside.
struct CacheEntry : CachedCopy {
  using Index = std::uint32_t;
  static constexpr Index none = ~Index{0};

  bool is_alone = false;  ///< no other pipe had the path when it came, or left
  Index parent = none;
  Index first_child = none;
  Index next = none;            ///< sibling
  Index previous = none;        ///< sibling
  std::uint64_t order = 0;      ///< of admission
  std::uint32_t frequency = 0;  ///< hits as last read from the switch; 0 after a reset
};

/// The controller's global view of the cache: which paths, where they lie in the switch, how they
/// hang together, and what is free. In each pipe every cached path's ancestors are cached.
///
/// Rows and counters are a pipe's own; the lookup tables are one pipe's and have an entry for each
/// copy.
class CacheDirectory {
 public:
  using Index = CacheEntry::Index;

  CacheDirectory(const workloads::Namespace& tree, std::uint32_t rows, std::uint64_t most_entries,
                 std::uint32_t pipes = 1, Mutants mutants = {});

  [[nodiscard]] bool contains(workloads::PathId path, std::uint8_t pipe) const {
    return by_path_.find(copy_id(path, pipe)) != nullptr;
  }
  /// CacheEntry::none when the path is not cached in this pipe.
  [[nodiscard]] Index find(workloads::PathId path, std::uint8_t pipe) const;
  /// The pipes that hold the path, as bits.
  [[nodiscard]] std::uint8_t copies(workloads::PathId path) const;
  [[nodiscard]] const CacheEntry& operator[](Index index) const { return entries_[index]; }
  [[nodiscard]] CacheEntry& operator[](Index index) { return entries_[index]; }

  enum class Failure : std::uint8_t { none, no_token, no_entry, no_row };
  /// Takes room for a path whose parent is in the pipe already (the root has none). `no_row`: only
  /// an eviction from this pipe helps.
  Failure add(workloads::PathId path, std::uint8_t pipe, unsigned slots, Index& added);
  /// Forgets a path without cached children in its pipe. Its room stays taken until release().
  CacheEntry remove(Index index);
  /// The room of a removed path may be used again.
  void release(const CacheEntry& removed);

  /// Nothing is cached; tokens stay.
  void forget_all();
  /// Puts a path back where it was, after forget_all(); its parent first.
  Index restore(const CachedCopy& saved);
  /// All of them are back.
  void restored();

  [[nodiscard]] TokenMap& tokens() { return tokens_; }
  [[nodiscard]] const TokenMap& tokens() const { return tokens_; }
  /// Copies counted.
  [[nodiscard]] std::uint64_t entries() const { return by_path_.size(); }
  [[nodiscard]] std::uint64_t paths() const { return shared_.size(); }
  [[nodiscard]] std::uint8_t pipes() const { return static_cast<std::uint8_t>(pipes_.size()); }
  [[nodiscard]] const RowAllocator& rows(std::uint8_t pipe) const { return pipes_[pipe].rows; }

 private:
  struct Pipe {
    explicit Pipe(std::uint32_t size);
    RowAllocator rows;
    std::vector<std::uint16_t> free_counters;  ///< the next one to be used is the last
  };
  /// What all copies of a path have in common: their last-key entry.
  struct Shared {
    std::uint8_t copies = 0;
    bool in_small_table = false;
  };
  Index new_entry();
  void place_in_tables(CacheEntry& entry);
  void hang_under(Index parent, Index child);
  void unhang(Index child);

  const workloads::Namespace& tree_;
  std::vector<Pipe> pipes_;
  std::uint64_t most_entries_;
  Mutants mutants_;
  TokenMap tokens_;
  sim::FlatMap<Index> by_path_;  ///< by copy_id
  sim::FlatMap<Shared> shared_;  ///< by path
  std::vector<CacheEntry> entries_;
  std::vector<Index> free_entries_;
  std::uint32_t small_left_;
  std::uint32_t last_small_left_;
  std::uint64_t order_ = 0;
  std::uint64_t not_released_ = 0;  ///< removed, their room still taken
};

}  // namespace recirc::model::fletch
