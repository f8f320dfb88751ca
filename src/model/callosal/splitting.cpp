#include "model/callosal/splitting.h"

#include <algorithm>

#include "model/callosal/network.h"

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;
using sim::config::assumed;
using sim::config::derived;
using sim::config::Visitor;

namespace {

constexpr std::uint32_t entries_kept_free = 3;  // MIND's

class Threshold {
 public:
  Threshold(const BoundedSplitting& policy, const directory::Regions& regions, std::uint64_t sum) {
    const std::uint32_t capacity = regions.capacity();
    const std::uint32_t free = capacity - regions.size();
    pressure_ = free < policy.pressure * capacity;
    const std::uint64_t splits = std::max(capacity / policy.entries_a_split, 1U);
    counts_ = std::max<std::uint64_t>(pressure_ ? 1 : 0, sum / splits);
    joins_ = pressure_ || counts_ >= policy.joins_from;
  }
  [[nodiscard]] bool splits(std::uint64_t count) const { return count > counts_; }
  [[nodiscard]] bool joins(std::uint64_t count) const { return joins_ && count < counts_; }

 private:
  std::uint64_t counts_ = 0;
  bool pressure_ = false;
  bool joins_ = false;
};

}  // namespace

void describe(Visitor& /*v*/, StaticRegions& /*c*/) {}

void describe(Visitor& v, BoundedSplitting& c) {
  v.field("epoch", c.epoch,
          {.doc = "Counts are read, and start anew, this often; later where the changes of the "
                  "epoch before are still under way. It ends with the calls, or ten epochs after "
                  "the last one that has returned.",
           .from = assumed("MIND's emulator: 100 ms; its control plane says 1 s", "10ms..1s"),
           .min = sim::milliseconds(1),
           .max = sim::seconds(100),
           .example = "100ms"});
  v.field("entries_a_split", c.entries_a_split,
          {.doc = "A region is split that has more than this many times the mean count of an entry "
                  "of the whole directory.",
           .from = derived("MIND's control plane: T = sum / (30,000 / 10)"),
           .min = 1,
           .max = 10'000});
  v.field("pressure", c.pressure,
          {.doc = "There is pressure when a smaller share of the entries is free.",
           .from = derived("MIND's control plane: 20 %"),
           .min = 0.0,
           .max = 1.0});
  v.field("joins_from", c.joins_from,
          {.doc = "Without pressure regions are joined from this threshold on.",
           .from = derived("MIND's control plane: 100"),
           .min = 0,
           .max = 1'000'000'000});
}

std::vector<RegionChange> changes_after_epoch(const BoundedSplitting& policy,
                                              const directory::Regions& regions,
                                              std::span<const std::uint32_t> counts) {
  const auto count_of = [&counts](const directory::Region& region) -> std::uint64_t {
    return region.entry < counts.size() ? counts[region.entry] : 0;
  };
  std::uint64_t sum = 0;
  for (const auto& [first, region] : regions.all()) sum += count_of(region);
  const Threshold threshold(policy, regions, sum);
  std::vector<RegionChange> changes;
  std::uint32_t free = regions.capacity() - regions.size();
  for (const auto& [first, region] : regions.all()) {
    if (threshold.splits(count_of(region))) {
      if (region.bits == 0 || free <= entries_kept_free) continue;
      changes.push_back({RegionChange::Kind::split, first});
      --free;
      continue;
    }
    const directory::Region* const buddy = regions.buddy_of(region);
    if (buddy == nullptr || buddy->first < first || is_inode(first)) continue;
    if (!threshold.joins(count_of(region) + count_of(*buddy))) continue;
    changes.push_back({RegionChange::Kind::join, first});
    ++free;
  }
  return changes;
}

}  // namespace recirc::model::callosal
