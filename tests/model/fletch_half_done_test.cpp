#include <algorithm>
#include <variant>

#include "catch.h"
#include "fletch_under_test.h"
#include "model/op_observer.h"

// A search for a path resolution that sees a multi-path write half done.
namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::TraceFile;

/// Between any two writes of this workload a stranger is denied at /a/f: by /a, which it may not
/// pass, or by the file, which it may not read. A read that is answered all the same has passed /a
/// as it was before the recursive chmod and read the file as it was after it.
std::string strangers_and_readers(unsigned rounds, unsigned others) {
  std::string text = "time,op,path,mode,user\n0,stat,/a/f,,\n0,chmod,/a/f,0600,\n";
  const auto background = [&](unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      text += "0,stat,/x/y/z/u/v/w/f" + std::to_string(i % 16) + ",,\n";
      if (i % 64 == 0) text += "0,stat,/a/f,,stranger\n";
    }
  };
  for (unsigned round = 0; round < rounds; ++round) {
    background(others);
    text += "0,chmod_r,/a,0704,\n";
    background(others);
    text += "0,chmod,/a/f,0600,\n";
    background(others);
    text += "0,chmod,/a,0711,\n";
  }
  return text;
}

/// Whether the servers ever held a state that lets a stranger read the file.
class EverAllowed final : public OpObserver {
 public:
  explicit EverAllowed(Simulation& simulation) : simulation_(simulation) {
    simulation.observe(this);
  }
  void happened(Moment moment, const Request& request, RequestHandle /*handle*/) override {
    if (moment == Moment::committed && request.outcome == Outcome::written) look();
    if (moment == Moment::completed && request.user == UserClass::stranger &&
        request.outcome == Outcome::hit) {
      ++answered;
    }
  }
  bool ever = false;
  unsigned answered = 0;

 private:
  void look() {
    const workloads::Namespace& tree = *simulation_.workload().tree;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
      const workloads::PathId path{i};
      if (tree.path(path) != "/a/f") continue;
      const auto& state = simulation_.state();
      ever = ever || (may(state.metadata(path).readable_by, UserClass::stranger) &&
                      may(state.metadata(tree.parent(path)).searchable_by, UserClass::stranger));
    }
  }
  Simulation& simulation_;
};

/// A switch whose loop port is the bottleneck, and servers that answer in a few microseconds.
Config slow_loop(const TraceFile& trace, sim::BitsPerSecond loop) {
  Config config = trace.config();
  config.cluster.servers = 1;
  config.cluster.clients = 64;
  config.server.service_time = sim::nanoseconds(500);
  config.network.host_delay = sim::nanoseconds(100);
  std::get<pipeline::Tofino1>(config.rmt_switch.chip).recirculation_rate = loop;
  return config;
}

TEST_CASE("in the published protocol a read may see a multi-path write half done",
          "[fletch][multi][half_done]") {
  TraceFile trace(strangers_and_readers(10, 600));
  const auto answered = [&](sim::BitsPerSecond loop, fletch::ReleaseChoice release) {
    Config config = slow_loop(trace, loop);
    config.cache.release = release;
    FletchRun run(config);
    EverAllowed check(run.simulation);
    run.go();
    CHECK_FALSE(check.ever);
    CHECK(run["stale_reads"] == 0);
    INFO("denied " << run["ops_denied"]);
    return check.answered;
  };
  const auto slow = sim::gigabits_per_second(1);
  CHECK(answered(slow, fletch::ReleaseChoice::per_level) > 0);
  // With the counters held to the end the write waits for the read.
  CHECK(answered(slow, fletch::ReleaseChoice::at_end) == 0);
  // On a loop port of 100 Gbit/s a read never waits as long as a write needs.
  CHECK(answered(sim::gigabits_per_second(100), fletch::ReleaseChoice::per_level) == 0);
}

}  // namespace
}  // namespace recirc::model
