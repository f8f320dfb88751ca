#include "pipeline/chip.h"
#include "sim/config.h"

namespace recirc::pipeline {
namespace {

using sim::config::assumed;
using sim::config::derived;
using sim::config::paper;
using sim::config::Visitor;

/// Most figures are those of the open compiler back end in p4lang/p4c.
constexpr auto compiler = derived("p4lang/p4c, the Tofino back end's constants");

/// One stage.
void describe_stage(Visitor& v, ChipSpec& c) {
  v.field(
      "sram_blocks", c.sram_blocks,
      {.doc = "SRAM blocks of a stage (8 rows of 10).", .from = compiler, .min = 1, .max = 1024});
  v.field("sram_block_words", c.sram_block_words,
          {.doc = "Words of an SRAM block.", .from = compiler, .min = 1, .max = 65536});
  v.field("sram_word_bits", c.sram_word_bits,
          {.doc = "Bits of an SRAM word.", .from = compiler, .min = 8, .max = 1024});
  v.field("tcam_blocks", c.tcam_blocks,
          {.doc = "TCAM blocks of a stage (12 by 2).", .from = compiler, .min = 0, .max = 1024});
  v.field("tcam_block_words", c.tcam_block_words,
          {.doc = "Words of a TCAM block.", .from = compiler, .min = 1, .max = 65536});
  v.field("tcam_word_bits", c.tcam_word_bits,
          {.doc = "Match bits of a TCAM word.", .from = compiler, .min = 1, .max = 1024});
  v.field("map_rams", c.map_rams,
          {.doc = "Map RAMs of a stage: each block of a register array needs one.",
           .from = compiler,
           .min = 0,
           .max = 1024});
  v.field("stateful_alus", c.stateful_alus,
          {.doc = "Stateful ALUs of a stage: one for each register array.",
           .from = compiler,
           .min = 0,
           .max = 64});
  v.field("table_ids", c.table_ids,
          {.doc = "Logical tables of a stage.", .from = compiler, .min = 1, .max = 256});
  v.field("ternary_tables", c.ternary_tables,
          {.doc = "Of these, ternary ones.", .from = compiler, .min = 0, .max = 256});
  v.field("gateways", c.gateways,
          {.doc = "Gateways (conditions) of a stage; for placement, no check uses it yet.",
           .from = compiler,
           .min = 0,
           .max = 256});
  v.field("exact_crossbar_bytes", c.exact_crossbar_bytes,
          {.doc = "Bytes that a stage's exact tables can match on.",
           .from = compiler,
           .min = 1,
           .max = 1024});
  v.field("ternary_crossbar_bytes", c.ternary_crossbar_bytes,
          {.doc = "Bytes that a stage's ternary tables can match on.",
           .from = compiler,
           .min = 1,
           .max = 1024});
  v.field("hash_bits", c.hash_bits,
          {.doc = "Hash bits of a stage (8 groups of 52); for placement, no check uses it yet.",
           .from = compiler,
           .min = 0,
           .max = 4096});
  v.field("action_bus_bytes", c.action_bus_bytes,
          {.doc = "Bytes of a stage's action data bus; for placement, no check uses it yet.",
           .from = compiler,
           .min = 1,
           .max = 1024});
}

/// One stateful ALU.
void describe_alu(Visitor& v, ChipSpec& c) {
  v.field("actions_per_array", c.actions_per_array,
          {.doc = "Register actions that one array may declare.",
           .from = compiler,
           .min = 1,
           .max = 64});
  v.field("conditions_per_action", c.conditions_per_action,
          {.doc = "Comparisons of one register action.", .from = compiler, .min = 0, .max = 2});
  v.field("updates_per_action", c.updates_per_action,
          {.doc = "Guarded updates of one register action.",
           .from = derived("one of two ALUs a word; the model's limit"),
           .min = 1,
           .max = 2});
  v.field("outputs_per_action", c.outputs_per_action,
          {.doc = "Words that one register action returns.", .from = compiler, .min = 0, .max = 1});
  v.field("inline_constant_min", c.inline_constant_min,
          {.doc = "Smallest constant that needs no register-file row.",
           .from = compiler,
           .min = -2147483648LL,
           .max = 0});
  v.field("inline_constant_max", c.inline_constant_max,
          {.doc = "Largest constant that needs no register-file row.",
           .from = compiler,
           .min = 0,
           .max = 2147483647});
  v.field(
      "register_file_rows", c.register_file_rows,
      {.doc = "Other constants of one array's actions.", .from = compiler, .min = 0, .max = 256});
}

/// One pipe and its ports.
void describe_pipe(Visitor& v, ChipSpec& c) {
  v.field("phv_bits", c.phv_bits,
          {.doc = "Bits of a pipe's header vector, shared by both gresses.",
           .from = compiler,
           .min = 1,
           .max = 65536});
  v.field(
      "tagalong_bits", c.tagalong_bits,
      {.doc = "Bits of containers that no ALU reaches.", .from = compiler, .min = 0, .max = 65536});
  v.field("phv_containers_8", c.phv_containers_8,
          {.doc = "Containers of 8 bits; for placement, no check uses it yet.",
           .from = compiler,
           .min = 0,
           .max = 4096});
  v.field("phv_containers_16", c.phv_containers_16,
          {.doc = "Containers of 16 bits; for placement, no check uses it yet.",
           .from = compiler,
           .min = 0,
           .max = 4096});
  v.field("phv_containers_32", c.phv_containers_32,
          {.doc = "Containers of 32 bits; for placement, no check uses it yet.",
           .from = compiler,
           .min = 0,
           .max = 4096});
  v.field("parser_rows", c.parser_rows,
          {.doc = "Rows of the parser's TCAM.", .from = compiler, .min = 1, .max = 65536});
  v.field("front_ports", c.front_ports,
          {.doc = "Ports of a pipe for machines and cables; bounds /switch/server_pipes only.",
           .from = derived("public product briefs: ports of the chip by its pipes"),
           .min = 1,
           .max = 256});
  v.field("port_rate", c.port_rate,
          {.doc = "Fastest rate of a front port; a faster one is refused.",
           .from = derived("public product briefs"),
           .min = sim::BitsPerSecond{1'000'000},
           .max = sim::gigabits_per_second(1600)});
  v.field("recirculation_ports", c.recirculation_ports,
          {.doc = "Loop ports that a pipe may have.",
           .from = paper("Fletch: one loop port a pipe and the cable"),
           .min = 0,
           .max = 64});
  v.field("recirculation_rate", c.recirculation_rate,
          {.doc = "Rate of a loop port.",
           .from = paper("Fletch prototype: 100G loop ports"),
           .min = sim::BitsPerSecond{1'000'000},
           .max = sim::gigabits_per_second(1600)});
  v.field("frame_overhead", c.frame_overhead,
          {.doc = "Preamble, gap and checksum of a frame on a port.",
           .from = derived("IEEE 802.3: 8 + 12 + 4 bytes"),
           .min = sim::Bytes{0},
           .max = sim::Bytes{256}});
}

/// Cycles.
void describe_latency(Visitor& v, ChipSpec& c) {
  v.field("match_dependent_stage_cycles", c.match_dependent_stage_cycles,
          {.doc = "Cycles from one stage to the next when it waits for the match.",
           .from = compiler,
           .min = 1,
           .max = 1000});
  v.field("stateful_cycles", c.stateful_cycles,
          {.doc = "More of them when the stage has stateful ALUs; every stage is taken to have.",
           .from = compiler,
           .min = 0,
           .max = 1000});
  v.field(
      "corner_turn_cycles", c.corner_turn_cycles,
      {.doc = "Cycles of the corner turn of a gress.", .from = compiler, .min = 0, .max = 1000});
  v.field("parser_cycles", c.parser_cycles,
          {.doc = "Cycles of a parser.",
           .from = assumed("a full pass then takes 0.4 to 0.7 us", "10..80"),
           .min = 0,
           .max = 10000});
  v.field("deparser_cycles", c.deparser_cycles,
          {.doc = "Cycles of a deparser.",
           .from = assumed("as parser_cycles", "5..60"),
           .min = 0,
           .max = 10000});
  v.field("traffic_manager_cycles", c.traffic_manager_cycles,
          {.doc = "Cycles of the traffic manager, store and forward, without queueing.",
           .from = assumed("as parser_cycles", "20..120"),
           .min = 0,
           .max = 10000});
  v.field("port_cycles", c.port_cycles,
          {.doc = "Cycles of a port's MAC, and of the way back from a loop port.",
           .from = assumed("as parser_cycles", "5..60"),
           .min = 0,
           .max = 10000});
}

}  // namespace

void describe(Visitor& v, ChipSpec& c) {
  v.field("name", c.name, {.doc = "Name of the chip in reports.", .min_size = 1, .max_size = 64});
  v.field("pipes", c.pipes,
          {.doc = "Pipes; each has its own stages and registers.",
           .from = derived("public product briefs: 4 pipes, 2-pipe parts exist"),
           .min = 1,
           .max = 8});
  v.field("stages", c.stages,
          {.doc = "Match-action stages of a pipe; both gresses share them.",
           .from = compiler,
           .min = 1,
           .max = 64});
  v.field("clock_hz", c.clock_hz,
          {.doc = "Clock in hertz: one packet enters a pipe each cycle.",
           .from = compiler,
           .min = 1000000,
           .max = 10000000000LL});
  describe_stage(v, c);
  describe_alu(v, c);
  describe_pipe(v, c);
  describe_latency(v, c);
}

Tofino2::Tofino2() {
  // Public figures differ from Tofino 1's in stages, clock and ALUs; the rest is taken over.
  name = "tofino2";
  stages = 20;
  clock_hz = 1'350'000'000;
  port_rate = sim::gigabits_per_second(400);
  recirculation_rate = sim::gigabits_per_second(400);
}

Rmt2013::Rmt2013() {
  // Bosshart et al. 2013 as modelled by Jose et al.'s compiler artefact.
  name = "rmt2013";
  pipes = 1;
  stages = 32;
  clock_hz = 1'000'000'000;
  sram_blocks = 106;
  sram_word_bits = 80;
  tcam_blocks = 16;
  tcam_block_words = 2048;
  tcam_word_bits = 40;
  map_rams = 106;
  exact_crossbar_bytes = 80;
  ternary_crossbar_bytes = 80;
  action_bus_bytes = 160;
  front_ports = 64;
  port_rate = sim::gigabits_per_second(10);
  recirculation_rate = sim::gigabits_per_second(10);
}

void describe(Visitor& v, ChipFile& c) {
  v.field("chip", c.chip, {.doc = "The chip: a known one, with any of its figures changed."});
}

const ChipSpec& chip_of(const ChipChoice& choice) {
  return std::visit([](const ChipSpec& chip) -> const ChipSpec& { return chip; }, choice);
}

}  // namespace recirc::pipeline
