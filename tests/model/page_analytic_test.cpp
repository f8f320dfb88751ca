#include "model/page_analytic.h"
#include "callosal_under_test.h"
#include "catch.h"

using namespace recirc;
using namespace recirc::model;
using pipeline::programs::directory::ConflictPolicy;

namespace {

/// What the model says over what the simulation finds.
double agreement(const PageConfig& config) {
  return *analytic_throughput(config) / figure(run_callosal(config), "throughput_ops_per_s");
}

PageConfig store(std::uint32_t nodes, double writes) {
  PageConfig config = callosal_config(
      R"({"kind": "key_value", "keys": 4000, "write_ratio": )" + std::to_string(writes) + "}",
      60'000);
  config.cluster.nodes = nodes;
  config.cluster.threads = 4;
  config.workload.warm_up = 500'000;  // so that each page has been written
  return config;
}

}  // namespace

TEST_CASE("Renewal says how fast a page that all write goes round") {
  PageConfig config = callosal_config(R"("dwoh")", 5'000);
  config.cluster.threads = 8;
  config.workload.warm_up = 200;
  CHECK(agreement(config) == Approx(1).epsilon(0.03));
  config.callosal.host_delay = sim::microseconds(2);
  CHECK(agreement(config) == Approx(1).epsilon(0.05));
  config.callosal.pick_up = sim::microseconds(5);
  CHECK(agreement(config) == Approx(1).epsilon(0.05));
  config.callosal.local_batch = 3;
  CHECK(agreement(config) == Approx(1).epsilon(0.05));
  config.callosal.conflict = ConflictPolicy::queue;
  CHECK(agreement(config) == Approx(1).epsilon(0.05));
  config.cluster.nodes = 1;
  CHECK(agreement(config) == Approx(1).epsilon(0.03));
}

TEST_CASE("Chains of a page and its region say how fast a key-value store is") {
  CHECK(agreement(store(1, 0.01)) == Approx(1).epsilon(0.05));
  CHECK(agreement(store(2, 0.01)) == Approx(1).epsilon(0.3));
  CHECK(agreement(store(4, 0.001)) == Approx(1).epsilon(0.15));
  CHECK(agreement(store(4, 0.01)) == Approx(1).epsilon(0.2));
  PageConfig config = store(4, 0.01);
  config.callosal.region_pages = 1;
  CHECK(agreement(config) == Approx(1).epsilon(0.15));
  config.callosal.blades = 8;
  CHECK(agreement(config) == Approx(1).epsilon(0.15));
}

TEST_CASE("There is no analytic value for what the models know nothing of") {
  CHECK_FALSE(analytic_throughput(callosal_config(R"("drbh")", 10)));
  CHECK_FALSE(analytic_throughput(callosal_config(R"({"kind": "key_value", "zipf": 0.9})", 10)));
  PageConfig config = callosal_config(R"("dwoh")", 10);
  config.callosal.splitting = callosal::BoundedSplitting{};
  CHECK_FALSE(analytic_throughput(config));
}
