#include "catch.h"
#include "recovery_rules.h"

// Messages from before a crash, or of an earlier stay in the cache, that come when nobody expects
// them any more (docs/decisions/0030, 0031).
namespace recirc::model {
namespace {

using faults::Component;
using fletch::Mutants;
using testing::busy;
using testing::damage_of;
using testing::FletchRun;
using testing::TraceFile;
using testing::without;

void sweep_often(Config& config) {
  config.controller.sweep.policy = fletch::SweepPolicy::on;
  config.controller.sweep.interval = sim::milliseconds(1);
  config.controller.sweep.timeout = sim::milliseconds(4);
}

/// The controller crashes when it has asked for a path's metadata, and the answer waits for it
/// until it has asked anew. The path's writes have gone on in between.
TEST_CASE("a controller does not take metadata for what it had asked before its crash",
          "[fletch][recovery][mutant]") {
  std::string text;
  for (int i = 0; i < 1'500; ++i) text += i % 5 == 0 ? "0,chmod,/d/f\n" : "0,stat,/d/f\n";
  TraceFile trace(text);
  Config config = busy(trace, 20, 50);
  config.client.retransmit->timeout = sim::milliseconds(30);
  config.cache.files = 0;
  config.cache.threshold = 2;
  config.server.service_time = sim::microseconds(40);
  config.rmt_switch.control.per_write = sim::microseconds(1);
  config.controller.path_time = sim::microseconds(10);
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.reset_interval = sim::milliseconds(1);
  config.controller.message_timeout = sim::milliseconds(4);
  double without_rule = 0;
  for (int at = 90; at < 104; at += 2) {
    INFO("after " << at << " hundredths of a millisecond");
    config.faults.crashes = {
        {Component::controller, 0, sim::microseconds(10 * at), sim::milliseconds(1)}};
    CHECK(damage_of(config, &make_scheme) == 0);
    without_rule += damage_of(config, &without<&Mutants::mix_admissions>);
  }
  CHECK(without_rule > 0);
}

/// Six files take turns in a cache of two; a lost answer is sent again after a file may have left
/// the cache and come back.
TEST_CASE("metadata for an admission is told when no older answer can replace it",
          "[fletch][faults][mutant]") {
  double without_rule = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("quick turns");
    std::string text;
    for (unsigned i = 0; i < 1'500; ++i) {
      text += rng.next() % 4 == 0 ? "0,chmod,/d/f" : "0,stat,/d/f";
      text += std::to_string(rng.next() % 6) + "\n";
    }
    TraceFile trace(text);
    Config config = busy(trace, 8, 1'000);
    config.client.retransmit->timeout = sim::milliseconds(20);
    sweep_often(config);
    config.controller.sweep.timeout = sim::milliseconds(60);
    config.cluster.servers = 1 + static_cast<std::uint32_t>(rng.next() % 3);
    config.server.service_time = sim::microseconds(5 + static_cast<int>(rng.next() % 20));
    config.server.ack_timeout = sim::milliseconds(30);
    config.cache.files = 2;
    config.cache.rows = 1;
    config.cache.threshold = 2;
    config.controller.admission = fletch::AdmissionPolicy::on;
    config.controller.reset_interval = sim::milliseconds(2);
    config.controller.path_time = sim::microseconds(1);
    config.controller.grace = sim::microseconds(50);
    config.rmt_switch.max_recirculations = 1'000'000;
    config.faults.server_links.loss = 0.1;
    CHECK(damage_of(config, &make_scheme) == 0);
    without_rule += damage_of(config, &without<&Mutants::tell_at_once>);
  }
  CHECK(without_rule > 0);
}

/// A server crashes when answers of its are on a link that holds them for longer than it is down;
/// another server's recursive writes change the same paths meanwhile. The controller is away, so
/// that the numbers stay as they were.
TEST_CASE("changes by others wait until what a crashed server had sent counts no more",
          "[fletch][recovery][mutant]") {
  std::string text = "time_us,op,path,dst,mode\n";
  const auto add = [&text](int at, const char* kind, const std::string& path, const char* mode) {
    text += std::to_string(at) + "," + kind + "," + path + ",," + mode + "\n";
  };
  for (int i = 0; i < 24; ++i) add(i * 10, "chmod", "/d/f" + std::to_string(i % 8), "0755");
  for (int i = 0; i < 3; ++i) add(300 + i * 10, "chmod_r", "/d", "0750");
  for (int t = 1'400; t < 8'400; t += 50) add(t, "stat", "/d/f" + std::to_string(t / 50 % 8), "");
  TraceFile trace(text);
  double without_rule = 0;
  for (std::uint64_t seed = 8; seed < 16; ++seed) {
    INFO("seed " << seed);
    Config config = busy(trace, 600, 1'000);
    config.run.seed = seed;
    config.workload.arrival = workloads::RecordedArrival{};
    config.client.retransmit->timeout = sim::milliseconds(60);
    config.network.host_delay = sim::microseconds(20);
    config.cluster.servers = 2;
    sweep_often(config);
    config.faults.server_links.reordering = 0.3;
    config.faults.server_links.held_for = sim::milliseconds(3);
    config.faults.crashes = {
        {Component::server, 1, sim::microseconds(350), sim::milliseconds(1)},
        {Component::controller, 0, sim::microseconds(400), sim::milliseconds(7)}};
    CHECK(damage_of(config, &make_scheme) == 0);
    without_rule += damage_of(config, &without<&Mutants::overtake_crashed>);
  }
  CHECK(without_rule > 0);
}

/// One read that the switch answers, with the switch going down meanwhile; has its client to send
/// it again? Without a crash: how long does it take?
TEST_CASE("what is in the switch when it goes down does not come out", "[fletch][recovery]") {
  TraceFile trace("0,stat,/d0/d1/d2/d3/f\n");
  Config config = busy(trace, 1, 10);
  config.network.host_delay = sim::microseconds(50);
  FletchRun whole(config);
  whole.go();
  REQUIRE(whole["switch_hit_ratio"] == 1);
  const sim::Duration leaves =
      whole.simulation.tracker().length() - config.network.host_delay - config.network.propagation;
  for (int before = 1; before < 40; ++before) {
    INFO(50 * before << " ns before the answer is on the link");
    config.faults.crashes = {
        {Component::rmt_switch, 0, leaves - sim::nanoseconds(50 * before), sim::milliseconds(1)}};
    FletchRun run(config);
    run.go();
    CHECK(run["client/retransmissions"] > 0);
  }
  config.faults.crashes[0].at = leaves + sim::nanoseconds(50);
  FletchRun late(config);
  late.go();
  CHECK(late["client/retransmissions"] == 0);
}

}  // namespace
}  // namespace recirc::model
