#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pipeline/layout.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::pipeline::programs::fletch {

/// When a walking read gives back what it has raised.
enum class Release : std::uint8_t {
  per_level,  ///< a counter as soon as its last level is resolved (Fletch §V-B)
  at_end,     ///< all of them once the whole read is resolved
};

/// Whom a lock counter favours.
enum class LockKind : std::uint8_t {
  reader_preferring,  ///< reads raise it whoever waits: writers may starve (Fletch §V-B)
  /// A write that finds it raised leaves a mark beside it that keeps further reads from raising it.
  write_pending,
};

/// What indexes the one array of a program with a single lock.
enum class SingleKey : std::uint8_t {
  full_path,  ///< the key of the path that is read or written
  level_1,    ///< the key of its ancestor at level 1
};

/// Which lock counters a path has: each level belongs to one array, an array to one level or to
/// several that follow each other. Such an array is raised once and lowered once, after the last
/// level that it covers (Fletch §XII). Fixed when the program is compiled.
///
/// Sets of arrays are bit masks: array a, of 1 to `arrays`, is bit a - 1.
struct LockPlan {
  static constexpr unsigned most_arrays = 8;
  using Levels = std::array<std::uint8_t, max_keys>;

  unsigned arrays = most_arrays;
  LockKind kind = LockKind::reader_preferring;
  RegisterWidth width = RegisterWidth::half;
  Release release = Release::per_level;
  Levels array_of{};   ///< by level; 0 of the root, which has no counter
  Levels raised_by{};  ///< arrays that a read raises, by its depth
  /// Arrays that a read has still raised when it begins to resolve a level; a mask over raised_by.
  Levels held_at{};
  /// Arrays that a read lowers when it begins to resolve a level.
  Levels lowered_at{};
  /// By the path's depth and the array: the level whose key is the index.
  std::array<std::array<std::uint8_t, most_arrays + 1>, max_keys> key_level{};

  /// The arrays that a read of this depth, having stopped at `level`, still holds.
  [[nodiscard]] std::uint8_t held(unsigned level, unsigned depth) const {
    return static_cast<std::uint8_t>(raised_by[depth] & held_at[level]);
  }
  /// The array that holds the counter of a path of this depth, and which its writer looks at.
  [[nodiscard]] unsigned own_array(unsigned depth) const { return array_of[depth]; }
  [[nodiscard]] std::uint8_t own_bit(unsigned depth) const {
    return static_cast<std::uint8_t>(raised_by[depth] ^ (raised_by[depth] >> 1U));
  }
  /// The level whose key indexes that counter: the path's own, or an ancestor's.
  [[nodiscard]] unsigned own_key_level(unsigned depth) const {
    return key_level[depth][own_array(depth)];
  }
  [[nodiscard]] bool needs_ancestor_key(unsigned depth) const {
    return depth > 0 && own_key_level(depth) != depth;
  }
};

/// The same counters with writes pending beside them: pairs of a reads' and a writes' counter.
LockPlan with_pending_writes(LockPlan plan);

/// An array for each of `first_levels`, which ascend from 1, for that level and those up to the
/// next; its index is the key of its first level. At most eight.
LockPlan grouped_locks(std::span<const std::uint32_t> first_levels,
                       Release release = Release::per_level);
/// Levels 1 to 7 have an array each; level 8 and deeper share the eighth (Fletch §V-A).
LockPlan paper_locks(Release release = Release::per_level);
/// One array of 32-bit counters for all levels: a read raises one counter and lowers it after its
/// last level.
LockPlan single_lock(SingleKey key, Release release = Release::per_level);

}  // namespace recirc::pipeline::programs::fletch
