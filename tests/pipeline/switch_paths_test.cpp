#include "catch.h"
#include "improvised_program.h"
#include "program_under_test.h"
#include "sim/error.h"

namespace recirc::pipeline {
namespace {

using testing::ImprovisedProgram;
using testing::ProgramUnderTest;

/// A header that counts what happens to it.
struct Note {
  std::uint32_t value = 0;
};

/// Two pipes, sessions to front ports (0: the 100-byte controller's), a group of three.
struct World {
  ProgramUnderTest::Ports ports;
  SwitchSpec spec = ProgramUnderTest::two_pipes(ports);
  ImprovisedProgram program;
  ProgramUnderTest test;

  explicit World(
      ImprovisedProgram::Part ingress, ImprovisedProgram::Part egress = [](PassContext&) {},
      CrossPipe cross = CrossPipe::cable, std::uint32_t limit = 4096)
      : program(layout(), std::move(ingress), std::move(egress)),
        test(program, finished(spec, ports, cross, limit)) {}

  static Layout layout() {
    Layout layout;
    layout.program = "test";
    layout.ingress_mirror = true;
    return layout;
  }
  static SwitchSpec finished(SwitchSpec& spec, const ProgramUnderTest::Ports& ports,
                             CrossPipe cross, std::uint32_t limit) {
    spec.cross_pipe = cross;
    spec.max_recirculations = limit;
    spec.add_session(ports.front[1][1]);
    spec.add_group({ports.front[0][0], ports.front[1][0], ports.front[0][1]});
    return spec;
  }
  const Note& run(sim::Bytes length = sim::Bytes{100}) {
    test.send(ports.front[0][0], Note{1}, length);
    test.run();
    last = test.sent.empty() ? Note{} : test.sent.back().header<Note>();
    return last;
  }
  Note last;
};

const PortId out{0};  // of two_pipes: the first front port of pipe 0

TEST_CASE("A recirculated packet passes egress, the loop port and ingress again", "[switch]") {
  World w(
      [](PassContext& pass) {
        if (pass.packet().passes <= 3) return pass.recirculate(pass.loop_port());
        pass.forward(out);
      },
      [](PassContext& pass) { ++pass.header<Note>().value; });
  CHECK(w.run().value == 5);  // three loops and the way out
  REQUIRE(w.test.sent.size() == 1);
  const auto& sent = w.test.sent[0];
  CHECK(sent.packet.recirculations == 3);
  CHECK(sent.packet.passes == 4);
  CHECK(w.test.scheduler.events() == 8);
  const sim::Duration wire = sim::picoseconds(124 * 80);
  const sim::Duration pass = w.test.rmt.timing().pass() + wire;
  CHECK(sent.last_bit.time_since_epoch() == pass * 4);
  // From a verdict to loop until the next verdict, three times.
  CHECK(sent.packet.recirculating == pass * 3);
  CHECK(sent.packet.queued == sim::Duration{0});
  CHECK(w.test.rmt.counters().recirculated_frames == 3);
  CHECK(w.test.rmt.port(w.ports.loop[0]).counters().frames == 3);
}

TEST_CASE("A loop with the egress bypassed runs no egress and takes one event", "[switch]") {
  World w(
      [](PassContext& pass) {
        if (pass.packet().passes == 1) return pass.recirculate(pass.loop_port(), true);
        pass.forward(out);
      },
      [](PassContext& pass) { ++pass.header<Note>().value; });
  CHECK(w.run().value == 2);
  CHECK(w.test.scheduler.events() == 3);
  CHECK(w.test.sent[0].packet.recirculations == 1);
  CHECK(w.test.sent[0].packet.waiting > sim::Duration{0});
  CHECK(w.test.sent[0].packet.recirculating == sim::Duration{0});
}

TEST_CASE("Metadata reaches egress and is gone in the next pass", "[switch]") {
  World w(
      [](PassContext& pass) {
        if (pass.metadata<Note>().value != 0) return pass.drop();
        pass.metadata<Note>().value = pass.packet().passes;
        if (pass.packet().passes == 1) return pass.recirculate(pass.loop_port());
        pass.forward(out);
      },
      [](PassContext& pass) { pass.header<Note>().value = 10 * pass.metadata<Note>().value; });
  CHECK(w.run().value == 20);
}

TEST_CASE("A packet that loops without end is dropped at the limit and counted", "[switch]") {
  World w([](PassContext& pass) { pass.recirculate(pass.loop_port()); }, [](PassContext&) {},
          CrossPipe::cable, 7);
  w.run();
  REQUIRE(w.test.drops.size() == 1);
  CHECK(w.test.drops[0].reason == DropReason::recirculation_limit);
  CHECK(w.test.drops[0].packet.recirculations == 7);
  CHECK(w.test.rmt.counters().drops[2] == 1);
  CHECK(w.test.rmt.packets_in_use() == 0);
}

const auto cross_once = [](PassContext& pass) {
  pass.header<Note>().value = 100 + pass.pipe().value();
  if (pass.packet().passes == 1) return pass.cross_to(PipeId{1});
  pass.forward(out);
};

TEST_CASE("A cable takes a packet into the other pipe and counts as a recirculation", "[switch]") {
  World w(cross_once);
  CHECK(w.run().value == 101);
  CHECK(w.test.sent[0].packet.recirculations == 1);
  CHECK(w.test.rmt.counters().cable_frames == 1);
  CHECK(w.test.rmt.counters().recirculated_frames == 0);
}

TEST_CASE("Handed over natively, a packet is on no wire and counts nothing", "[switch]") {
  World w(
      cross_once, [](PassContext&) {}, CrossPipe::native);
  CHECK(w.run().value == 101);
  CHECK(w.test.sent[0].packet.recirculations == 0);
  CHECK(w.test.rmt.counters().cable_frames == 0);
  CHECK(w.test.rmt.counters().native_crossings == 1);
  CHECK(w.test.scheduler.events() == 3);
}

TEST_CASE("Two pipes that hand a packet to and fro are stopped, too", "[switch]") {
  World w(
      [](PassContext& pass) {
        pass.cross_to(PipeId{static_cast<std::uint8_t>(1 - pass.pipe().value())});
      },
      [](PassContext&) {}, CrossPipe::native, 10);
  w.run();
  CHECK(w.test.rmt.counters().drops[2] == 1);
}

TEST_CASE("Without a way between the pipes, crossing is refused", "[switch]") {
  World w(
      cross_once, [](PassContext&) {}, CrossPipe::none);
  CHECK_THROWS_AS(w.run(), sim::ConstraintViolation);
}

TEST_CASE("A multicast gives every member a copy and tells who holds the payload", "[switch]") {
  World w([](PassContext& pass) { pass.multicast(GroupId{0}); });
  w.run();
  REQUIRE(w.test.sent.size() == 3);
  CHECK(w.test.extra_holders[0] == 2);
  CHECK(w.test.sent[0].packet.id != w.test.sent[1].packet.id);
  for (const auto& sent : w.test.sent) {
    CHECK(sent.packet.payload == Payload{0});
    CHECK(sent.packet.original == 0);
  }
  CHECK(w.test.rmt.counters().multicast_copies == 2);
}

TEST_CASE("An egress mirror is of the packet as that egress leaves it", "[switch]") {
  World w([](PassContext& pass) { pass.forward(out); },
          [](PassContext& pass) {
            if (pass.is_mirrored()) return;
            pass.mirror(SessionId{0}, {60, PayloadRule::keep});
            pass.header<Note>().value = 2;
          });
  w.run();
  REQUIRE(w.test.sent.size() == 2);
  const auto& original = w.test.sent[0];
  const auto& copy = w.test.sent[1];
  CHECK(original.port == out);
  CHECK(copy.port == w.ports.front[1][1]);
  CHECK(copy.header<Note>().value == 2);
  CHECK(copy.packet.length == sim::Bytes{60});
  CHECK(copy.packet.origin == Origin::egress_mirror);
  CHECK(copy.packet.payload.is_none());
  CHECK(original.packet.payload == Payload{0});
  CHECK(copy.last_bit > original.last_bit);  // it goes through the traffic manager and egress
}

TEST_CASE("A dropped original may leave its payload to the mirrored copy", "[switch]") {
  World w([](PassContext& pass) { pass.recirculate(pass.loop_port()); },
          [](PassContext& pass) {
            if (pass.is_mirrored()) return;
            pass.mirror(SessionId{0}, {0, PayloadRule::move});
            pass.drop();
          });
  w.run();
  REQUIRE(w.test.sent.size() == 1);
  CHECK(w.test.sent[0].packet.payload == Payload{0});
  CHECK(w.test.sent[0].packet.length == sim::Bytes{100});
  CHECK(w.test.drops.empty());  // nobody lost anything
  CHECK(w.test.rmt.counters().drops[0] == 1);
  CHECK(w.test.rmt.counters().mirrored_frames == 1);
  CHECK(w.test.rmt.packets_in_use() == 0);
}

TEST_CASE("24: an ingress mirror does not carry this ingress's edits", "[switch]") {
  World w([](PassContext& pass) {
    pass.header<Note>().value = 5;
    pass.mirror(SessionId{0});
    pass.forward(out);
  });
  w.run();
  REQUIRE(w.test.sent.size() == 2);
  for (const auto& sent : w.test.sent) {
    CHECK(sent.header<Note>().value == (sent.port == out ? 5 : 1));
  }
}

TEST_CASE("A digest reaches the control plane; a longer one is refused", "[switch]") {
  std::size_t size = 47;
  World w([&](PassContext& pass) {
    const std::vector<std::byte> bytes(size, std::byte{7});
    pass.digest(bytes);
    pass.drop();
  });
  w.run();
  REQUIRE(w.test.digests.size() == 1);
  CHECK(w.test.digests[0].digest.bytes == 47);
  CHECK(w.test.digests[0].digest.data[46] == std::byte{7});
  CHECK(w.test.rmt.counters().digests == 1);
  size = 48;
  CHECK_THROWS_AS(w.run(), sim::ConstraintViolation);
}

TEST_CASE("Registers are of one pipe: the other pipe's stay as they are", "[switch]") {
  Layout layout;
  layout.program = "count";
  layout.add(testing::array_in("A", Gress::ingress, 0, {add_action(1)}));
  const ImprovisedProgram program(layout, [](PassContext& pass) {
    pass.execute(ArrayId{0}, ActionId{0}, 3);
    pass.drop();
  });
  ProgramUnderTest::Ports ports;
  ProgramUnderTest test(program, ProgramUnderTest::two_pipes(ports));
  test.send(ports.front[1][0], Note{});
  test.send(ports.front[1][1], Note{});
  test.run();
  CHECK(test.register_of(PipeId{1}, ArrayId{0}, 3).low == 2);
  CHECK(test.register_of(PipeId{0}, ArrayId{0}, 3).low == 0);
}

TEST_CASE("Ports that the chip does not have are the user's mistake", "[switch]") {
  const ImprovisedProgram program(World::layout(), [](PassContext& pass) { pass.drop(); });
  ProgramUnderTest::Ports ports;
  SwitchSpec slow = ProgramUnderTest::two_pipes(ports);
  slow.chip.port_rate = sim::gigabits_per_second(10);
  CHECK_THROWS_AS(ProgramUnderTest(program, slow), sim::ConfigError);
  SwitchSpec without = ProgramUnderTest::two_pipes(ports);
  without.chip.recirculation_ports = 0;
  CHECK_THROWS_AS(ProgramUnderTest(program, without), sim::ConfigError);
}

TEST_CASE("Each program of a switch handles the packets of its protocol", "[switch]") {
  Layout layout;
  layout.program = "one";
  const ImprovisedProgram drops(layout, [](PassContext& pass) { pass.drop(); });
  const ImprovisedProgram sends(layout, [](PassContext& pass) { pass.forward(out); });
  ProgramUnderTest::Ports ports;
  ProgramUnderTest test({&drops, &sends}, ProgramUnderTest::two_pipes(ports));
  test.send(ports.front[0][0], Note{}, sim::Bytes{100}, {}, ProtocolTag{1});
  test.send(ports.front[0][0], Note{}, sim::Bytes{100}, {}, ProtocolTag{0});
  test.run();
  CHECK(test.sent.size() == 1);
  CHECK(test.drops.size() == 1);
  CHECK_THROWS_AS(test.send(ports.front[0][0], Note{}, sim::Bytes{64}, {}, ProtocolTag{2}),
                  sim::InvariantBroken);
}

}  // namespace
}  // namespace recirc::pipeline
