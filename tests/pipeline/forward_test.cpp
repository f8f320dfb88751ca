#include "pipeline/programs/forward/forward.h"
#include "catch.h"
#include "pipeline/programs/addresses.h"
#include "program_under_test.h"

namespace recirc::pipeline {
namespace {

using programs::Addresses;
using testing::ProgramUnderTest;

struct Fixture {
  ProgramUnderTest::Ports ports;
  programs::Forward forward;
  ProgramUnderTest test{forward, ProgramUnderTest::two_pipes(ports)};

  Fixture() { forward.add_route(test.rmt, ProtocolTag{0}, 7, ports.front[1][0]); }
};

TEST_CASE("A forwarded packet leaves by its route's port after one unloaded pass", "[forward]") {
  Fixture f;
  f.test.send(f.ports.front[0][0], Addresses{1, 7}, sim::Bytes{336});
  f.test.run();
  REQUIRE(f.test.sent.size() == 1);
  CHECK(f.test.sent[0].port == f.ports.front[1][0]);
  const sim::Duration wire = sim::picoseconds((336 + 24) * 80);
  CHECK(f.test.sent[0].last_bit.time_since_epoch() == f.test.rmt.timing().pass() + wire);
  CHECK(f.test.scheduler.events() == 2);
  CHECK(f.test.rmt.counters().recirculated_frames == 0);
}

TEST_CASE("An unknown destination is dropped and the sender's side hears of it", "[forward]") {
  Fixture f;
  f.test.send(f.ports.front[0][0], Addresses{1, 8});
  f.test.run();
  CHECK(f.test.sent.empty());
  REQUIRE(f.test.drops.size() == 1);
  CHECK(f.test.drops[0].reason == DropReason::program);
  CHECK(f.test.rmt.packets_in_use() == 0);
}

TEST_CASE("An unloaded pass takes 0.4 to 0.7 microseconds on Tofino 1", "[chip]") {
  const ChipTiming timing{ChipSpec{}};
  CHECK(timing.pass() > sim::nanoseconds(400));
  CHECK(timing.pass() < sim::nanoseconds(700));
  CHECK(timing.gress() == timing.cycles(25 + 12 * 24 + 4 + 15));
  CHECK(timing.clock() == sim::picoseconds(820));
}

TEST_CASE("Two packets at one instant leave a pipe's ingress one clock apart", "[switch]") {
  Fixture f;
  f.forward.add_route(f.test.rmt, ProtocolTag{0}, 8, f.ports.front[1][1]);
  f.test.send(f.ports.front[0][0], Addresses{1, 7});
  f.test.send(f.ports.front[0][1], Addresses{1, 8});
  f.test.run();
  REQUIRE(f.test.sent.size() == 2);
  CHECK(f.test.sent[1].last_bit - f.test.sent[0].last_bit == f.test.rmt.timing().clock());
  CHECK(f.test.sent[1].packet.queued == f.test.rmt.timing().clock());
}

TEST_CASE("A port sends one frame after the other and drops beyond its queue", "[switch]") {
  Fixture f;
  ProgramUnderTest::Ports ports;
  SwitchSpec spec = ProgramUnderTest::two_pipes(ports);
  for (PortSpec& port : spec.ports) port.queue = sim::Bytes{1000};
  ProgramUnderTest test{f.forward, spec};
  f.forward.add_route(test.rmt, ProtocolTag{0}, 7, ports.front[1][0]);
  for (int i = 0; i < 20; ++i) test.send(ports.front[0][0], Addresses{1, 7}, sim::Bytes{476});
  test.run();
  // 500 bytes a frame with its overhead: one on the wire and what fits into 1000 bytes behind it.
  CHECK(test.sent.size() == 3);
  CHECK(test.drops.size() == 17);
  CHECK(test.drops[0].reason == DropReason::queue_full);
  CHECK(test.rmt.port(ports.front[1][0]).counters().drops == 17);
  CHECK(test.sent[2].last_bit - test.sent[0].last_bit == sim::picoseconds(2 * 500 * 80));
  CHECK(test.rmt.port(ports.front[1][0]).peak() <= sim::Bytes{1000});
}

}  // namespace
}  // namespace recirc::pipeline
