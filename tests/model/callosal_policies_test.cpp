#include "callosal_under_test.h"
#include "catch.h"

using namespace recirc;
using namespace recirc::model;
using pipeline::programs::directory::ConflictPolicy;
using pipeline::programs::directory::GrantPolicy;

namespace {

PageConfig mind(const std::string& benchmark, std::uint64_t operations) {
  PageConfig config = read_page_config(sim::config::Document::parse(
      R"({"system": "mind", "workload": {"benchmark": )" + benchmark + "}}", "test"));
  config.workload.operations = operations;
  config.cluster.threads = 2;
  return config;
}

}  // namespace

TEST_CASE("Requests that wait in the switch are never refused, and nothing is missed or stuck") {
  for (const GrantPolicy grant : {GrantPolicy::wait_all, GrantPolicy::early}) {
    for (const double writes : {0.1, 0.5, 0.9}) {
      for (const std::uint32_t nodes : {2U, 4U, 16U}) {
        INFO(writes << " writes, " << nodes << " nodes, grant " << static_cast<int>(grant));
        PageConfig config = callosal_pages(3, writes, 4'000);
        config.cluster.nodes = nodes;
        config.callosal.conflict = ConflictPolicy::queue;
        config.callosal.grant = grant;
        config.verify.swmr = grant == GrantPolicy::wait_all;
        const auto result = run_callosal(config);
        CHECK(figure(result, "directory/refusals") == 0);
        CHECK(figure(result, "order_violations") == 0);
        if (config.verify.swmr) CHECK(figure(result, "swmr/violations") == 0);
      }
    }
  }
}

TEST_CASE("Waiting in the switch spreads a contended page evenly, for passes of the loop port") {
  PageConfig config = callosal_config(R"("dwoh")", 4'000);
  const auto refused = run_callosal(config);
  config.callosal.conflict = ConflictPolicy::queue;
  const auto queued = run_callosal(config);
  CHECK(figure(queued, "latency_max_us") < figure(refused, "latency_max_us") / 4);
  CHECK(figure(queued, "switch/recirculated_frames") >
        2 * figure(refused, "switch/recirculated_frames"));
}

TEST_CASE("Small caches and requests that wait in the switch do not lock one another out") {
  PageConfig config = callosal_pages(24, 0.4, 6'000);
  config.callosal.conflict = ConflictPolicy::queue;
  config.callosal.cache_pages = 6;
  CHECK(figure(run_callosal(config), "order_violations") == 0);
}

TEST_CASE("A hand-off's time is divided without rest among what it waits for") {
  PageConfig config = callosal_config(R"("dwoh")", 2'000);
  const auto result = run_callosal(config);
  CHECK(figure(result, "hand_off/count") > 1'900);
  // The write, half of which may be over, and then the handler.
  CHECK(figure(result, "hand_off/at_owner_us") > 3.5);
  CHECK(figure(result, "hand_off/at_owner_us") < 7);
  CHECK(figure(result, "hand_off/page_us") > 1.2);
  CHECK(figure(result, "hand_off/page_us") < 3);
  CHECK(figure(result, "hand_off/grant_us") < 2);
  const double period = 1e6 / figure(result, "throughput_ops_per_s");
  const double parts = figure(result, "hand_off/kept_us") + figure(result, "hand_off/page_us") +
                       figure(result, "hand_off/grant_us");
  CHECK(parts == Approx(period).epsilon(0.05));
}

TEST_CASE("An invalidation lets as many writers pass as it is told to, also those of the file") {
  PageConfig config = callosal_config(R"("dwoh")", 6'000);
  config.cluster.threads = 8;
  const auto one = run_callosal(config);
  config.callosal.local_batch = 3;
  const auto three = run_callosal(config);
  const auto writes = [](const ReplicationResult& result) {
    return figure(result, "ops_completed") / figure(result, "hand_off/count");
  };
  CHECK(writes(one) == Approx(1).epsilon(0.02));
  CHECK(writes(three) > 2.5);
  CHECK(writes(three) < 4.1);
  CHECK(figure(three, "order_violations") == 0);
}

TEST_CASE("Writers that a page is kept for do not lock out those that change the file's size") {
  PageConfig config = callosal_pages(2, 0.9, 6'000);
  config.callosal.local_batch = 4;
  config.cluster.threads = 6;
  CHECK(figure(run_callosal(config), "ops_completed") == 6'000);
}

TEST_CASE("MIND alone has neither calls nor locks of files, and goes on when the page is there") {
  const PageConfig config = mind(R"("drbl")", 20'000);
  CHECK(config.callosal.grant == GrantPolicy::early);
  const auto hits = run_callosal(config);
  CHECK(figure(hits, "latency_p50_us") < 0.05);
  const auto shared = run_callosal(mind(R"({"kind": "shared_pages", "pages": 16})", 10'000));
  CHECK(figure(shared, "ops_completed") == 10'000);
  CHECK(figure(shared, "directory/invalidations") > 100);
}

TEST_CASE("Without locks of files no benchmark may change sizes") {
  CHECK_THROWS_AS(mind(R"("dwal")", 100), sim::ConfigError);
  CHECK_THROWS_AS(mind(R"("dwtl")", 100), sim::ConfigError);
}
