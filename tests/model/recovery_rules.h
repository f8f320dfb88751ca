#pragma once

#include <array>
#include <exception>

#include "fletch_worlds.h"
#include "history_check.h"

// What the tests of the rules of recoveries share: schemes without a rule, and small worlds that
// crash at the wrong moment.
namespace recirc::model::testing {

using faults::Component;
using fletch::Mutants;

template <bool Mutants::*rule>
std::unique_ptr<Scheme> without(const Config& config, const Topology& topology) {
  Mutants mutants;
  mutants.*rule = true;
  const auto protection = fletch::protection_of(config.cache, config.controller, true,
                                                config.server.workers, config.server.ack_timeout);
  return fletch::make_fletch(config.cache, config.controller, config.network, topology, mutants,
                             protection);
}

/// What went wrong, in whichever way.
inline double damage_of(const Config& config, SchemeMaker make, bool failures_count = true) {
  FletchRun run(config, make);
  testing::HistoryCheck check(run.simulation);
  try {
    run.go();
  } catch (const std::exception&) {
    return 1;
  }
  auto sum = static_cast<double>(check.complaints.size());
  for (const char* name :
       {"stale_reads", "locks_leaked", "cache/unreadable_records", "cache/writes_left_waiting",
        "controller/stuck", "cache/outdated_records", "cache/misplaced_records"}) {
    sum += run[name];
  }
  return failures_count ? sum + run["ops_failed"] : sum;
}

/// Clients that ask as soon as they are answered, and one server without a sweep behind it.
inline Config busy(const TraceFile& trace, std::uint32_t clients, int tries) {
  Config config = trace.config();
  config.cluster.servers = 1;
  config.cluster.clients = clients;
  config.client.retransmit = RetransmitSettings{sim::milliseconds(8), 200};
  config.client.retransmit->tries = static_cast<std::uint32_t>(tries);
  config.server.service_time = sim::microseconds(5);
  config.server.ack_timeout = sim::milliseconds(1);
  config.controller.message_timeout = sim::milliseconds(2);
  config.controller.sweep.policy = fletch::SweepPolicy::off;
  return config;
}

/// A server crashes when it has carried out writes of one path and the switch has acknowledged
/// none: the answer to the first is on a link, the others wait. Their clients do not ask again.
inline Config between_commit_and_answer(const TraceFile& trace, std::uint32_t clients) {
  Config config = busy(trace, clients, 1);
  config.client.retransmit->timeout = sim::milliseconds(60);
  config.network.host_delay = sim::microseconds(100);
  config.faults.crashes = {{Component::server, 0, sim::microseconds(350), sim::milliseconds(1)}};
  return config;
}

/// Six files, written and taken away often, in a cache that turns over quickly.
inline std::string few_files(sim::CounterRng& rng) {
  const auto below = [&rng](std::uint64_t n) { return rng.next() % n; };
  static constexpr std::array kinds = {"chmod", "chmod", "chmod", "delete", "create"};
  std::string text;
  for (unsigned i = 0; i < 600; ++i) {
    const char* kind = kinds[below(kinds.size())];
    text += std::string("0,") + (below(2) == 0 ? "stat" : kind);
    text += ",/d/f" + std::to_string(below(6)) + "\n";
  }
  return text;
}

/// What crashes four times, most of them while a path is being admitted or evicted.
struct Turns {
  Component component;
  sim::Duration path_time;
  double late = 0;  ///< share of the servers' messages that are held for longer than a crash
};

inline Config quick_turns(const TraceFile& trace, const Turns& turns, sim::CounterRng& rng) {
  const auto below = [&rng](std::uint64_t n) { return static_cast<int>(rng.next() % n); };
  Config config = busy(trace, 8, 10);
  config.cache.files = 4;
  config.cache.threshold = 2;
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.reset_interval = sim::milliseconds(2);
  config.controller.grace = sim::microseconds(50);
  config.controller.path_time = turns.path_time;
  config.controller.sweep.policy = fletch::SweepPolicy::on;
  config.controller.sweep.interval = sim::milliseconds(1);
  config.controller.sweep.timeout = sim::milliseconds(4);
  config.faults.server_links.reordering = turns.late;
  config.faults.server_links.held_for = sim::milliseconds(3);
  for (int i = 0; i < 4; ++i) {
    const sim::Duration at = sim::milliseconds(1 + 4 * i) + sim::microseconds(below(2'000));
    config.faults.crashes.push_back({turns.component, 0, at, sim::milliseconds(1)});
  }
  return config;
}

inline void check_noticed(const Turns& turns, SchemeMaker mutant) {
  double without_rule = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("turns");
    TraceFile trace(few_files(rng));
    const Config config = quick_turns(trace, turns, rng);
    CHECK(damage_of(config, &make_scheme, false) == 0);
    without_rule += damage_of(config, mutant, false);
  }
  CHECK(without_rule > 0);
}

}  // namespace recirc::model::testing
