#include "pipeline/programs/fletch/lock_plan.h"

#include <algorithm>
#include <functional>

#include "sim/error.h"

namespace recirc::pipeline::programs::fletch {
namespace {

constexpr unsigned bit_of(unsigned array) { return array == 0 ? 0 : 1U << (array - 1); }

/// Fills in what follows from array_of, key_level and release.
LockPlan complete(LockPlan plan) {
  for (unsigned level = 0; level <= deepest_level; ++level) {
    const unsigned array = plan.array_of[level];
    const unsigned before = level == 0 ? 0 : plan.array_of[level - 1];
    plan.raised_by[level] = static_cast<std::uint8_t>((1U << array) - 1);
    const bool at_end = plan.release == Release::at_end;
    const unsigned passed = at_end || array <= 1 ? 0 : (1U << (array - 1)) - 1;
    plan.held_at[level] = static_cast<std::uint8_t>(0xffU & ~passed);
    plan.lowered_at[level] =
        static_cast<std::uint8_t>(at_end || array == before ? 0 : bit_of(before));
  }
  return plan;
}

}  // namespace

LockPlan with_pending_writes(LockPlan plan) {
  plan.kind = LockKind::write_pending;
  plan.width = plan.width == RegisterWidth::word ? RegisterWidth::pair : RegisterWidth::half_pair;
  return plan;
}

LockPlan grouped_locks(std::span<const std::uint32_t> first_levels, Release release) {
  if (first_levels.empty() || first_levels.size() > LockPlan::most_arrays ||
      first_levels.front() != 1 || first_levels.back() > deepest_level ||
      std::adjacent_find(first_levels.begin(), first_levels.end(), std::greater_equal<>()) !=
          first_levels.end()) {
    throw sim::InvariantBroken("lock arrays that do not cover the levels in order");
  }
  LockPlan plan;
  plan.release = release;
  plan.arrays = static_cast<unsigned>(first_levels.size());
  unsigned array = 0;
  for (unsigned level = 1; level <= deepest_level; ++level) {
    if (array < plan.arrays && first_levels[array] == level) ++array;
    plan.array_of[level] = static_cast<std::uint8_t>(array);
  }
  for (auto& levels : plan.key_level) {
    for (unsigned a = 1; a <= plan.arrays; ++a) {
      levels[a] = static_cast<std::uint8_t>(first_levels[a - 1]);
    }
  }
  return complete(plan);
}

LockPlan paper_locks(Release release) {
  constexpr std::array<std::uint32_t, LockPlan::most_arrays> own{1, 2, 3, 4, 5, 6, 7, 8};
  return grouped_locks(own, release);
}

LockPlan single_lock(SingleKey key, Release release) {
  LockPlan plan;
  plan.release = release;
  plan.arrays = 1;
  plan.width = RegisterWidth::word;
  for (unsigned level = 1; level <= deepest_level; ++level) {
    plan.array_of[level] = 1;
    plan.key_level[level][1] = static_cast<std::uint8_t>(key == SingleKey::full_path ? level : 1);
  }
  return complete(plan);
}

}  // namespace recirc::pipeline::programs::fletch
