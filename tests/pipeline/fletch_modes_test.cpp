#include "catch.h"
#include "fletch_under_test.h"
#include "modes_agree.h"

namespace recirc::pipeline {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): its own harness
namespace fletch = programs::fletch;

constexpr ProtocolTag tag{0};

/// Some of the chain /1, /2, … is cached; the control plane admits and evicts while requests and
/// answers of any kind come in at any time.
struct FletchTraffic {
  FletchUnderTest world;
  std::uint64_t seed;

  explicit FletchTraffic(std::uint64_t seed_, FletchUnderTest::Options options)
      : world(options), seed(seed_) {
    world.spec.seed = seed;
    world.spec.max_recirculations = 300;
    for (PortSpec& port : world.spec.ports) port.queue = sim::Bytes{4000};
  }

  static fletch::Location location_of(unsigned level) {
    return {static_cast<std::uint16_t>(100 + level), static_cast<std::uint16_t>(level / 4),
            static_cast<std::uint16_t>(0x7U << (level % 4 * 3))};
  }

  static std::vector<ControlOperation> admission(unsigned level) {
    const MatchKey key{FletchUnderTest::key_of(level), 1};
    const fletch::Location location = location_of(level);
    std::vector<ControlOperation> batch{
        ControlOperation::write(tag, FletchUnderTest::lock_pipe, fletch::validation_array,
                                location.counter, {1, 0}),
        ControlOperation::insert(tag, fletch::level_small, key, match_result(location)),
        ControlOperation::insert(tag, fletch::last_small, key, 1)};
    for (unsigned slot = 0; slot < fletch::row_slots; ++slot) {
      if ((location.slots >> slot & 1U) == 0) continue;
      batch.insert(batch.begin(), ControlOperation::write(tag, FletchUnderTest::lock_pipe,
                                                          fletch::value_array(2 * slot),
                                                          location.row, {0x0003'0101U, 0}));
    }
    return batch;
  }

  static std::vector<ControlOperation> eviction(unsigned level) {
    const MatchKey key{FletchUnderTest::key_of(level), 1};
    return {ControlOperation::erase(tag, fletch::last_small, key),
            ControlOperation::erase(tag, fletch::level_small, key)};
  }

  /// Of the copy in the other server's pipe, or of all that is there.
  static std::vector<ControlOperation> admission_of_copy(unsigned level) {
    const MatchKey key{FletchUnderTest::key_of(level), 1};
    fletch::Location location = location_of(level);
    location.counter = static_cast<std::uint16_t>(location.counter + 100);
    return {
        ControlOperation::write(tag, FletchUnderTest::client_pipe, fletch::validation_array,
                                location.counter, {1, 0}),
        ControlOperation::insert(tag, fletch::level_small, {key.key, 1, 1}, match_result(location)),
        ControlOperation::replace(tag, fletch::last_small, key, 3)};
  }
  static std::vector<ControlOperation> eviction_of_copy(unsigned level) {
    const MatchKey key{FletchUnderTest::key_of(level), 1};
    return {ControlOperation::replace(tag, fletch::last_small, key, 1),
            ControlOperation::erase(tag, fletch::level_small, {key.key, 1, 1})};
  }

  /// Half of what is sent is for or from the other server, if there is one.
  fletch::Header any_header(sim::CounterRng& rng) const {
    fletch::Header header = header_for_server(rng);
    if (world.wiring.server_pipes.empty()) return header;
    const std::uint64_t bits = rng.next();
    if (bits % 2 == 0) {
      const bool asks = header.addresses.source == FletchUnderTest::client;
      (asks ? header.addresses.destination : header.addresses.source) =
          FletchUnderTest::other_server;
    }
    const bool changes = header.kind == fletch::Kind::cached_answer;
    if (changes && bits % 3 != 0) header.copies = fletch::Header::more_copies;
    return header;
  }

  fletch::Header header_for_server(sim::CounterRng& rng) const {
    const auto depth = static_cast<unsigned>(1 + rng.next() % 9);
    const std::uint8_t user =
        rng.next() % 4 == 0 ? FletchUnderTest::stranger : FletchUnderTest::owner;
    switch (rng.next() % 6) {
      case 0: {
        fletch::Header answer =
            FletchUnderTest::answer_to(FletchUnderTest::write(depth), fletch::Kind::cached_answer);
        answer.effect = static_cast<fletch::Effect>(rng.next() % 5);
        return answer;
      }
      case 1: {
        fletch::Header answer =
            FletchUnderTest::answer_to(FletchUnderTest::read(depth), fletch::Kind::held_answer);
        const auto level = static_cast<unsigned>(1 + rng.next() % depth);
        answer.held = world.wiring.locks.held(level, depth);
        return answer;
      }
      case 2:
        return world.write_of(depth);
      default:
        return FletchUnderTest::read(depth, user);
    }
  }

  void operator()(ProgramUnderTest& test) const {
    sim::CounterRng rng(seed);
    for (unsigned level = 0; level < 9; ++level) {
      if (level < 3 || rng.next() % 2 == 0) test.control.submit(admission(level));
    }
    for (int i = 0; i < 30; ++i) {
      const auto level = static_cast<unsigned>(2 + rng.next() % 8);
      test.control.submit(rng.next() % 2 == 0 ? admission(level) : eviction(level));
      if (world.wiring.server_pipes.empty()) continue;
      test.control.submit(rng.next() % 3 != 0 ? admission_of_copy(level) : eviction_of_copy(level));
    }
    for (int i = 0; i < 200; ++i) {
      const fletch::Header header = any_header(rng);
      test.send(world.wiring.ports[header.addresses.source], header, sim::Bytes{336},
                sim::Time{sim::picoseconds(static_cast<std::int64_t>(rng.next() % 12'000'000))});
    }
  }
};

fletch::LockPlan locks_of(std::uint64_t seed) {
  const auto release = seed % 4 == 3 ? fletch::Release::at_end : fletch::Release::per_level;
  if (seed % 6 == 5) return fletch::single_lock(fletch::SingleKey::full_path, release);
  if (seed % 6 == 2) return fletch::grouped_locks(std::array{1U, 2U, 3U, 6U}, release);
  if (seed % 6 == 4) return with_pending_writes(fletch::paper_locks(release));
  return fletch::paper_locks(release);
}

TEST_CASE("Pass mode and stage mode agree on Fletch", "[modes][fletch]") {
  constexpr ControlSpec fast{sim::nanoseconds(100), sim::nanoseconds(50), sim::nanoseconds(10)};
  std::size_t loops = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const FletchTraffic traffic(
        seed, {.placing = seed % 2 == 0 ? fletch::Placing::paper : fletch::Placing::prototype,
               .cross_pipe = static_cast<CrossPipe>(seed % 3),
               .reports = true,
               .locks = locks_of(seed),
               .release_in_switch = seed % 5 == 4});
    const auto history = require_modes_agree({traffic.world.program.get()}, traffic.world.spec,
                                             fast, std::cref(traffic));
    for (const std::string& line : history) {
      if (line.find("loops 5") != std::string::npos) ++loops;
    }
  }
  CHECK(loops > 10);  // paths were resolved level by level
}

TEST_CASE("Pass mode and stage mode agree on Fletch with servers on two pipes", "[modes][fletch]") {
  constexpr ControlSpec fast{sim::nanoseconds(100), sim::nanoseconds(50), sim::nanoseconds(10)};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    INFO("seed " << seed);
    const FletchTraffic traffic(
        seed, {.placing = seed % 2 == 0 ? fletch::Placing::paper : fletch::Placing::prototype,
               .cross_pipe = seed % 3 == 0 ? CrossPipe::native : CrossPipe::cable,
               .reports = true,
               .locks = locks_of(seed),
               .release_in_switch = seed % 5 == 4,
               .two_server_pipes = true});
    require_modes_agree({traffic.world.program.get()}, traffic.world.spec, fast,
                        std::cref(traffic));
  }
}

}  // namespace
}  // namespace recirc::pipeline
