#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sim/time.h"
#include "sim/units.h"

namespace recirc::sim::config {
class Visitor;
}

namespace recirc::pipeline {

/// What one chip has, a stage or a pipe at a time, and what its parts cost in cycles. The defaults
/// are Tofino 1 as the open compiler back end states it; where each figure comes from stands in
/// the field's description (chip_config.cpp).
struct ChipSpec {
  std::string name = "tofino1";
  std::int64_t pipes = 4;
  std::int64_t stages = 12;
  std::int64_t clock_hz = 1'220'000'000;

  // One stage. Both gresses share it.
  std::int64_t sram_blocks = 80;
  std::int64_t sram_block_words = 1024;
  std::int64_t sram_word_bits = 128;
  std::int64_t tcam_blocks = 24;
  std::int64_t tcam_block_words = 512;
  std::int64_t tcam_word_bits = 44;
  std::int64_t map_rams = 48;
  std::int64_t stateful_alus = 4;
  std::int64_t table_ids = 16;
  std::int64_t ternary_tables = 8;
  std::int64_t gateways = 16;
  std::int64_t exact_crossbar_bytes = 128;
  std::int64_t ternary_crossbar_bytes = 66;
  std::int64_t hash_bits = 416;
  std::int64_t action_bus_bytes = 128;

  // One stateful ALU.
  std::int64_t actions_per_array = 4;
  std::int64_t conditions_per_action = 2;
  std::int64_t updates_per_action = 2;
  std::int64_t outputs_per_action = 1;
  std::int64_t inline_constant_min = -8;
  std::int64_t inline_constant_max = 7;
  std::int64_t register_file_rows = 4;

  // One pipe.
  std::int64_t phv_bits = 4096;
  std::int64_t tagalong_bits = 2048;
  std::int64_t phv_containers_8 = 64;
  std::int64_t phv_containers_16 = 96;
  std::int64_t phv_containers_32 = 64;
  std::int64_t parser_rows = 256;

  std::int64_t front_ports = 16;
  sim::BitsPerSecond port_rate = sim::gigabits_per_second(100);
  std::int64_t recirculation_ports = 1;
  sim::BitsPerSecond recirculation_rate = sim::gigabits_per_second(100);
  sim::Bytes frame_overhead{24};

  // Cycles.
  std::int64_t match_dependent_stage_cycles = 20;
  std::int64_t stateful_cycles = 4;
  std::int64_t corner_turn_cycles = 4;
  std::int64_t parser_cycles = 25;
  std::int64_t deparser_cycles = 15;
  std::int64_t traffic_manager_cycles = 40;
  std::int64_t port_cycles = 20;
};

void describe(sim::config::Visitor& v, ChipSpec& c);

// The chips that come with the project, for a configuration to choose from and to change:
// "tofino2", or {"kind": "tofino1", "stages": 10}.
struct Tofino1 : ChipSpec {
  static constexpr std::string_view kind = "tofino1";
  static constexpr std::string_view kind_doc = "Tofino 1, 12 stages.";
};
struct Tofino2 : ChipSpec {
  static constexpr std::string_view kind = "tofino2";
  static constexpr std::string_view kind_doc = "Tofino 2, 20 stages.";
  Tofino2();
};
struct Rmt2013 : ChipSpec {
  static constexpr std::string_view kind = "rmt2013";
  static constexpr std::string_view kind_doc =
      "The RMT chip of Bosshart et al. 2013, 32 stages, with Tofino's stateful ALUs.";
  Rmt2013();
};
using ChipChoice = std::variant<Tofino1, Tofino2, Rmt2013>;
[[nodiscard]] const ChipSpec& chip_of(const ChipChoice& choice);

/// A file of configs/chips: {"chip": {"kind": "tofino1", …}}.
struct ChipFile {
  ChipChoice chip;
};
void describe(sim::config::Visitor& v, ChipFile& c);

/// The times that follow from a chip. Cycles convert once, from their sum, so that the parts of a
/// gress add up to the whole.
class ChipTiming {
 public:
  explicit ChipTiming(const ChipSpec& chip);

  /// One packet a clock a pipe.
  [[nodiscard]] sim::Duration clock() const { return clock_; }
  /// From the parser's first byte to the deparser's last: the same for every packet and program.
  [[nodiscard]] sim::Duration gress() const { return gress_; }
  /// When a packet is in stage s, counted from its entry into the gress.
  [[nodiscard]] sim::Duration until_stage(std::int64_t stage) const {
    return cycles(parser_cycles_ + stage * stage_cycles_);
  }
  [[nodiscard]] sim::Duration traffic_manager() const { return traffic_manager_; }
  /// A port's MAC, or the way from a loop port's transmitter back to its receiver.
  [[nodiscard]] sim::Duration port() const { return port_; }
  /// Both gresses, traffic manager and port: an unloaded pass without its time on the wire.
  [[nodiscard]] sim::Duration pass() const { return gress_ + traffic_manager_ + gress_ + port_; }
  [[nodiscard]] sim::Duration cycles(std::int64_t count) const;

 private:
  std::int64_t clock_hz_;
  std::int64_t parser_cycles_;
  std::int64_t stage_cycles_;
  sim::Duration clock_{};
  sim::Duration gress_{};
  sim::Duration traffic_manager_{};
  sim::Duration port_{};
};

}  // namespace recirc::pipeline
