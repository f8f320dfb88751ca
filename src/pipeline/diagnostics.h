#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "pipeline/chip.h"
#include "pipeline/layout.h"

namespace recirc::pipeline {

class Program;

/// What one gress uses of one stage.
struct StageUse {
  std::int64_t sram_blocks = 0;
  std::int64_t map_rams = 0;
  std::int64_t tcam_blocks = 0;
  std::int64_t table_ids = 0;
  std::int64_t ternary_tables = 0;
  std::int64_t stateful_alus = 0;
  std::int64_t exact_crossbar_bytes = 0;
  std::int64_t ternary_crossbar_bytes = 0;
  std::vector<std::string> objects;  ///< names of tables, arrays and computations

  StageUse& operator+=(const StageUse& other);
};

/// One thing that the chip would refuse. `rule` is a short fixed name, such as "stateful_alus".
struct Violation {
  std::string rule;
  std::string program;
  std::string object;
  int stage = -1;
  std::string message;
};

/// Layouts beside the chip's budgets. A stage's memories, table ids and ALUs serve both gresses
/// and all programs.
struct LayoutReport {
  ChipSpec chip;
  std::vector<std::string> programs;
  std::vector<StageUse> ingress;  ///< by stage
  std::vector<StageUse> egress;
  std::int64_t header_bits = 0;  ///< overlays counted once, metadata included
  std::int64_t parser_rows = 0;
  std::vector<Violation> violations;

  [[nodiscard]] StageUse stage(std::size_t number) const;  ///< both gresses
  [[nodiscard]] StageUse total() const;
};

/// Blocks are estimated as the compiler back end counts them: a register array takes its data
/// blocks and one spare, each with a map RAM; an exact entry its key, result and four bits.
LayoutReport report(const ChipSpec& chip, std::span<const Layout* const> layouts);
LayoutReport report(const ChipSpec& chip, std::span<const Program* const> programs);

/// Throws ConstraintViolation with the first violation and, in its text, all of them.
void require_fit(const ChipSpec& chip, std::span<const Program* const> programs);

std::string to_text(const LayoutReport& checked);
nlohmann::json to_json(const LayoutReport& checked);

}  // namespace recirc::pipeline
