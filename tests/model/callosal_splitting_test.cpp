#include "callosal_under_test.h"
#include "catch.h"
#include "model/callosal/splitting.h"

using namespace recirc;
using namespace recirc::model;
using callosal::BoundedSplitting;
using callosal::changes_after_epoch;
using callosal::RegionChange;
using pipeline::programs::directory::Regions;
using Changes = std::vector<RegionChange>;

namespace {

constexpr auto split = RegionChange::Kind::split;
constexpr auto join = RegionChange::Kind::join;

/// Regions of 4 pages from page 0 on.
Regions regions_of(std::uint32_t capacity, std::uint32_t count) {
  Regions regions(capacity);
  for (std::uint32_t i = 0; i < count; ++i) regions.add(std::uint64_t{i} * 4, 2);
  return regions;
}

}  // namespace

TEST_CASE("Regions are split that have more false invalidations than their share") {
  const Regions regions = regions_of(100, 4);
  // T = (5 + 40 + 6 + 0) / (100 / 10) = 5
  CHECK(changes_after_epoch({}, regions, std::vector<std::uint32_t>{5, 40, 6, 0}) ==
        Changes{{split, 4}, {split, 8}});
  CHECK(changes_after_epoch({}, regions, std::vector<std::uint32_t>{0, 0, 0, 0}).empty());
}

TEST_CASE("No region is split below a page, nor into the last three entries") {
  Regions pages(100);
  pages.add(0, 0);
  CHECK(changes_after_epoch({}, pages, std::vector<std::uint32_t>{50}).empty());
  BoundedSplitting policy;
  policy.pressure = 0;
  policy.entries_a_split = 1;
  const Regions full = regions_of(8, 4);  // T = 40 / 8 = 5
  CHECK(changes_after_epoch(policy, full, std::vector<std::uint32_t>{10, 10, 10, 10}) ==
        Changes{{split, 0}});
}

TEST_CASE("Halves are joined under pressure, or where counts are high everywhere else") {
  const Regions tight = regions_of(16, 14);
  std::vector<std::uint32_t> counts(16, 0);
  counts[2] = 1;
  const Changes changes = changes_after_epoch({}, tight, counts);  // T = 1: sums of 0 join
  CHECK(changes.size() == 6);
  CHECK(changes.front() == RegionChange{join, 0});
  for (const RegionChange& change : changes) CHECK(change.page != 8);
  const Regions roomy = regions_of(100, 4);
  CHECK(changes_after_epoch({}, roomy, std::vector<std::uint32_t>{0, 0, 900, 200}) ==
        Changes{{join, 0}, {split, 8}, {split, 12}});
}

TEST_CASE("Bounded splitting takes false invalidations away, and no write is missed meanwhile") {
  PageConfig config = callosal_pages(64, 0.3, 30'000);
  config.callosal.region_pages = 16;
  config.verify.swmr = true;
  const auto fixed = run_callosal(config);
  BoundedSplitting policy;
  policy.epoch = sim::milliseconds(1);
  config.callosal.splitting = policy;
  config.rmt_switch.control.per_write = sim::microseconds(1);
  config.rmt_switch.control.per_read = sim::nanoseconds(1);
  const auto bounded = run_callosal(config);
  CHECK(figure(bounded, "directory/splits") > 10);
  CHECK(figure(bounded, "directory/falsely_invalidated") <
        0.5 * figure(fixed, "directory/falsely_invalidated"));
  CHECK(figure(bounded, "throughput_ops_per_s") > figure(fixed, "throughput_ops_per_s"));
  CHECK(figure(bounded, "order_violations") == 0);
  CHECK(figure(bounded, "swmr/violations") == 0);
  CHECK(figure(bounded, "directory/regions") ==
        4 + figure(bounded, "directory/splits") - figure(bounded, "directory/joins"));
}

TEST_CASE("There are never more regions than entries, and those of cold pages are joined") {
  PageConfig config = callosal_pages(128, 0.3, 20'000);
  BoundedSplitting policy;
  policy.epoch = sim::milliseconds(1);
  config.callosal.splitting = policy;
  config.callosal.directory_entries = 36;
  config.rmt_switch.control.per_write = sim::microseconds(1);
  config.rmt_switch.control.per_read = sim::nanoseconds(1);
  const auto result = run_callosal(config);
  CHECK(figure(result, "directory/regions_max") <= 36);
  CHECK(figure(result, "directory/epochs") > 5);
  CHECK(figure(result, "order_violations") == 0);
}

TEST_CASE("The control plane's epochs do not keep a run from ending") {
  PageConfig config = callosal_config(R"("drbh")", 100);
  config.callosal.splitting = BoundedSplitting{};
  CHECK(figure(run_callosal(config), "ops_completed") == 100);
}
