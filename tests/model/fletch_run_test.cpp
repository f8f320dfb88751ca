#include "catch.h"
#include "fletch_under_test.h"
#include "pipeline/programs/fletch/layout.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::mix_of;
using testing::small_fletch;
using testing::TraceFile;
using workloads::OpKind;

double mean_depth(const FletchRun& run) {
  const workloads::OpSource& source = *run.simulation.workload().source;
  double sum = 0;
  for (std::uint64_t i = 0; i < source.size(); ++i) {
    sum += run.simulation.workload().tree->depth(source.at(i).path);
  }
  return sum / static_cast<double>(source.size());
}

TEST_CASE("reads of cached files recirculate L + 2 times, L + 1 without the cable", "[fletch]") {
  Config config = small_fletch();
  config.workload.files = 400;
  config.workload.mix = mix_of({{OpKind::stat, 1}});
  config.rmt_switch.cross_pipe =
      GENERATE(pipeline::CrossPipe::cable, pipeline::CrossPipe::native, pipeline::CrossPipe::none);
  const bool cable = config.rmt_switch.cross_pipe == pipeline::CrossPipe::cable;
  FletchRun run(config);
  run.go();
  CHECK(run["switch_hit_ratio"] == 1.0);
  CHECK(run["recirculations_per_op"] == Approx(mean_depth(run) + (cable ? 2 : 1)));
  CHECK(run["server_requests"] == 0);
  CHECK(run["locks_leaked"] == 0);
}

TEST_CASE("without cached files a read recirculates once, as does an idle write", "[fletch]") {
  Config config = small_fletch();
  config.cache.files = 0;
  config.workload.mix = mix_of({{OpKind::stat, 1}, {OpKind::chmod, 1}});
  FletchRun run(config);
  run.go();
  CHECK(run["recirculations_per_op"] == 1.0);
  CHECK(run["switch_hit_ratio"] == 0.0);
  CHECK(run["cache/entries"] == 1);
}

TEST_CASE("writes of cached files recirculate once when nobody reads", "[fletch]") {
  Config config = small_fletch();
  config.workload.files = 400;
  config.workload.mix = mix_of({{OpKind::chmod, 1}});
  FletchRun run(config);
  run.go();
  CHECK(run["recirculations_per_op"] == 1.0);
  CHECK(run["cache/record_updates"] == 4'000);
  CHECK(run["lock_waits"] == 0);
}

TEST_CASE("a run of a mix loses nothing, reads nothing stale and leaves nothing raised",
          "[fletch]") {
  Config config = small_fletch();
  config.cache.layout = GENERATE(fletch::LayoutChoice::paper, fletch::LayoutChoice::prototype);
  config.rmt_switch.max_recirculations = 1'000'000;
  FletchRun run(config);
  run.go();
  CHECK(run["ops_completed"] == 4'000);
  CHECK(run["ops_failed"] == 0);
  CHECK(run["stale_reads"] == 0);
  CHECK(run["locks_leaked"] == 0);
  CHECK(run["switch_hit_ratio"] > 0.3);
  CHECK(run["outcomes/invalid/count"] > 0);
  CHECK(run["lock_waits"] > 0);
  CHECK(run["controller/evictions_of_gone"] > 0);
  CHECK(run["cache/entries"] + run["controller/evictions"] == run["cache/preloaded_entries"]);
}

TEST_CASE("stage mode gives the same figures as pass mode, admissions included", "[fletch]") {
  Config config = small_fletch();
  config.workload.requests = 3'000;
  config.workload.files = 2'000;
  config.cache.files = 100;
  config.cache.rows = 30;
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.rmt_switch.max_recirculations = 1'000'000;
  FletchRun pass(config);
  pass.go();
  config.rmt_switch.mode = pipeline::PassMode::stage;
  FletchRun stage(config);
  stage.go();
  for (const auto& [name, value] : pass.figures) {
    INFO(name);
    if (name != "events") CHECK(stage[name] == value);
  }
  CHECK(pass["controller/admissions"] > 0);
}

TEST_CASE("a write that waits for ever is dropped at the limit and fails", "[fletch]") {
  TraceFile trace(
      "0,stat,/d/f\n"
      "0.000001,chmod,/d/f\n");
  Config config = trace.config();
  config.rmt_switch.max_recirculations = 20;
  config.client.timeout = sim::milliseconds(1);
  FletchRun run(config);
  // A counter that nobody lowers, as after a lost answer.
  const auto& tree = *run.simulation.workload().tree;
  run.simulation.rmt_switch()
      .array(pipeline::PipeId{0}, pipeline::ProtocolTag{0},
             pipeline::programs::fletch::lock_array(2))
      .store(static_cast<std::uint32_t>(tree.key(workloads::PathId{2}) & 0xffffU), {1, 0});
  run.go();
  CHECK(run["switch/drops_recirculation_limit"] == 1);
  CHECK(run["ops_failed"] == 1);
  CHECK(run["locks_leaked"] == 1);
}

TEST_CASE("paths that the parser or a frame cannot hold bypass the cache", "[fletch]") {
  const std::string name(250, 'n');
  TraceFile trace("0,stat,/1/2/3/4/5/6/7/8/f\n0,stat,/1/2/3/4/5/6/7/8/9/10\n0,stat,/" + name + "/" +
                  name + "/" + name + "/" + name + "/" + name + "/" + name + "\n");
  FletchRun run(trace.config());
  run.go();
  CHECK(run["cache/bypassed"] == 2);
  CHECK(run["outcomes/hit/count"] == 1);
  CHECK(run["ops_completed"] == 3);
}

TEST_CASE("a share of the distinct paths bounds the cache", "[fletch]") {
  TraceFile trace(
      "0,stat,/a/f1\n0,stat,/a/f2\n0,stat,/a/f2\n0,stat,/b/f3\n0,stat,/b/f4\n0,stat,/b/f5\n");
  Config config = trace.config();
  config.cache.share = 0.4;  // of eight paths, the root among them
  FletchRun run(config);
  run.go();
  CHECK(run["cache/preloaded_entries"] == 3);
  CHECK(run["outcomes/hit/count"] == 2);
}

TEST_CASE("a grace time that a full queue outlasts is refused", "[fletch]") {
  const auto read = [](const std::string& settings) {
    return sim::config::read<Config>(
        sim::config::Document::parse("{\"system\": " + settings + "}", "test"));
  };
  CHECK_NOTHROW(read(R"("fletch", "switch": {"queue": "4MiB"})"));  // 0.84 ms at 40 Gbps
  CHECK_NOTHROW(read(R"("nocache", "switch": {"queue": "8MiB"})"));
  CHECK_THROWS_AS(read(R"("fletch", "switch": {"queue": "8MiB"})"), sim::ConfigError);
  CHECK_THROWS_AS(read(R"("fletch", "controller": {"grace": "100us"})"), sim::ConfigError);
}

TEST_CASE("whatever its share, the cache holds the root", "[fletch]") {
  Config config = small_fletch();
  config.cache.share = 0.0;
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.cache.threshold = 1;
  FletchRun run(config);
  run.go();
  CHECK(run["cache/entries"] == 1);
  CHECK(run["controller/reports"] > 0);
}

TEST_CASE("the root is never deleted, moved or overwritten", "[fletch]") {
  TraceFile trace("0,stat,/d/f\n0,delete,/\n0,rename,/d,/\n0,rename,/,/d\n0,stat,/d/f\n");
  Config config = trace.config();
  config.cluster.clients = 1;
  FletchRun run(config);
  run.go();
  CHECK(run["outcomes/error/count"] == 3);
  CHECK(run["outcomes/hit/count"] == 2);
}

}  // namespace
}  // namespace recirc::model
