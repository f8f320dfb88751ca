#include "pipeline/chip.h"

namespace recirc::pipeline {

ChipTiming::ChipTiming(const ChipSpec& chip)
    : clock_hz_(chip.clock_hz),
      parser_cycles_(chip.parser_cycles),
      stage_cycles_(chip.match_dependent_stage_cycles + chip.stateful_cycles) {
  clock_ = cycles(1);
  gress_ = cycles(parser_cycles_ + chip.stages * stage_cycles_ + chip.corner_turn_cycles +
                  chip.deparser_cycles);
  traffic_manager_ = cycles(chip.traffic_manager_cycles);
  port_ = cycles(chip.port_cycles);
}

sim::Duration ChipTiming::cycles(std::int64_t count) const {
  constexpr std::int64_t picoseconds_per_second = 1'000'000'000'000;
  const auto whole = static_cast<__int128>(count) * picoseconds_per_second;
  return sim::Duration{static_cast<std::int64_t>((whole + clock_hz_ / 2) / clock_hz_)};
}

}  // namespace recirc::pipeline
