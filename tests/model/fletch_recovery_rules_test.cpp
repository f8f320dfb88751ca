#include "catch.h"
#include "history_check.h"
#include "logged_run.h"
#include "model/client_cache/scheme.h"
#include "recovery_rules.h"

// Rules of docs/decisions/0031-recovery.md dropped one at a time: an oracle of whole runs notices.
// Those that are not here are missed by the worlds of fletch_recovery_test.cpp and
// fletch_overlap_test.cpp.
namespace recirc::model {
namespace {

using faults::Component;
using fletch::ActiveLog;
using fletch::Mutants;
using testing::between_commit_and_answer;
using testing::busy;
using testing::check_noticed;
using testing::damage_of;
using testing::FletchRun;
using testing::TraceFile;
using testing::without;

TEST_CASE("a recovered server writes anew what it has carried out and not answered",
          "[fletch][recovery][mutant]") {
  TraceFile written("0,chmod,/d/f\n0,chmod,/d/f\n");
  const Config of_writes = between_commit_and_answer(written, 2);
  CHECK(damage_of(of_writes, &make_scheme, false) == 0);
  CHECK(damage_of(of_writes, &without<&Mutants::trust_records>, false) > 0);

  TraceFile taken_away("0,chmod,/d/f\n0,delete,/d/f\n");
  const Config of_deletes = between_commit_and_answer(taken_away, 2);
  CHECK(damage_of(of_deletes, &make_scheme, false) == 0);
  CHECK(damage_of(of_deletes, &without<&Mutants::trust_replaced>, false) > 0);
}

TEST_CASE("writes that a crash has taken out of the store do not keep a record unreadable",
          "[fletch][recovery][mutant]") {
  TraceFile trace("0,chmod,/d/f\n0,chmod,/d/f\n0,chmod,/d/f\n0,chmod,/d/f\n");
  Config config = busy(trace, 4, 20);
  config.server.service_time = sim::microseconds(200);
  config.faults.crashes = {{Component::server, 0, sim::microseconds(350), sim::milliseconds(1)}};
  CHECK(damage_of(config, &make_scheme) == 0);
  CHECK(damage_of(config, &without<&Mutants::keep_in_store>) > 0);
}

TEST_CASE("a recovered server sends the changes of others' paths anew that nobody acknowledged",
          "[fletch][recovery][mutant]") {
  std::string text = "time,op,path,dst,mode\n";
  for (int i = 0; i < 8; ++i) text += "0,chmod,/d/f" + std::to_string(i) + ",,0755\n";
  TraceFile trace(text + "0,chmod_r,/d,,0750\n");
  Config config = between_commit_and_answer(trace, 9);
  config.cluster.servers = 2;
  CHECK(damage_of(config, &make_scheme, false) == 0);
  CHECK(damage_of(config, &without<&Mutants::forget_changes>, false) > 0);
}

/// A directory is deleted; the answer waits for a lease, and goes with the crash of its server. It
/// comes again by a rename that another server carries out; then what was below is read.
/// `seen`: whether the streaming check, too, sees what the history of all paths sees.
std::size_t wrong_answers_below_what_came_again(SchemeMaker make, bool seen) {
  std::string text =
      "time_us,op,path,dst\n0,chmod,/d/f,\n1,stat,/d/f,\n400,delete,/d,\n1000,rename,/a,/d\n";
  for (int t = 1'400; t < 6'400; t += 20) text += std::to_string(t) + ",stat,/d/f,\n";
  const TraceFile trace(text + "200000,stat,/a/g,\n");
  Config config = between_commit_and_answer(trace, 400);
  config.workload.arrival = workloads::RecordedArrival{};
  config.system = "fletch_plus";
  config.client_cache.consistency = client_cache::Leases{sim::milliseconds(1)};
  config.client_cache.announce_again = sim::microseconds(200);
  config.controller.record_time = sim::milliseconds(5);
  config.network.host_delay = sim::microseconds(5);
  config.faults.crashes[0].at = sim::microseconds(900);
  config.cluster.servers = 2;
  FletchRun run(config, make);
  testing::HistoryCheck check(run.simulation);
  run.go();
  CHECK((run["stale_reads"] > 0) == seen);
  return check.complaints.size();
}

std::unique_ptr<Scheme> plus_without_doubt(const Config& config, const Topology& topology) {
  return client_cache::with_client_cache(without<&Mutants::trust_crashed>(config, topology),
                                         clients_of(config), config.client_cache);
}

TEST_CASE("others do not make readable what a crashed server may have taken away",
          "[fletch][recovery][mutant]") {
  CHECK(wrong_answers_below_what_came_again(&make_scheme, false) == 0);
  CHECK(wrong_answers_below_what_came_again(&plus_without_doubt, true) > 0);
}

TEST_CASE("an answer from before a server's crash is not taken for a new one",
          "[fletch][recovery][mutant]") {
  TraceFile trace("0,chmod,/d/f\n0,chmod,/d/f\n0,chmod,/d/f\n0,chmod,/d/f\n");
  double without_rule = 0;
  for (int held = 85; held < 115; ++held) {
    INFO("held for " << held << " hundred microseconds");
    Config config = between_commit_and_answer(trace, 4);
    config.run.seed = 4;
    config.faults.crashes[0].at = sim::microseconds(450);
    config.server.ack_timeout = sim::milliseconds(20);
    config.faults.server_links.reordering = 0.3;
    config.faults.server_links.held_for = sim::microseconds(100 * held);
    CHECK(damage_of(config, &make_scheme, false) == 0);
    without_rule += damage_of(config, &without<&Mutants::keep_numbers>, false);
  }
  CHECK(without_rule > 0);
}

TEST_CASE("a new switch and the servers agree on numbers, and nothing is answered meanwhile",
          "[fletch][recovery][mutant]") {
  std::string text;
  for (int i = 0; i < 2'000; ++i) text += "0,chmod,/d/f\n";
  TraceFile trace(text);
  Config config = busy(trace, 1, 5);
  config.client.retransmit->timeout = sim::milliseconds(20);
  config.faults.crashes = {{Component::rmt_switch, 0, sim::milliseconds(5), sim::milliseconds(1)}};
  CHECK(damage_of(config, &make_scheme) == 0);
  CHECK(damage_of(config, &without<&Mutants::ignore_numbers>) > 0);
  CHECK(damage_of(config, &without<&Mutants::answer_frozen>) > 0);
}

TEST_CASE("a switch that was lost has the active log's paths again, in its order",
          "[fletch][recovery][mutant]") {
  std::string text;
  for (int i = 0; i < 400; ++i) {
    text += "0,chmod,/d" + std::to_string(i % 3) + "/f" + std::to_string(i % 11) + "\n";
  }
  TraceFile trace(text);
  Config config = busy(trace, 2, 100);
  config.faults.crashes = {{Component::rmt_switch, 0, sim::milliseconds(5), sim::milliseconds(1)}};
  const auto paths_of = [](const ActiveLog::Implied& implied) {
    std::vector<std::uint32_t> paths;
    for (const ActiveLog::Path& path : implied.paths) paths.push_back(path.entry.path.value());
    return paths;
  };
  testing::Scratch file("order");
  for (const bool mutant : {false, true}) {
    Ground ground = ground_of(config, load_inputs(config.workload), 0);
    ground.log_file = file.path();
    Simulation simulation(config, std::move(ground), 0,
                          mutant ? &without<&Mutants::replay_backwards> : &make_scheme);
    RunControl control;
    simulation.run(control);
    std::vector<ActiveLog::Record> records;
    std::vector<std::uint32_t> before;
    for (const auto& record : fletch::read_log(file.path()).records) {
      if (record.what.event == ActiveLog::Event::switch_empty) {
        before = paths_of(ActiveLog::implied_by(records));
      }
      records.push_back(record.what);
    }
    const ActiveLog::Implied after = ActiveLog::implied_by(records);
    CHECK(before.size() > 20);
    CHECK(after.paths.size() == before.size());
    CHECK(testing::found_in_switch(simulation, after) == before.size());
    CHECK((paths_of(after) == before) == !mutant);
  }
}

TEST_CASE("a recovered server asks what became of an admission that was at hand",
          "[fletch][recovery][mutant]") {
  std::string text = "0,delete,/d/g\n";
  for (int i = 0; i < 30; ++i) text += "0,stat,/d/g\n";  // too often for a path that is not there
  TraceFile trace(text + "0,chmod,/d/g\n");
  Config config = busy(trace, 1, 20);
  config.network.host_delay = sim::microseconds(100);
  config.cache.threshold = 2;
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.controller.sweep.policy = fletch::SweepPolicy::on;
  config.controller.sweep.interval = sim::milliseconds(1);
  config.controller.sweep.timeout = sim::milliseconds(10);
  config.faults.crashes = {{Component::server, 0, {}, sim::milliseconds(1)}};
  double without_rule = 0;
  for (int at = 20; at < 80; ++at) {
    INFO("after " << at << " tenths of a millisecond");
    config.faults.crashes[0].at = sim::microseconds(100 * at);
    CHECK(damage_of(config, &make_scheme) == 0);
    without_rule += damage_of(config, &without<&Mutants::leave_blocked>);
  }
  CHECK(without_rule > 0);
}

TEST_CASE("a recovered controller takes out what its log leaves in doubt",
          "[fletch][recovery][mutant]") {
  check_noticed({Component::controller, sim::microseconds(200)},
                &without<&Mutants::skip_reconciling>);
}

TEST_CASE("the log says that an eviction begins before it does", "[fletch][recovery][mutant]") {
  check_noticed({Component::controller, sim::microseconds(50)}, &without<&Mutants::skip_evicting>);
}

TEST_CASE("servers ask a recovered controller again for what it has forgotten",
          "[fletch][recovery][mutant]") {
  check_noticed({Component::controller, sim::microseconds(200)}, &without<&Mutants::keep_wishes>);
}

TEST_CASE("a recovering server hears that a path is being admitted", "[fletch][recovery][mutant]") {
  check_noticed({Component::server, sim::milliseconds(15)}, &without<&Mutants::hide_admission>);
}

TEST_CASE("a server does not take what was told for an earlier recovery",
          "[fletch][recovery][mutant]") {
  check_noticed({Component::server, sim::milliseconds(4)}, &without<&Mutants::mix_recoveries>);
}

TEST_CASE("a recovering server writes no record anew before it has its numbers",
          "[fletch][recovery][mutant]") {
  check_noticed({Component::server, sim::microseconds(200), 0.2},
                &without<&Mutants::refresh_early>);
}

}  // namespace
}  // namespace recirc::model
