#include <vector>

#include "callosal_under_test.h"
#include "catch.h"
#include "model/callosal/frames.h"

using namespace recirc;
using namespace recirc::model;
using callosal::Frames;

namespace {

std::vector<std::uint32_t> in_order(const Frames& frames) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t s = frames.oldest(); s != Frames::nobody; s = frames.newer(s)) {
    slots.push_back(s);
  }
  return slots;
}

}  // namespace

TEST_CASE("Frames are kept in the order of their last use") {
  Frames frames(4, 3);
  for (const std::uint32_t slot : {7U, 2U, 5U, 9U}) frames.take(slot);
  CHECK(frames.full());
  CHECK(frames.above_mark());
  frames.use(2);
  frames.use(7);
  frames.use(7);
  CHECK(in_order(frames) == std::vector<std::uint32_t>{5, 9, 2, 7});
  frames.give_back(9);
  CHECK_FALSE(frames.above_mark());
  CHECK_FALSE(frames.has(9));
  frames.give_back(7);
  frames.give_back(5);
  CHECK(in_order(frames) == std::vector<std::uint32_t>{2});
}

TEST_CASE("Pages that fit are never dropped") {
  PageConfig config = callosal_pages(64, 0.3, 4'000);
  const auto without = run_callosal(config);
  config.callosal.cache_pages = 128;
  const auto with = run_callosal(config);
  CHECK(figure(with, "page_cache/evictions") == 0);
  CHECK(figure(with, "throughput_ops_per_s") == figure(without, "throughput_ops_per_s"));
}

TEST_CASE("A node that has memory for half of what it reads asks for a page every other time") {
  PageConfig config = callosal_pages(200, 0, 10'000);
  config.cluster.nodes = 1;
  config.callosal.cache_pages = 100;
  config.callosal.evict_above = 100;
  const auto result = run_callosal(config);
  CHECK(figure(result, "directory/reads_asked") == Approx(5'000).epsilon(0.05));
  CHECK(figure(result, "page_cache/evictions") ==
        Approx(figure(result, "directory/reads_asked") - 100).margin(2));
  CHECK(figure(result, "page_cache/evicted_changed") == 0);
  CHECK(figure(result, "latency_mean_us") > 4.5);
}

TEST_CASE("A page that goes is where the next one looks for it, changed or not") {
  for (const std::uint32_t region : {1U, 4U, 64U}) {
    for (const std::uint32_t room : {3U, 8U, 24U}) {
      for (std::uint64_t replication = 0; replication < 3; ++replication) {
        PageConfig config = callosal_pages(48, 0.4, 2'500);
        config.callosal.region_pages = region;
        config.callosal.cache_pages = room;
        INFO("regions of " << region << ", room for " << room << ", replication " << replication);
        const auto result = run_callosal(config, replication);
        CHECK(figure(result, "stale_reads") == 0);
        CHECK(figure(result, "ops_completed") == 2'500);
        if (room > 8) continue;
        CHECK(figure(result, "page_cache/evictions") > 100);
        CHECK(figure(result, "page_cache/evicted_changed") > 10);
      }
    }
  }
}

TEST_CASE("A region that a node has dropped is not asked back from it") {
  PageConfig config = callosal_pages(400, 0.5, 4'000);
  config.callosal.region_pages = 1;
  const auto keeps = run_callosal(config);
  config.callosal.cache_pages = 20;
  const auto drops = run_callosal(config);
  CHECK(figure(drops, "directory/invalidations") < figure(keeps, "directory/invalidations") / 4);
}

TEST_CASE("Memory of no more than a page a thread is refused") {
  const auto document = sim::config::Document::parse(
      R"({"system": "callosal", "workload": {"benchmark": "dwoh"}, "cluster": {"threads": 8},
          "callosal": {"cache_pages": 8}})",
      "test");
  CHECK_THROWS_AS(read_page_config(document), sim::ConfigError);
}
