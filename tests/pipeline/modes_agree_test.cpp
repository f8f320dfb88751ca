#include "modes_agree.h"
#include <functional>

#include "catch.h"
#include "generated_programs.h"
#include "improvised_program.h"
#include "pipeline/programs/addresses.h"
#include "pipeline/programs/forward/forward.h"

namespace recirc::pipeline {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): its own harness

/// Random traffic and control operations around one generated program.
struct GeneratedRun {
  explicit GeneratedRun(std::uint64_t seed_)
      : seed(seed_), program(ProgramGenerator(seed_).make(12)) {
    spec = ProgramUnderTest::two_pipes(ports);
    spec.seed = seed;
    spec.cross_pipe = seed % 3 == 0 ? CrossPipe::native : CrossPipe::cable;
    spec.max_recirculations = 4;  // some packets meet it
    for (PortSpec& port : spec.ports) port.queue = sim::Bytes{600};
    spec.add_session(ports.front[1][1]);
    spec.add_session(ports.front[0][1]);
    spec.add_group({ports.front[0][0], ports.loop[1], ports.front[1][0]});
  }

  void operator()(ProgramUnderTest& test) const {
    sim::CounterRng rng(seed ^ 0x77);
    const auto below = [&](std::uint64_t n) { return rng.next() % n; };
    for (int i = 0; i < 150; ++i) {
      const PacketHandle handle = test.rmt.make_packet(
          ProtocolTag{0}, sim::Bytes{static_cast<std::int64_t>(64 + below(400))},
          Payload{static_cast<std::uint32_t>(i)});
      Packet& packet = test.rmt.packet(handle);
      const auto put = [&](const char* name, std::uint64_t value) {
        InterpretedProgram::write_field(packet, program.field(name), value);
      };
      put("destination", ports.front[below(2)][below(2)].value());
      put("op", below(8));
      put("key", below(6));
      put("x", rng.next());
      put("y", rng.next());
      const sim::Time at{sim::picoseconds(static_cast<std::int64_t>(below(3'000'000)))};
      test.rmt.receive(ports.front[below(2)][below(2)], handle, at);
    }
    for (int i = 0; i < 25; ++i) {
      std::vector<ControlOperation> batch;
      for (std::uint64_t k = 0; k < 1 + below(3); ++k) batch.push_back(any_operation(rng));
      test.control.submit(batch);
    }
  }

  ControlOperation any_operation(sim::CounterRng& rng) const {
    const Layout& layout = program.layout();
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(rng.next() % n); };
    const ProtocolTag tag{0};
    if (layout.arrays.empty() || below(2) == 0) {
      const TableId table{static_cast<std::uint16_t>(below(layout.tables.size()))};
      const MatchKey key{below(6), static_cast<std::uint8_t>(below(2) * below(8))};
      if (below(3) == 0) return ControlOperation::erase(tag, table, key);
      return ControlOperation::insert(tag, table, key, rng.next() & 0xffff'ffff);
    }
    const ArrayId array{static_cast<std::uint16_t>(below(layout.arrays.size()))};
    const std::uint32_t entries = layout.arrays[array.value()].entries;
    const PipeId pipe =
        below(3) == 0 ? PipeId::none() : PipeId{static_cast<std::uint8_t>(below(2))};
    const Words value{below(1000), below(1000)};
    if (below(3) == 0) return ControlOperation::fill(tag, pipe, array, 0, entries, value);
    return ControlOperation::write(tag, pipe, array, below(entries), value);
  }

  std::uint64_t seed;
  InterpretedProgram program;
  ProgramUnderTest::Ports ports;
  SwitchSpec spec;
};

constexpr ControlSpec fast_control{sim::nanoseconds(100), sim::nanoseconds(60),
                                   sim::nanoseconds(10)};

TEST_CASE("Pass mode and stage mode agree on generated programs", "[modes]") {
  const std::vector<std::string> kinds{"sent by",       "dropped for 0", "dropped for 1",
                                       "dropped for 2", "digest from",   "loops 3"};
  std::vector<std::size_t> seen(kinds.size());
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    const GeneratedRun run(seed);
    const auto history =
        require_modes_agree({&run.program}, run.spec, fast_control, std::cref(run));
    for (const std::string& line : history) {
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (line.find(kinds[k]) != std::string::npos) ++seen[k];
      }
    }
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    INFO(kinds[k]);
    CHECK(seen[k] > 50);  // the generator reaches everything
  }
}

TEST_CASE("Pass mode and stage mode agree on forwarding", "[modes]") {
  ProgramUnderTest::Ports ports;
  SwitchSpec spec = ProgramUnderTest::two_pipes(ports);
  for (PortSpec& port : spec.ports) port.queue = sim::Bytes{3000};
  const programs::Forward forward;
  require_modes_agree({&forward}, spec, fast_control, [&](ProgramUnderTest& test) {
    for (std::uint16_t i = 0; i < 4; ++i) {
      forward.add_route(test.rmt, ProtocolTag{0}, i, ports.front[i / 2][i % 2]);
    }
    sim::CounterRng rng(3);
    for (int i = 0; i < 300; ++i) {
      const auto to = static_cast<std::uint16_t>(rng.next() % 5);
      const sim::Time at{sim::picoseconds(static_cast<std::int64_t>(rng.next() % 9'000'000))};
      const sim::Bytes length{static_cast<std::int64_t>(64 + rng.next() % 1400)};
      test.send(ports.front[rng.next() % 2][rng.next() % 2], programs::Addresses{0, to}, length,
                at);
    }
  });
}

/// Copies array "early" (stage 0) and "late" (stage 11) into the header.
spec::ProgramSpec two_readers() {
  spec::ProgramSpec program;
  program.name = "two_readers";
  program.header = {{"early", 32}, {"late", 32}};
  const spec::ActionSpec read{"read", {}, {}, {{}}};
  program.arrays = {{"early", Gress::ingress, 0, 1, RegisterWidth::word, {read}},
                    {"late", Gress::ingress, 11, 1, RegisterWidth::word, {read}}};
  program.ingress = {{0, {}, spec::Execute{"early", "read", "0", "0", "0", "early"}},
                     {11, {}, spec::Execute{"late", "read", "0", "0", "0", "late"}},
                     {11, {}, spec::Forward{"0"}}};
  return program;
}

/// How many of a hundred packets see one half of a write without the other.
std::size_t torn_views(PassMode mode, ControlTiming timing) {
  const InterpretedProgram program(two_readers());
  ProgramUnderTest::Ports ports;
  SwitchSpec spec = ProgramUnderTest::two_pipes(ports);
  spec.mode = mode;
  spec.control = timing;
  ProgramUnderTest test(program, spec, fast_control);
  const ControlOperation both[] = {
      ControlOperation::write(ProtocolTag{0}, PipeId::none(), ArrayId{0}, 0, {1, 0}),
      ControlOperation::write(ProtocolTag{0}, PipeId::none(), ArrayId{1}, 0, {1, 0})};
  test.control.submit(both);
  for (int i = 0; i < 100; ++i) {
    test.send(ports.front[0][0], std::uint64_t{0}, sim::Bytes{64},
              sim::Time{sim::nanoseconds(10 * i)});
  }
  test.run();
  std::size_t torn = 0;
  for (const Sent& sent : test.sent) {
    const auto seen = sent.header<std::array<std::uint32_t, 2>>();
    torn += seen[0] != seen[1];
  }
  CHECK(test.sent.back().header<std::array<std::uint32_t, 2>>()[0] == 1);
  return torn;
}

TEST_CASE("A packet sees all of a control-plane write or nothing", "[modes]") {
  CHECK(torn_views(PassMode::pass, ControlTiming::like_a_packet) == 0);
  CHECK(torn_views(PassMode::stage, ControlTiming::like_a_packet) == 0);
}

TEST_CASE("Written to all stages at once, a packet between them sees half of it", "[modes]") {
  CHECK(torn_views(PassMode::stage, ControlTiming::per_stage) > 0);
}

TEST_CASE("Random numbers belong to packet, pass and site", "[modes]") {
  std::vector<std::uint64_t> drawn;
  Layout layout;
  layout.program = "random";
  const ImprovisedProgram program(layout, [&](PassContext& pass) {
    for (std::uint32_t site : {0U, 0U, 1U}) drawn.push_back(pass.random(site));
    if (pass.packet().passes == 1) return pass.recirculate(pass.loop_port());
    pass.drop();
  });
  ProgramUnderTest::Ports ports;
  ProgramUnderTest test(program, ProgramUnderTest::two_pipes(ports));
  test.send(ports.front[0][0], 0);
  test.run();
  REQUIRE(drawn.size() == 6);
  CHECK(drawn[0] == drawn[1]);
  CHECK(drawn[0] != drawn[2]);
  CHECK(drawn[0] != drawn[3]);
}

}  // namespace
}  // namespace recirc::pipeline
