#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "pipeline/programs/directory/regions.h"
#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::callosal {

/// Regions stay as they were mapped.
struct StaticRegions {
  static constexpr std::string_view kind = "static";
  static constexpr std::string_view kind_doc = "Regions stay as they were mapped.";
};
/// MIND's bounded splitting: regions whose pages are given up for others' sake become two, and
/// regions that need not be two become one, so that there are never more than the switch has
/// entries for.
struct BoundedSplitting {
  static constexpr std::string_view kind = "bounded";
  static constexpr std::string_view kind_doc =
      "MIND's: regions are split where pages are given up for others' sake, and joined where they "
      "are not.";
  sim::Duration epoch = sim::milliseconds(100);
  std::uint32_t entries_a_split = 10;
  double pressure = 0.2;
  std::uint32_t joins_from = 100;
};
using Splitting = std::variant<StaticRegions, BoundedSplitting>;

void describe(sim::config::Visitor& v, StaticRegions& c);
void describe(sim::config::Visitor& v, BoundedSplitting& c);

/// A change of a region that an epoch's counts ask for.
struct RegionChange {
  enum class Kind : std::uint8_t { split, join };

  Kind kind = Kind::split;
  std::uint64_t page = 0;  ///< of the region, or of the lower one
  bool operator==(const RegionChange&) const = default;
};

/// What MIND changes after an epoch, in the order of addresses: with T = max(P, sum of all counts /
/// (capacity / entries_a_split)), where P is 1 under pressure and 0 else, each region with a count
/// above T becomes two while more than three entries are free, and two halves with a sum below T
/// become one if there is pressure or T is at least `joins_from`. `counts`: pages given up for
/// others' sake, by entry.
std::vector<RegionChange> changes_after_epoch(const BoundedSplitting& policy,
                                              const pipeline::programs::directory::Regions& regions,
                                              std::span<const std::uint32_t> counts);

}  // namespace recirc::model::callosal
