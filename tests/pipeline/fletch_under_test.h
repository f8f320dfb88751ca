#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "pipeline/programs/fletch/layout.h"
#include "pipeline/programs/fletch/program.h"
#include "pipeline/programs/fletch/wire.h"
#include "program_under_test.h"

namespace recirc::pipeline::testing {

/// The Fletch program in a switch of two pipes: a client on pipe 0, a server and the controller on
/// pipe 1, and a chain of cached records /1, /1/2, … whose keys are easy to recognise.
struct FletchUnderTest {
  using Header = programs::fletch::Header;
  using Kind = programs::fletch::Kind;

  static constexpr std::uint16_t client = 0;
  static constexpr std::uint16_t server = 1;
  static constexpr std::uint16_t controller = 2;
  static constexpr std::uint16_t other_server = 3;
  static constexpr PipeId client_pipe{0};
  static constexpr PipeId lock_pipe{1};
  static constexpr std::uint8_t owner = 1;
  static constexpr std::uint8_t stranger = 2;

  struct Options {
    programs::fletch::Placing placing = programs::fletch::Placing::paper;
    CrossPipe cross_pipe = CrossPipe::cable;
    bool reports = false;
    programs::fletch::LockPlan locks = programs::fletch::paper_locks();
    bool release_in_switch = false;
    bool write_back = false;
    programs::fletch::SequenceSpec sequence{};
    bool two_server_pipes = false;  ///< the other server is on the clients' pipe
  };

  explicit FletchUnderTest(programs::fletch::Placing placing = programs::fletch::Placing::paper,
                           CrossPipe cross_pipe = CrossPipe::cable, bool reports = false)
      : FletchUnderTest(Options{.placing = placing, .cross_pipe = cross_pipe, .reports = reports}) {
  }
  explicit FletchUnderTest(const Options& options) : FletchUnderTest(options, {}) {
    number(options.sequence);
  }

  /// Caches the records of levels 0..depth.
  void cache_chain(unsigned depth) {
    for (unsigned level = 0; level <= depth; ++level) cache(level, level == 9);
  }
  void cache(unsigned level, bool is_file) {
    using namespace programs::fletch;
    const Location location{static_cast<std::uint16_t>(100 + level),
                            static_cast<std::uint16_t>(level / 4),
                            static_cast<std::uint16_t>((is_file ? 0x1f : 0x7) << (level % 4 * 3))};
    const MatchKey key{key_of(level), 1};
    test.rmt.table(ProtocolTag{0}, level_small).insert(key, match_result(location));
    test.rmt.table(ProtocolTag{0}, last_small).insert(key, 1);
    set(validation_array, location.counter, 1);
    set(length_array, location.counter, is_file ? 40 : 24);
    unsigned rank = 0;
    for (unsigned slot = 0; slot < row_slots; ++slot) {
      if ((location.slots >> slot & 1U) == 0) continue;
      const std::uint64_t value = slot_of(level, rank++);
      set(value_array(2 * slot), location.row, static_cast<std::uint32_t>(value));
      set(value_array(2 * slot + 1), location.row, static_cast<std::uint32_t>(value >> 32U));
    }
  }

  /// A copy of the level's record in the pipe of the other server, elsewhere than the first.
  void copy(unsigned level, std::uint8_t in_pipes = 3) {
    using namespace programs::fletch;
    const Location location{static_cast<std::uint16_t>(200 + level),
                            static_cast<std::uint16_t>(50 + level), 0x70};
    test.rmt.table(ProtocolTag{0}, level_small)
        .insert({key_of(level), 1, 1}, match_result(location));
    test.rmt.table(ProtocolTag{0}, last_small).erase({key_of(level), 1});
    test.rmt.table(ProtocolTag{0}, last_small).insert({key_of(level), 1}, in_pipes);
    const auto store = [&](ArrayId array, std::uint32_t index, std::uint64_t value) {
      test.set_register(client_pipe, array, index, {static_cast<std::uint32_t>(value), 0});
    };
    store(validation_array, location.counter, 1);
    store(length_array, location.counter, 24);
    for (unsigned slot = 0; slot < 3; ++slot) {
      store(value_array(2 * (4 + slot)), location.row, slot_of(level, slot));
      store(value_array(2 * (4 + slot) + 1), location.row, slot_of(level, slot) >> 32U);
    }
  }
  [[nodiscard]] std::uint32_t flag_of_copy(unsigned level) {
    return test.register_of(client_pipe, programs::fletch::validation_array, 200 + level).low;
  }
  [[nodiscard]] std::uint64_t first_slot_of_copy(unsigned level) {
    using namespace programs::fletch;
    const auto word = [&](unsigned i) {
      return std::uint64_t{test.register_of(client_pipe, value_array(8 + i), 50 + level).low};
    };
    return word(1) << 32U | word(0);
  }

  static std::uint64_t key_of(unsigned level) { return 0xaaaa'0000'0000'1000U + level; }
  /// Slot 0 lets the owner read and pass, the stranger pass only.
  static std::uint64_t slot_of(unsigned level, unsigned slot) {
    if (slot == 0) return 0x0003'0101U | (std::uint64_t{level} << 32U);
    return (std::uint64_t{slot} << 40U) | level;
  }

  static Header read(unsigned depth, std::uint8_t user = owner) {
    Header header;
    header.addresses = {client, server};
    header.kind = Kind::read_request;
    header.depth = static_cast<std::uint8_t>(depth);
    header.user = user;
    for (unsigned level = 0; level <= depth; ++level) {
      header.keys[level] = key_of(level);
      header.tokens[level] = 1;
    }
    return header;
  }
  Header write_of(unsigned depth) const {
    Header header = write(depth);
    if (wiring.locks.needs_ancestor_key(depth)) {
      header.keys[1] = key_of(wiring.locks.own_key_level(depth));
    }
    return header;
  }
  static Header write(unsigned depth) {
    Header header;
    header.addresses = {client, server};
    header.kind = Kind::write_request;
    header.depth = static_cast<std::uint8_t>(depth);
    header.user = owner;
    header.keys[0] = key_of(depth);
    header.tokens[0] = 1;
    if (depth > 8) header.keys[1] = key_of(8);
    return header;
  }
  /// The server's answer to a request that reached it.
  static Header answer_to(Header request, Kind kind) {
    request.kind = kind;
    request.turn_around();
    return request;
  }

  /// Sends it from its source and lets everything happen.
  void run(const Header& header, sim::Bytes length = sim::Bytes{336}) {
    send(header, length);
    test.run();
  }
  void send(const Header& header, sim::Bytes length = sim::Bytes{336}) {
    test.send(wiring.ports[header.addresses.source], header, length);
  }
  [[nodiscard]] std::vector<Header> sent_to(std::uint16_t endpoint) const {
    std::vector<Header> headers;
    for (const Sent& frame : test.sent) {
      if (frame.port == wiring.ports[endpoint]) headers.push_back(frame.header<Header>());
    }
    return headers;
  }
  [[nodiscard]] std::uint64_t looped() const {
    return test.rmt.counters().recirculated_frames + test.rmt.counters().cable_frames;
  }

  [[nodiscard]] std::uint32_t get(ArrayId array, std::uint32_t index) {
    return test.register_of(lock_pipe, array, index).low;
  }
  void set(ArrayId array, std::uint32_t index, std::uint32_t value) {
    test.set_register(lock_pipe, array, index, {value, 0});
  }
  [[nodiscard]] std::uint32_t lock_of(unsigned level) {
    return get(programs::fletch::lock_array(wiring.locks.own_array(level)),
               programs::fletch::lock_index(key_of(wiring.locks.own_key_level(level))));
  }
  /// The sum of all lock counters.
  [[nodiscard]] std::uint64_t locks_held() {
    std::uint64_t sum = 0;
    for (unsigned array = 1; array <= wiring.locks.arrays; ++array) {
      for (std::uint32_t i = 0; i < programs::fletch::lock_counters; ++i) {
        sum += get(programs::fletch::lock_array(array), i);
      }
    }
    return sum;
  }

  ProgramUnderTest::Ports ports;
  SwitchSpec spec;
  programs::fletch::Wiring wiring;
  std::unique_ptr<Program> program;
  ProgramUnderTest test;

 private:
  FletchUnderTest(const Options& options, ProgramUnderTest::Ports unset)
      : ports(unset),
        spec(ProgramUnderTest::two_pipes(ports)),
        wiring(wire(options)),
        program(programs::fletch::make_program(options.placing, wiring)),
        test(*program, spec) {}

  void number(const programs::fletch::SequenceSpec& sequence) {
    using namespace programs::fletch;
    if (sequence.comparing == Comparing::off) return;
    for (std::uint16_t counter = 0; counter < sequence.counters; ++counter) {
      test.rmt.table(ProtocolTag{0}, sequence_index)
          .insert({sequence_key(server, counter), 0}, counter);
    }
    if (sequence.comparing == Comparing::strict) return;
    for (unsigned number = 0; number < sequence_numbers; ++number) {
      const auto n = static_cast<std::uint8_t>(number);
      test.rmt.table(ProtocolTag{0}, sequence_match).insert({sequence_pair(n, n), 0}, 1);
    }
  }

  programs::fletch::Wiring wire(const Options& options) {
    spec.cross_pipe = options.cross_pipe;
    const bool one_pipe = options.cross_pipe == CrossPipe::none;
    programs::fletch::Wiring w;
    w.lock_pipe = lock_pipe;
    w.loop = ports.loop[1];
    w.ports = {one_pipe ? ports.front[1][1] : ports.front[0][0], ports.front[1][0],
               ports.front[0][1]};
    for (const PortId port : w.ports) w.sessions.push_back(spec.add_session(port));
    if (options.two_server_pipes) {
      w.ports.push_back(ports.front[0][1]);
      w.sessions.push_back(w.sessions[controller]);
      w.ways_round = {ports.loop[1], ports.cable[0]};
      w.server_pipes = {0, 0, 0, 1};
    }
    w.controller = controller;
    w.reports = options.reports;
    w.threshold = 3;
    w.locks = options.locks;
    w.sequence = options.sequence;
    w.release_in_switch = options.release_in_switch;
    w.write_back = options.write_back;
    return w;
  }
};

}  // namespace recirc::pipeline::testing
