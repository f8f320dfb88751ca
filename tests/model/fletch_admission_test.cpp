#include "catch.h"
#include "fletch_under_test.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::mix_of;
using testing::small_fletch;
using workloads::OpKind;

Config dynamic() {
  Config config = small_fletch();
  config.cache.files = 0;
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.reset_interval = sim::milliseconds(20);
  config.rmt_switch.max_recirculations = 1'000'000;
  config.workload.files = 2'000;
  config.workload.requests = 20'000;
  config.workload.mix = mix_of({{OpKind::stat, 9}, {OpKind::chmod, 1}});
  return config;
}

TEST_CASE("hot paths enter the cache with their ancestors, and nothing becomes stale", "[fletch]") {
  const Config config = dynamic();
  FletchRun run(config);
  run.go();
  CHECK(run["controller/reports"] > 0);
  CHECK(run["controller/admissions"] > 10);
  CHECK(run["cache/entries"] == run["controller/admissions"] + 1 - run["controller/evictions"]);
  CHECK(run["switch_hit_ratio"] > 0);
  CHECK(run["stale_reads"] == 0);
  CHECK(run["locks_leaked"] == 0);
  CHECK(run["ops_failed"] == 0);
}

TEST_CASE("a full cache evicts its coldest leaves for hotter newcomers", "[fletch]") {
  Config config = dynamic();
  config.workload.requests = 60'000;
  config.cache.rows = 8;
  FletchRun run(config);
  run.go();
  CHECK(run["controller/evictions"] > 0);
  CHECK(run["cache/rows_used"] <= 8);
  CHECK(run["stale_reads"] == 0);
  CHECK(run["locks_leaked"] == 0);
}

TEST_CASE("an admitted path takes about three milliseconds", "[fletch]") {
  testing::TraceFile trace([] {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "0,stat,/f\n";
    return text;
  }());
  Config config = trace.config();
  config.cache.files = 0;
  config.cluster.clients = 1;
  config.controller.admission = fletch::AdmissionPolicy::on;
  FletchRun run(config);
  run.go();
  REQUIRE(run["controller/admissions"] == 1);
  CHECK(run["controller/admission_mean_us"] == Approx(3'000).epsilon(0.05));
}

std::unique_ptr<Scheme> without_blocking(const Config& config, const Topology& topology) {
  fletch::Mutants mutants;
  mutants.admit_without_blocking = true;
  return fletch::make_fletch(config.cache, config.controller, config.network, topology, mutants);
}

TEST_CASE("admission that does not block writes makes reads stale", "[fletch][mutant]") {
  Config config = dynamic();
  config.workload.mix = mix_of({{OpKind::stat, 1}, {OpKind::chmod, 1}});
  {
    FletchRun run(config);
    run.go();
    CHECK(run["controller/admissions"] > 10);
    CHECK(run["cache/parked_writes"] > 0);
    CHECK(run["stale_reads"] == 0);
  }
  FletchRun run(config, &without_blocking);
  run.go();
  CHECK(run["stale_reads"] > 0);
}

}  // namespace
}  // namespace recirc::model
