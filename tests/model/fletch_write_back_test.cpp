#include "catch.h"
#include "fletch_under_test.h"
#include "sim/error.h"

// `/cache/write: back`: the switch acknowledges writes of attributes, and the run counts what is
// not yet safe.
namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::mix_of;
using testing::small_fletch;
using testing::TraceFile;
using workloads::OpKind;

Config written(fletch::WriteChoice choice) {
  Config config = small_fletch();
  config.workload.mix = mix_of({{OpKind::stat, 0.6}, {OpKind::chmod, 0.3}, {OpKind::utime, 0.1}});
  config.cache.write = choice;
  config.rmt_switch.max_recirculations = 1'000'000;
  return config;
}

TEST_CASE("written back, writes of cached paths are done before their servers have them",
          "[fletch][write_back]") {
  FletchRun through(written(fletch::WriteChoice::through));
  through.go();
  FletchRun back(written(fletch::WriteChoice::back));
  back.go();
  CHECK(back["writes_acknowledged_early"] > 50);
  CHECK(back["writes_at_risk_max"] >= 1);
  CHECK(back["writes_at_risk_mean"] > 0);
  CHECK(back["writes_lost"] == 0);
  CHECK(back["writes_refused_late"] == 0);
  CHECK(back["ops_completed"] == through["ops_completed"]);
  CHECK(back["stale_reads"] == 0);
  CHECK(back["locks_leaked"] == 0);
  CHECK(back["cache/unreadable_records"] == 0);
  CHECK(back["operations/chmod/latency_mean_us"] < through["operations/chmod/latency_mean_us"]);
}

TEST_CASE("a write that its server refuses has been acknowledged all the same",
          "[fletch][write_back]") {
  TraceFile trace("time,op,path,mode,user\n0,stat,/d/f,,owner\n0,chmod,/d/f,0600,stranger\n");
  Config config = trace.config();
  config.cluster.clients = 1;
  config.cache.write = fletch::WriteChoice::back;
  FletchRun run(config);
  run.go();
  CHECK(run["writes_acknowledged_early"] == 1);
  CHECK(run["writes_refused_late"] == 1);
  CHECK(run["outcomes/written/count"] == 1);
}

TEST_CASE("what a client gives up is carried out late, and its record readable again",
          "[fletch][write_back]") {
  for (const bool back : {true, false}) {
    Config config = written(back ? fletch::WriteChoice::back : fletch::WriteChoice::through);
    if (!back) config.cache.sequence = fletch::Sequence::per_worker;
    config.client.timeout = sim::microseconds(300);
    FletchRun run(config);
    REQUIRE_NOTHROW(run.go());
    CHECK(run["ops_failed"] > 0);
    CHECK(run["cache/unreadable_records"] == 0);
  }
}

TEST_CASE("amid writes of few files no read hits what an acknowledged write replaces",
          "[fletch][write_back]") {
  std::string text;
  sim::CounterRng rng = sim::RngFactory{7, 0}.stream("write back");
  for (int i = 0; i < 3'000; ++i) {
    const std::string file = "/d/f" + std::to_string(rng.next() % 3);
    text += std::string("0,") + (rng.next() % 3 == 0 ? "chmod," : "stat,") + file + "\n";
  }
  TraceFile trace(text);
  for (const std::uint32_t clients : {4U, 16U, 40U}) {
    Config config = trace.config();
    config.cluster.clients = clients;
    config.cluster.servers = 2;
    config.cache.write = fletch::WriteChoice::back;
    config.rmt_switch.max_recirculations = 1'000'000;
    FletchRun run(config);
    REQUIRE_NOTHROW(run.go());
    CHECK(run["writes_acknowledged_early"] > 100);
    CHECK(run["writes_lost"] == 0);
    CHECK(run["stale_reads"] == 0);
    CHECK(run["cache/unreadable_records"] == 0);
  }
}

}  // namespace
}  // namespace recirc::model
