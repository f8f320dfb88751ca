#pragma once

#include <memory>
#include <vector>

#include "pipeline/programs/directory/layout.h"
#include "pipeline/programs/directory/program.h"
#include "pipeline/programs/directory/transitions.h"
#include "pipeline/programs/directory/wire.h"
#include "program_under_test.h"

namespace recirc::pipeline::testing {

/// The directory in a switch with four nodes on pipe 0 and two memory blades on pipe 1. Blades have
/// every other 512 pages.
struct DirectoryUnderTest {
  using Header = programs::directory::Header;
  using Kind = programs::directory::Kind;
  using State = programs::directory::State;

  static constexpr std::uint16_t nodes = 4;
  static constexpr std::uint16_t blades = 2;
  static constexpr PipeId directory_pipe{0};
  static constexpr ProtocolTag tag{0};

  struct Options {
    programs::directory::GrantPolicy grant = programs::directory::GrantPolicy::wait_all;
    bool claims = true;
    programs::directory::ConflictPolicy conflict =
        programs::directory::ConflictPolicy::nack_backoff;
  };

  DirectoryUnderTest() : DirectoryUnderTest(Options{}) {}
  explicit DirectoryUnderTest(const Options& options)
      : wiring(wire(spec, options)),
        program(programs::directory::make_program(wiring)),
        test(*program, spec) {
    translate(test);
  }

  static void translate(ProgramUnderTest& test) {
    for (std::uint16_t blade = 0; blade < blades; ++blade) {
      MaskedEntry range;
      range.value.key = std::uint64_t{blade} << 9U;
      range.mask = std::uint64_t{blades - 1} << 9U;
      range.result = blade_at(blade);
      test.rmt.table(tag, programs::directory::translate_table).insert(range);
    }
  }
  static std::uint16_t blade_at(unsigned blade) {
    return static_cast<std::uint16_t>(nodes + blade);
  }

  /// A region of 2^bits pages, as the control plane would make it.
  static void add_region(ProgramUnderTest& test, std::uint16_t entry, std::uint64_t first,
                         std::uint8_t bits, State state = State::invalid,
                         std::uint16_t sharers = 0) {
    using namespace programs::directory;
    MaskedEntry prefix;
    prefix.value.key = first;
    prefix.mask = ~std::uint64_t{0} << bits;
    prefix.result = match_result(Entry{entry, bits});
    test.rmt.table(tag, lookup_table(entry / entries_per_table)).insert(prefix);
    test.set_register(directory_pipe, state_array, entry, {static_cast<std::uint32_t>(state), 0});
    test.set_register(directory_pipe, sharers_array, entry, {sharers, 0});
  }
  void add_region(std::uint16_t entry, std::uint64_t first, std::uint8_t bits,
                  State state = State::invalid, std::uint16_t sharers = 0) {
    add_region(test, entry, first, bits, state, sharers);
  }

  static Header message(Kind kind, std::uint8_t node, std::uint64_t page) {
    Header header;
    header.addresses.source = node;
    header.kind = kind;
    header.node = node;
    header.requester = node;
    header.page = page;
    return header;
  }
  static Header message(Kind kind, std::uint8_t node, std::uint64_t page, std::uint16_t requester) {
    Header header = message(kind, node, page);
    header.requester = requester;
    return header;
  }
  std::uint64_t send(const Header& header, sim::Time at) {
    const bool has_page = header.kind == Kind::data || header.kind == Kind::passthrough;
    return test.send(wiring.ports[header.addresses.source], header,
                     sim::Bytes{has_page ? 4170 : 90}, at);
  }
  /// What the message has the switch send.
  std::vector<Header> run(const Header& header) {
    test.sent.clear();
    send(header, test.scheduler.now());
    test.run();
    std::vector<Header> headers;
    for (const Sent& frame : test.sent) headers.push_back(frame.header<Header>());
    return headers;
  }
  [[nodiscard]] std::vector<Header> sent_to(std::uint16_t endpoint) const {
    std::vector<Header> headers;
    for (const Sent& frame : test.sent) {
      if (frame.port == wiring.ports[endpoint]) headers.push_back(frame.header<Header>());
    }
    return headers;
  }
  [[nodiscard]] std::vector<Kind> kinds_to(std::uint16_t endpoint) const {
    std::vector<Kind> kinds;
    for (const Header& header : sent_to(endpoint)) kinds.push_back(header.kind);
    return kinds;
  }

  [[nodiscard]] State state(std::uint32_t entry) {
    return static_cast<State>(word(programs::directory::state_array, entry).low);
  }
  [[nodiscard]] bool claimed(std::uint32_t entry) {
    return word(programs::directory::state_array, entry).high != 0;
  }
  [[nodiscard]] std::uint32_t sharers(std::uint32_t entry) {
    return word(programs::directory::sharers_array, entry).low;
  }
  [[nodiscard]] std::uint32_t false_invalidations(std::uint32_t entry) {
    return word(programs::directory::invalidations_array, entry).low;
  }
  [[nodiscard]] Words word(ArrayId array, std::uint32_t entry) {
    return test.register_of(directory_pipe, array, entry);
  }

  SwitchSpec spec;
  programs::directory::Wiring wiring;
  std::unique_ptr<Program> program;
  ProgramUnderTest test;

 private:
  static programs::directory::Wiring wire(SwitchSpec& spec, const Options& options) {
    programs::directory::Wiring wiring;
    spec.chip.pipes = 2;
    spec.cross_pipe = CrossPipe::none;
    std::vector<PortId> node_ports;
    for (std::uint8_t i = 0; i < nodes + blades; ++i) {
      PortSpec port;
      port.pipe = PipeId{static_cast<std::uint8_t>(i < nodes ? 0 : 1)};
      wiring.ports.push_back(spec.add_port(port));
      wiring.node_of_port.push_back(i < nodes ? i : std::uint8_t{0xff});
      if (i < nodes) node_ports.push_back(wiring.ports.back());
    }
    PortSpec loop;
    loop.kind = PortKind::loop;
    wiring.loop = spec.add_port(loop);
    wiring.node_of_port.push_back(0xff);
    wiring.loop_session = spec.add_session(wiring.loop);
    wiring.all_nodes = spec.add_group(node_ports);
    wiring.grant = options.grant;
    wiring.claims = options.claims;
    wiring.conflict = options.conflict;
    return wiring;
  }
};

}  // namespace recirc::pipeline::testing
