#include "model/faults/link_faults.h"
#include "catch.h"
#include "fletch_under_test.h"

namespace recirc::model {
namespace {

using faults::Direction;
using faults::Fate;
using faults::FaultSettings;
using faults::LinkFaults;
using faults::LinkKind;

testing::FletchRun nocache_with(const faults::LinkFaultSettings& links) {
  Config config = testing::small_fletch();
  config.system = "nocache";
  config.faults.client_links = links;
  config.faults.server_links = links;
  config.client.retransmit = RetransmitSettings{sim::milliseconds(200), 100};
  return testing::FletchRun(config);
}

TEST_CASE("the fate of a message depends on seed, message, link and direction alone") {
  FaultSettings settings;
  settings.client_links = {0.3, 0.3, 0.3, sim::microseconds(50)};
  settings.server_links.loss = 0.3;
  const sim::CounterRng draws = sim::RngFactory{1, 0}.stream("faults");
  LinkFaults first(settings, draws);
  LinkFaults second(settings, draws);
  LinkFaults other_seed(settings, sim::RngFactory{2, 0}.stream("faults"));
  unsigned differ = 0;
  unsigned differ_by_direction = 0;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const Fate a = first.fate(LinkKind::client, Direction::to_switch, i);
    // Another order, and other questions in between.
    static_cast<void>(second.fate(LinkKind::server, Direction::to_switch, 7 * i));
    const Fate b = second.fate(LinkKind::client, Direction::to_switch, i);
    CHECK(a.lost == b.lost);
    CHECK(a.duplicated == b.duplicated);
    CHECK(a.late == b.late);
    differ += other_seed.fate(LinkKind::client, Direction::to_switch, i).lost != a.lost;
    differ_by_direction += second.fate(LinkKind::client, Direction::from_switch, i).lost != a.lost;
  }
  CHECK(differ > 300);
  CHECK(differ_by_direction > 300);
  CHECK(first.lost() == Approx(300).margin(60));
}

TEST_CASE("links lose, double and hold the shares that are configured") {
  FaultSettings settings;
  settings.server_links = {0.1, 0.2, 0.3};
  LinkFaults faults(settings, sim::RngFactory{1, 0}.stream("faults"));
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    static_cast<void>(faults.fate(LinkKind::server, Direction::to_switch, i));
    CHECK_FALSE(faults.fate(LinkKind::client, Direction::to_switch, i).lost);
  }
  CHECK(faults.lost() == Approx(1'000).epsilon(0.1));
  CHECK(faults.duplicated() == Approx(1'800).epsilon(0.1));
  CHECK(faults.held() == Approx(2'700).epsilon(0.1));
}

TEST_CASE("clients that send again complete everything over links that lose messages") {
  auto run = nocache_with({.loss = 0.1});
  run.go();
  CHECK(run["ops_completed"] == 4'000);
  CHECK(run["ops_failed"] == 0);
  // Both legs of both ways: an attempt comes through with probability 0.9^4.
  CHECK(run["client/retransmissions"] == Approx(4'000 * (1 / 0.6561 - 1)).epsilon(0.1));
  CHECK(run["time/resending_us"] > 1'000);
  CHECK(run.simulation.requests_in_use() == 0);
}

TEST_CASE("without retransmission an operation fails with the first loss") {
  auto run = nocache_with({.loss = 0.1});
  Config config = run.config;
  config.client.retransmit.reset();
  config.client.timeout = sim::milliseconds(20);
  testing::FletchRun once(config);
  once.go();
  CHECK(once["ops_failed"] == Approx(4'000 * (1 - 0.6561)).epsilon(0.1));
  CHECK(once["ops_completed"] + once["ops_failed"] == 4'000);
  CHECK(once.simulation.requests_in_use() == 0);
}

TEST_CASE("answers that come twice are counted and change nothing else") {
  auto run = nocache_with({.duplication = 0.2, .delay = sim::microseconds(40)});
  run.go();
  CHECK(run["ops_completed"] == 4'000);
  CHECK(run["client/retransmissions"] == 0);
  CHECK(run["late_answers"] == 0);
  // Each of four legs doubles a fifth of what comes.
  CHECK(run["client/repeated_answers"] == Approx(4'000 * (1.2 * 1.2 * 1.2 * 1.2 - 1)).epsilon(0.1));
  CHECK(run.simulation.requests_in_use() == 0);
}

TEST_CASE("a client that has given up ignores the late answer") {
  auto run = nocache_with({.delay = sim::milliseconds(3)});
  Config config = run.config;
  config.client.retransmit = RetransmitSettings{sim::milliseconds(4), 2};
  testing::FletchRun impatient(config);
  impatient.go();
  CHECK(impatient["ops_failed"] > 50);
  CHECK(impatient["late_answers"] > 50);
  CHECK(impatient["client/repeated_answers"] > 50);
  CHECK(impatient["ops_completed"] + impatient["ops_failed"] == 4'000);
  CHECK(impatient.simulation.requests_in_use() == 0);
}

TEST_CASE("a server that is asked again faster than it answers drops what its queue cannot hold") {
  auto run = nocache_with({.loss = 0.1});
  Config config = run.config;
  config.server.service_time = sim::milliseconds(1);
  config.server.workers = 1;
  config.client.retransmit = RetransmitSettings{sim::milliseconds(2), 1'000'000};
  config.server.receive_queue = 4;
  testing::FletchRun bounded(config);
  bounded.go();
  CHECK(bounded["server/requests_dropped"] > 0);
  CHECK(bounded["ops_completed"] == 4'000);
  CHECK(bounded.simulation.requests_in_use() == 0);
}

}  // namespace
}  // namespace recirc::model
