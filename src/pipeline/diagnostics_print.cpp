#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "pipeline/diagnostics.h"

namespace recirc::pipeline {
namespace {

nlohmann::json use_to_json(const StageUse& use) {
  return {{"sram_blocks", use.sram_blocks},
          {"map_rams", use.map_rams},
          {"tcam_blocks", use.tcam_blocks},
          {"table_ids", use.table_ids},
          {"stateful_alus", use.stateful_alus},
          {"exact_crossbar_bytes", use.exact_crossbar_bytes},
          {"ternary_crossbar_bytes", use.ternary_crossbar_bytes},
          {"objects", use.objects}};
}

}  // namespace

std::string to_text(const LayoutReport& checked) {
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  const ChipSpec& chip = checked.chip;
  fmt::format_to(out, "{} on {}\n", fmt::join(checked.programs, " + "), chip.name);
  fmt::format_to(out, "{:>5}  {:>11}  {:>9}  {:>9}  {:>13}  {:>9}\n", "stage", "SRAM blocks",
                 "TCAM", "table ids", "stateful ALUs", "crossbar");
  fmt::format_to(out, "{:>5}  {:>11}  {:>9}  {:>9}  {:>13}  {:>9}   in+out of\n", "",
                 chip.sram_blocks, chip.tcam_blocks, chip.table_ids, chip.stateful_alus,
                 chip.exact_crossbar_bytes);
  const auto pair = [](std::int64_t in, std::int64_t eg) { return fmt::format("{}+{}", in, eg); };
  for (std::size_t number = 0; number < checked.ingress.size(); ++number) {
    const StageUse& in = checked.ingress[number];
    const StageUse& eg = checked.egress[number];
    fmt::format_to(out, "{:>5}  {:>11}  {:>9}  {:>9}  {:>13}  {:>9}\n", number,
                   pair(in.sram_blocks, eg.sram_blocks), pair(in.tcam_blocks, eg.tcam_blocks),
                   pair(in.table_ids, eg.table_ids), pair(in.stateful_alus, eg.stateful_alus),
                   pair(in.exact_crossbar_bytes, eg.exact_crossbar_bytes));
  }
  const StageUse total = checked.total();
  fmt::format_to(out, "total: {} of {} SRAM blocks, {} of {} table ids, {} of {} stateful ALUs\n",
                 total.sram_blocks, chip.sram_blocks * chip.stages, total.table_ids,
                 chip.table_ids * chip.stages, total.stateful_alus,
                 chip.stateful_alus * chip.stages);
  fmt::format_to(out, "headers: {} bits of {} + {} (tagalong); parser: {} of {} rows\n",
                 checked.header_bits, chip.phv_bits, chip.tagalong_bits, checked.parser_rows,
                 chip.parser_rows);
  for (const Violation& violation : checked.violations) {
    fmt::format_to(out, "refused ({}): {}: {}: {}\n", violation.rule, violation.program,
                   violation.object, violation.message);
  }
  if (checked.violations.empty()) fmt::format_to(out, "fits\n");
  return fmt::to_string(text);
}

nlohmann::json to_json(const LayoutReport& checked) {
  const ChipSpec& chip = checked.chip;
  nlohmann::json stages = nlohmann::json::array();
  for (std::size_t number = 0; number < checked.ingress.size(); ++number) {
    stages.push_back({{"stage", number},
                      {"ingress", use_to_json(checked.ingress[number])},
                      {"egress", use_to_json(checked.egress[number])}});
  }
  nlohmann::json violations = nlohmann::json::array();
  for (const Violation& violation : checked.violations) {
    violations.push_back({{"rule", violation.rule},
                          {"program", violation.program},
                          {"object", violation.object},
                          {"stage", violation.stage},
                          {"message", violation.message}});
  }
  nlohmann::json total = use_to_json(checked.total());
  total.erase("objects");
  return {{"chip", chip.name},
          {"programs", checked.programs},
          {"stages", stages},
          {"total", total},
          {"budget",
           {{"stages", chip.stages},
            {"sram_blocks", chip.sram_blocks},
            {"map_rams", chip.map_rams},
            {"tcam_blocks", chip.tcam_blocks},
            {"table_ids", chip.table_ids},
            {"stateful_alus", chip.stateful_alus},
            {"exact_crossbar_bytes", chip.exact_crossbar_bytes},
            {"ternary_crossbar_bytes", chip.ternary_crossbar_bytes}}},
          {"header_bits", checked.header_bits},
          {"parser_rows", checked.parser_rows},
          {"violations", violations},
          {"fits", checked.violations.empty()}};
}

}  // namespace recirc::pipeline
