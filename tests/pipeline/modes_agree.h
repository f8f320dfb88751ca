#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "catch.h"
#include "program_under_test.h"

// Whether pass mode and stage mode give the same packets, times, drops, registers, tables' sizes
// and digests: for any list of programs and anything that a scenario sends and has written.
//
// Not compared: when the switch tells that a full queue has dropped a waiting packet. Pass mode
// books that pass, and tells of the drop, at the next thing that happens in the switch, at most 32
// of the shortest loops later. That it was dropped, in which pass and after which waits, is
// compared; no result has the time of a drop.

namespace recirc::pipeline::testing {

/// Sends packets and submits control operations, at any times; the harness then runs the queue.
using Scenario = std::function<void(ProgramUnderTest&)>;

namespace detail {

inline std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  }
  return hash;
}

inline std::string text_of(const Packet& packet) {
  return fmt::format(
      "id {:x} of {} passes {} loops {} length {} queued {} looping {} waiting {} "
      "payload {} header {:x} metadata {:x}",
      packet.id, packet.original, packet.passes, packet.recirculations, packet.length.count(),
      packet.queued.count(), packet.recirculating.count(), packet.waiting.count(),
      packet.payload.value(), hash_of(packet.header), hash_of(packet.metadata));
}

inline void append_state(ProgramUnderTest& test, std::vector<std::string>& lines) {
  const auto programs = test.rmt.programs();
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const ProtocolTag tag{static_cast<std::uint8_t>(p)};
    const Layout& layout = programs[p]->layout();
    for (std::uint16_t t = 0; t < layout.tables.size(); ++t) {
      lines.push_back(fmt::format("table {} size {}", layout.tables[t].name,
                                  test.rmt.table(tag, TableId{t}).size()));
    }
    for (std::uint8_t pipe = 0; pipe < test.rmt.spec().chip.pipes; ++pipe) {
      if (!test.rmt.uses(PipeId{pipe})) continue;
      for (std::uint16_t a = 0; a < layout.arrays.size(); ++a) {
        const ArrayState& array = test.rmt.array(PipeId{pipe}, tag, ArrayId{a});
        std::uint64_t hash = 0;
        for (std::uint32_t i = 0; i < array.entries; ++i) {
          const Words words = array.load(i);
          hash = sim::mix64(hash ^ (std::uint64_t{words.high} << 32U | words.low)) + i;
        }
        lines.push_back(
            fmt::format("pipe {} array {} holds {:x}", pipe, layout.arrays[a].name, hash));
      }
    }
  }
}

}  // namespace detail

/// All that can be seen of one run, a line each, in an order that does not depend on the mode.
inline std::vector<std::string> history_of(const std::vector<const Program*>& programs,
                                           const SwitchSpec& spec, const ControlSpec& control,
                                           const Scenario& scenario) {
  ProgramUnderTest test(programs, spec, control);
  scenario(test);
  test.run();
  std::vector<std::string> lines;
  for (const Sent& sent : test.sent) {
    lines.push_back(fmt::format("{} sent by port {}: {}", sent.last_bit.time_since_epoch().count(),
                                sent.port.value(), detail::text_of(sent.packet)));
  }
  for (const Dropped& drop : test.drops) {
    const bool late = drop.reason == DropReason::queue_full && drop.packet.waiting.count() > 0;
    lines.push_back(fmt::format("{} dropped for {}: {}",
                                late ? 0 : drop.at.time_since_epoch().count(),
                                static_cast<int>(drop.reason), detail::text_of(drop.packet)));
  }
  for (const Reported& report : test.digests) {
    lines.push_back(fmt::format("{} digest from pipe {}: {:x}",
                                report.at.time_since_epoch().count(), report.pipe.value(),
                                detail::hash_of(report.digest.data)));
  }
  std::sort(lines.begin(), lines.end());
  detail::append_state(test, lines);
  const SwitchCounters& counters = test.rmt.counters();
  lines.push_back(fmt::format(
      "passes {} {} loops {} cable {} native {} mirrors {} copies {} digests {} drops {} {} {} "
      "control {} refused {} left {}",
      counters.ingress_passes, counters.egress_passes, counters.recirculated_frames,
      counters.cable_frames, counters.native_crossings, counters.mirrored_frames,
      counters.multicast_copies, counters.digests, counters.drops[0], counters.drops[1],
      counters.drops[2], test.control.operations(), test.control.refused(),
      test.rmt.packets_in_use()));
  return lines;
}

/// Requires that both modes tell the same history; returns it.
inline std::vector<std::string> require_modes_agree(const std::vector<const Program*>& programs,
                                                    SwitchSpec spec, const ControlSpec& control,
                                                    const Scenario& scenario) {
  spec.mode = PassMode::pass;
  const std::vector<std::string> pass = history_of(programs, spec, control, scenario);
  spec.mode = PassMode::stage;
  const std::vector<std::string> stage = history_of(programs, spec, control, scenario);
  for (std::size_t i = 0; i < std::min(pass.size(), stage.size()); ++i) {
    REQUIRE(pass[i] == stage[i]);
  }
  REQUIRE(pass.size() == stage.size());
  return pass;
}

}  // namespace recirc::pipeline::testing
