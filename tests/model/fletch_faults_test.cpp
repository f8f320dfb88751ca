#include "catch.h"
#include "fletch_worlds.h"
#include "history_check.h"
#include "several_pipes.h"

// Fletch over links that lose, double, hold and delay messages.
namespace recirc::model {
namespace {

using testing::any_operations;
using testing::any_world;
using testing::FletchRun;
using testing::TraceFile;

/// Time-outs that fit runs of some milliseconds.
void hasten(Config& config) {
  config.client.retransmit = RetransmitSettings{sim::milliseconds(8), 100'000};
  config.server.ack_timeout = sim::milliseconds(1);
  config.controller.message_timeout = sim::milliseconds(2);
  config.controller.sweep.interval = sim::milliseconds(5);
  config.controller.sweep.timeout = sim::milliseconds(30);
}

Config any_faulty_world(const TraceFile& trace, sim::CounterRng& rng) {
  Config config = any_world(trace, rng);
  hasten(config);
  const auto share = [&rng](double most) { return most * rng.next_unit(); };
  for (faults::LinkFaultSettings* links :
       {&config.faults.client_links, &config.faults.server_links, &config.faults.controller_link}) {
    *links = {share(0.1), share(0.2), share(0.2), sim::microseconds(rng.next() % 40)};
    links->held_for = sim::microseconds(10 + rng.next() % 3'000);
  }
  config.cache.sequence =
      rng.next() % 3 == 0 ? fletch::Sequence::per_server : fletch::Sequence::when_needed;
  config.cache.sequence_compare =
      rng.next() % 2 == 0 ? fletch::SequenceCompare::equality : fletch::SequenceCompare::strict;
  return config;
}

TEST_CASE("whatever links do, reads are fresh and the sweep brings counters and flags back",
          "[fletch][swarm][faults]") {
  constexpr std::array must_happen = {
      "faults/messages_lost",           "faults/messages_duplicated", "client/retransmissions",
      "client/repeated_answers",        "server/repeated_writes",     "cache/answers_sent_again",
      "cache/answers_repeated",         "controller/counters_reset",  "controller/refreshes",
      "controller/messages_sent_again", "controller/admissions",      "outcomes/invalid/count"};
  const unsigned pipes = GENERATE(1U, 2U, 4U);
  std::map<std::string, double> seen;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    INFO("seed " << seed << ", servers on " << pipes << " pipes");
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("fault swarm");
    TraceFile trace(any_operations(rng, 800));
    Config config = any_faulty_world(trace, rng);
    testing::spread_over_pipes(config, pipes);
    FletchRun run(config);
    testing::HistoryCheck check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    testing::check_in_order(run.figures);
    CHECK(run["cache/outdated_records"] == 0);
    CHECK(run["ops_failed"] == 0);
    CHECK(run["ops_completed"] == 800);
    CHECK(run["server/applied_again"] == 0);
    CHECK(run.simulation.requests_in_use() == 0);
    for (const char* name : must_happen) seen[name] += run[name];
  }
  for (const char* name : must_happen) {
    INFO(name);
    CHECK(seen[name] > 5);
  }
}

/// Sums of figures over some worlds, one rule switched off.
template <class Change>
std::map<std::string, double> sums_without(Change change) {
  std::map<std::string, double> sums;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("fault swarm");
    TraceFile trace(any_operations(rng, 800));
    Config config = any_faulty_world(trace, rng);
    change(config);
    FletchRun run(config);
    testing::HistoryCheck check(run.simulation);
    run.go();
    for (const auto& [name, value] : run.figures) sums[name] += value;
    sums["complaints"] += static_cast<double>(check.complaints.size());
  }
  return sums;
}

TEST_CASE("without the servers' memory a write is applied twice, over later ones",
          "[fletch][faults]") {
  auto sums = sums_without([](Config& c) { c.server.dedupe = Dedupe::off; });
  CHECK(sums["server/applied_again"] > 50);
  CHECK(sums["server/writes_undone"] > 10);
  CHECK(sums["server/refused_again"] > 10);
  CHECK(sums["server/repeated_writes"] == 0);
}

/// Two clients change and read one cached path; answers come twice, some late.
Config late_answers(const TraceFile& trace, fletch::Sequence sequence) {
  Config config = trace.config();
  config.cluster.clients = 2;
  hasten(config);
  config.server.service_time = sim::microseconds(5);
  config.faults.server_links.duplication = 0.5;
  config.faults.server_links.held_for = sim::microseconds(400);
  config.cache.sequence = sequence;
  return config;
}

TEST_CASE("without sequence numbers a late answer brings an old record back", "[fletch][faults]") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += i % 3 == 0 ? "0,chmod,/d/f\n" : "0,stat,/d/f\n";
  TraceFile trace(text);
  for (const auto sequence : {fletch::Sequence::per_worker, fletch::Sequence::off}) {
    FletchRun run(late_answers(trace, sequence));
    testing::HistoryCheck check(run.simulation);
    run.go();
    const bool numbered = sequence != fletch::Sequence::off;
    CHECK(check.complaints.empty() == numbered);
    CHECK((run["stale_reads"] == 0) == numbered);
  }
}

/// Six files take turns in a cache of two; a lost answer is sent again after a file may have left
/// the cache and come back.
Config quick_turns(const TraceFile& trace, sim::CounterRng& rng) {
  Config config = trace.config();
  hasten(config);
  config.cluster.servers = 1 + static_cast<std::uint32_t>(rng.next() % 3);
  config.cluster.clients = 8;
  config.server.service_time = sim::microseconds(5 + static_cast<int>(rng.next() % 20));
  config.server.ack_timeout = sim::milliseconds(30);
  config.cache.files = 2;
  config.cache.rows = 1;
  config.cache.threshold = 2;
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.reset_interval = sim::milliseconds(2);
  config.controller.path_time = sim::microseconds(1);
  config.controller.grace = sim::microseconds(50);
  config.controller.sweep.timeout = sim::milliseconds(60);
  config.rmt_switch.max_recirculations = 1'000'000;
  return config;
}

TEST_CASE("an answer that outlasts its path's stay in the cache does not bring an old record back",
          "[fletch][faults]") {
  const bool late = GENERATE(false, true);
  double admissions = 0;
  double sent_again = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    INFO("seed " << seed << (late ? ", late answers" : ", lost answers"));
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("quick turns");
    std::string text;
    for (unsigned i = 0; i < 1'500; ++i) {
      text += rng.next() % 4 == 0 ? "0,chmod,/d/f" : "0,stat,/d/f";
      text += std::to_string(rng.next() % 6) + "\n";
    }
    TraceFile trace(text);
    Config config = quick_turns(trace, rng);
    config.faults.server_links.loss = late ? 0 : 0.1;
    config.faults.server_links.reordering = late ? 0.1 : 0;
    config.faults.server_links.held_for = sim::milliseconds(8);
    FletchRun run(config);
    testing::HistoryCheck check(run.simulation);
    run.go();
    CHECK(check.complaints == std::vector<std::string>{});
    CHECK(run["stale_reads"] == 0);
    CHECK(run["ops_completed"] == 1'500);
    CHECK(run["cache/writes_left_waiting"] == 0);
    CHECK(run["controller/stuck"] == 0);
    admissions += run["controller/admissions"];
    sent_again += run["cache/answers_sent_again"];
  }
  CHECK(admissions > 300);
  CHECK((sent_again > 100) != late);
}

TEST_CASE("where hardly a message comes through, the controller does not ask without end",
          "[fletch][faults]") {
  Config config = testing::small_fletch();
  hasten(config);
  config.workload.requests = 300;
  config.faults.server_links.loss = 0.9;
  config.cache.files = 10;
  config.controller.message_timeout = sim::milliseconds(50);
  config.controller.sweep.timeout = sim::milliseconds(5);
  config.client.retransmit->tries = 50;
  FletchRun run(config);
  run.go();
  CHECK(run["ops_completed"] + run["ops_failed"] == 300);
  CHECK(run["controller/refreshes"] < 300);  // else 654, and 923,349 messages
  CHECK(run["controller/messages_sent_again"] < 200'000);
}

TEST_CASE("without the sweep counters stay raised", "[fletch][faults]") {
  auto sums = sums_without([](Config& c) {
    c.controller.sweep.policy = fletch::SweepPolicy::off;
    c.client.retransmit->tries = 5;
    c.rmt_switch.max_recirculations = 1'000;
  });
  CHECK(sums["locks_leaked"] > 0);
  CHECK(sums["cache/unreadable_records"] > 0);
  CHECK(sums["complaints"] == 0);
}

TEST_CASE("a create, a delete and a rename that come again apply once", "[fletch][faults]") {
  for (const char* system : {"fletch", "nocache"}) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      const std::string f = "/d/f" + std::to_string(i);
      text += "0,create," + f + "\n0,rename," + f + ",/d/g\n0,delete,/d/g\n";
    }
    TraceFile trace(text);
    Config config = trace.config();
    config.system = system;
    config.cluster.clients = 1;
    hasten(config);
    config.faults.client_links = {.loss = 0.2, .duplication = 0.3, .reordering = 0.3};
    config.faults.client_links.held_for = sim::milliseconds(3);
    FletchRun run(config);
    run.go();
    CHECK(run["ops_completed"] == 120);
    CHECK(run["outcomes/error/count"] == 0);  // each finds what the one before has left
    CHECK(run["server/repeated_writes"] > 40);
    CHECK(run["server/old_writes"] > 0);
    config.server.dedupe = Dedupe::off;
    FletchRun published(config);
    published.go();
    CHECK(published["outcomes/error/count"] > 0);
    CHECK(published["server/applied_again"] > 0);
  }
}

TEST_CASE("without faults numbered answers change no result but the worker's time",
          "[fletch][faults]") {
  Config config = testing::small_fletch();
  config.cache.sequence = fletch::Sequence::per_worker;
  FletchRun run(config);
  run.go();
  CHECK(run["cache/answers_sent_again"] == 0);
  CHECK(run["cache/answers_repeated"] == 0);
  CHECK(run["client/retransmissions"] == 0);
  CHECK(run["locks_leaked"] == 0);
  CHECK(run.simulation.requests_in_use() == 0);
}

}  // namespace
}  // namespace recirc::model
