#include "catch.h"
#include "fletch_worlds.h"
#include "logged_run.h"
#include "sim/error.h"

// The controller's log in a file: docs/decisions/0031-recovery.md.
namespace recirc::model {
namespace {

namespace fs = std::filesystem;
using faults::Component;
using fletch::ActiveLog;
using fletch::LogFile;
using testing::found_in_switch;
using testing::LoggedRun;
using testing::Scratch;
using testing::TraceFile;

Config crashing(const TraceFile& trace, sim::CounterRng& rng) {
  Config config = testing::any_world(trace, rng);
  config.controller.admission = fletch::AdmissionPolicy::on;
  config.client.retransmit = RetransmitSettings{sim::milliseconds(8), 100'000};
  config.server.ack_timeout = sim::milliseconds(1);
  config.controller.message_timeout = sim::milliseconds(2);
  config.controller.sweep.interval = sim::milliseconds(5);
  config.controller.sweep.timeout = sim::milliseconds(30);
  sim::Duration at = sim::milliseconds(2);
  for (const auto component : {Component::controller, Component::rmt_switch, Component::server}) {
    config.faults.crashes.push_back({component, 0, at, sim::milliseconds(1)});
    at += sim::milliseconds(301);
  }
  return config;
}

TEST_CASE("a log in a file implies what is in the switch, and changes no result",
          "[fletch][persist]") {
  Scratch file("worlds");
  double history = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::RngFactory{seed, 0}.stream("persist");
    TraceFile trace(testing::any_operations(rng, 600));
    const Config config = crashing(trace, rng);
    LoggedRun without(config, "");
    LoggedRun with(config, file.path());
    auto figures = with.go();
    CHECK(figures == without.go());
    const fletch::SavedLog log = fletch::read_log(file.path());
    CHECK(log.state == "finished");
    const ActiveLog::Implied implied = log.implied();
    CHECK_FALSE(implied.replays);
    CHECK(static_cast<double>(implied.paths.size()) == figures["cache/entries"]);
    CHECK(found_in_switch(with.simulation, implied) == implied.paths.size());
    CHECK(static_cast<double>(log.paths.size()) >= figures["cache/entries"]);
    for (const auto& record : log.records) history += record.counts ? 0 : 1;
  }
  CHECK(history > 0);  // a switch's recovery begins the log anew
}

ActiveLog::Record record_of(std::uint32_t path) {
  ActiveLog::Record record;
  record.event = ActiveLog::Event::admitted;
  record.entry.path = workloads::PathId{path};
  record.entry.key = ~std::uint64_t{0} - path;
  record.entry.location = {9'999, 65'535, 0xf800};
  record.version = path;
  return record;
}

/// What stands beside a file of its own.
struct Desk {
  TraceFile trace{"0,stat,/a/b\n0,stat,/c\n"};
  Config config = trace.config();
  Ground ground = ground_of(config, load_inputs(config.workload), 0);
  sim::Scheduler scheduler;
};

TEST_CASE("of a run that was killed, what was committed can be read", "[fletch][persist]") {
  Scratch file("killed");
  Scratch copy("copy");
  Desk desk;
  LogFile log({file.path(), "fletch", 7, 3}, *desk.ground.workload.tree, desk.scheduler);
  log.assigned(workloads::PathId{1}, 77, 1);
  log.append(record_of(1));
  log.append(record_of(2));
  log.commit();
  log.append(record_of(3));
  // What the process has handed to the system when it is killed.
  fs::copy_file(file.path(), copy.path());
  fs::copy_file(file.path() + "-wal", copy.path() + "-wal");
  const fletch::SavedLog read = fletch::read_log(copy.path());
  CHECK(read.state == "running");
  CHECK(read.system == "fletch");
  CHECK(read.seed == 7);
  CHECK(read.replication == 3);
  REQUIRE(read.records.size() == 2);
  CHECK(read.records[0].what == record_of(1));
  CHECK(read.records[1].what == record_of(2));
  REQUIRE(read.paths.size() == 1);
  CHECK(read.paths[0].token.key == 77);
  CHECK(read.name_of(workloads::PathId{1}) ==
        desk.ground.workload.tree->path(workloads::PathId{1}));
}

TEST_CASE("a file that says something else than was written is noticed", "[fletch][persist]") {
  Scratch file("changed");
  Desk desk;
  LogFile there({file.path(), "fletch", 1, 0}, *desk.ground.workload.tree, desk.scheduler);
  ActiveLog log(false);
  log.persist_in(there);
  log.write(ActiveLog::Event::admitted, record_of(1).entry, 1);
  CHECK(log.read().paths.size() == 1);
  there.append(record_of(2));
  CHECK_THROWS_AS(log.read(), sim::InvariantBroken);

  fletch::TokenMap tokens;
  tokens.tell(&there);
  tokens.assign(workloads::PathId{1}, 100);
  tokens.assign(workloads::PathId{2}, 100);
  log.read_tokens(tokens);
  CHECK(tokens.of(workloads::PathId{2}) == 2);
  CHECK(tokens.collisions() == 1);
  there.assigned(workloads::PathId{3}, 100, 3);
  CHECK_THROWS_AS(log.read_tokens(tokens), sim::InvariantBroken);
}

std::string why_not(const std::string& file) {
  try {
    LogFile::check_place(file);
  } catch (const sim::InputOutputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a log replaces a log, but nothing else and none that is being written",
          "[fletch][persist]") {
  Scratch file("place");
  Desk desk;
  const LogPlace place{file.path(), "fletch", 1, 0};
  {
    LogFile log(place, *desk.ground.workload.tree, desk.scheduler);
    log.append(record_of(1));
    CHECK(why_not(file.path()).find("another run is writing it") != std::string::npos);
  }
  CHECK(fletch::read_log(file.path()).state == "interrupted");
  CHECK(fletch::read_log(file.path()).records.size() == 1);
  LogFile(place, *desk.ground.workload.tree, desk.scheduler).finish();
  CHECK(fletch::read_log(file.path()).records.empty());
  CHECK_FALSE(fs::exists(file.path() + "-wal"));

  std::ofstream(file.path()) << "somebody's notes, long enough to be no header of a database\n";
  CHECK_THROWS_AS(LogFile::check_place(file.path()), sim::InputOutputError);
  CHECK_THROWS_AS(fletch::read_log(file.path()), sim::InputOutputError);
  fs::remove(file.path());
  Database(file.path(), Database::Mode::create).execute("CREATE TABLE other (a)");
  CHECK(why_not(file.path()).find("left as it is") != std::string::npos);
}

TEST_CASE("a switch that is lost again has what was back and what still had to come",
          "[fletch][recovery]") {
  using Event = ActiveLog::Event;
  ActiveLog log(true);
  const auto entry = [](std::uint32_t path) { return record_of(path).entry; };
  for (const std::uint32_t path : {0U, 1U, 2U, 3U, 4U}) log.write(Event::admitted, entry(path));
  log.write(Event::admitting, entry(9));  // is given up
  log.write(Event::switch_empty);
  log.write(Event::numbers_agreed);
  for (const std::uint32_t path : {0U, 1U}) {
    log.write(Event::admitting, entry(path));
    log.write(Event::admitted, entry(path));
  }
  log.write(Event::admitting, entry(2));
  log.write(Event::released, entry(2));  // is gone
  log.write(Event::admitting, entry(3));
  log.write(Event::evicting, entry(3));
  log.write(Event::released, entry(3));  // the controller's recovery: still to be replayed
  const auto text = [](const std::vector<ActiveLog::Path>& paths) {
    std::string all;
    for (const ActiveLog::Path& path : paths) {
      all += std::to_string(path.entry.path.value()) + (path.in_doubt ? "? " : " ");
    }
    return all;
  };
  ActiveLog::Implied implied = log.read();
  CHECK(implied.replays);
  CHECK(implied.numbers_agreed);
  CHECK(text(implied.paths) == "0 1 ");
  CHECK(text(implied.to_replay) == "3 4 ");
  log.write(Event::admitting, entry(3));
  log.write(Event::switch_empty);
  implied = log.read();
  CHECK_FALSE(implied.numbers_agreed);
  CHECK(text(implied.paths).empty());
  CHECK(text(implied.to_replay) == "0 1 3 4 ");
  for (const std::uint32_t path : {0U, 1U, 3U, 4U}) log.write(Event::admitted, entry(path), 2);
  log.write(Event::replayed);
  CHECK(log.records().size() == 5);
  CHECK(text(log.read().paths) == "0 1 3 4 ");
  CHECK_FALSE(log.read().replays);
}

}  // namespace
}  // namespace recirc::model
