#include "pipeline/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "pipeline/program.h"
#include "sim/error.h"

namespace recirc::pipeline {
namespace {

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t bits_of_key(const TableSpec& table) {
  std::int64_t bits = 0;
  for (const Field& field : table.key) bits += field.bits;
  return bits;
}

/// Builds a report one layout at a time.
class Checker {
 public:
  Checker(const ChipSpec& chip, LayoutReport& out) : chip_(chip), out_(out) {
    out_.chip = chip;
    out_.ingress.resize(static_cast<std::size_t>(chip.stages));
    out_.egress.resize(static_cast<std::size_t>(chip.stages));
  }

  void add(const Layout& layout) {
    program_ = layout.program;
    out_.programs.push_back(layout.program);
    out_.parser_rows += layout.parser_rows;
    add_headers(layout);
    for (const TableSpec& table : layout.tables) add_table(table);
    for (const ArraySpec& array : layout.arrays) add_array(array);
    for (const Computation& computation : layout.computations) {
      if (StageUse* use = stage_of(computation.name, computation.gress, computation.stage)) {
        ++use->table_ids;
        use->objects.push_back(computation.name);
      }
    }
  }

  void check_budgets();

 private:
  void violate(std::string rule, std::string object, int stage, std::string message) {
    out_.violations.push_back(
        {std::move(rule), program_, std::move(object), stage, std::move(message)});
  }

  StageUse* stage_of(const std::string& object, Gress gress, unsigned stage) {
    auto& stages = gress == Gress::ingress ? out_.ingress : out_.egress;
    if (stage < stages.size()) return &stages[stage];
    violate("stages", object, static_cast<int>(stage),
            fmt::format("is pinned to stage {}, but the chip has {} stages", stage, chip_.stages));
    return nullptr;
  }

  void add_headers(const Layout& layout);
  void add_table(const TableSpec& table);
  void add_array(const ArraySpec& array);
  void check_actions(const ArraySpec& array);
  void check_action(const ArraySpec& array, const RegisterAction& action);
  void check_words(const ArraySpec& array, const RegisterAction& action);

  const ChipSpec& chip_;
  LayoutReport& out_;
  std::string program_;
};

void Checker::add_headers(const Layout& layout) {
  std::map<std::string, std::int64_t> widest;
  for (const HeaderSpec& header : layout.headers) {
    std::int64_t bits = 0;
    for (const Field& field : header.fields) bits += field.bits;
    if (header.overlay.empty()) {
      out_.header_bits += bits;
    } else {
      widest[header.overlay] = std::max(widest[header.overlay], bits);
    }
  }
  for (const auto& [overlay, bits] : widest) out_.header_bits += bits;
}

void Checker::add_table(const TableSpec& table) {
  StageUse* use = stage_of(table.name, table.gress, table.stage);
  if (use == nullptr) return;
  const std::int64_t key_bits = bits_of_key(table);
  const std::int64_t key_bytes = divide_up(key_bits, 8);
  const std::int64_t entries = table.entries;
  ++use->table_ids;
  use->objects.push_back(table.name);
  if (table.result_bits > 64) {
    violate("result_bits", table.name, table.stage, "gives more than 64 result bits");
  }
  const bool exact = table.match == MatchKind::exact;
  const std::int64_t crossbar = exact ? chip_.exact_crossbar_bytes : chip_.ternary_crossbar_bytes;
  if (key_bytes > crossbar) {
    violate("key_width", table.name, table.stage,
            fmt::format("matches on {} bytes, the crossbar has {}", key_bytes, crossbar));
  }
  if (exact) {
    use->exact_crossbar_bytes += key_bytes;
    constexpr std::int64_t version_bits = 4;
    const std::int64_t bits = key_bits + table.result_bits + version_bits;
    const std::int64_t words = divide_up(bits, chip_.sram_word_bits);
    const std::int64_t packed = words > 1 ? 1 : chip_.sram_word_bits / bits;
    use->sram_blocks += words * divide_up(divide_up(entries, packed), chip_.sram_block_words);
    return;
  }
  ++use->ternary_tables;
  use->ternary_crossbar_bytes += key_bytes;
  use->tcam_blocks +=
      divide_up(key_bits, chip_.tcam_word_bits) * divide_up(entries, chip_.tcam_block_words);
  use->sram_blocks +=
      divide_up(entries * table.result_bits, chip_.sram_word_bits * chip_.sram_block_words);
}

void Checker::add_array(const ArraySpec& array) {
  check_actions(array);
  StageUse* use = stage_of(array.name, array.gress, array.stage);
  if (use == nullptr) return;
  const std::int64_t block_bits = chip_.sram_block_words * chip_.sram_word_bits;
  const std::int64_t blocks =
      divide_up(std::int64_t{array.entries} * bits_of(array.width), block_bits) + 1;
  if (blocks > chip_.map_rams) {
    violate("array_size", array.name, array.stage,
            fmt::format("needs {} memories in one stage, which has {} that can hold registers",
                        blocks, chip_.map_rams));
  }
  use->sram_blocks += blocks;
  use->map_rams += blocks;
  ++use->table_ids;  // the table that the action is attached to: one array a table
  ++use->stateful_alus;
  use->objects.push_back(array.name);
}

void Checker::check_actions(const ArraySpec& array) {
  const auto count = static_cast<std::int64_t>(array.actions.size());
  if (count > chip_.actions_per_array) {
    violate("actions", array.name, array.stage,
            fmt::format("declares {} register actions, an ALU holds {}", count,
                        chip_.actions_per_array));
  }
  std::set<std::int64_t> rows;
  const auto note = [&](const Operand& operand) {
    if (operand.source != Source::constant) return;
    if (operand.constant < chip_.inline_constant_min ||
        operand.constant > chip_.inline_constant_max) {
      rows.insert(operand.constant);
    }
  };
  const auto note_both = [&](const Expression& expression) {
    note(expression.left);
    if (expression.op != AluOp::left) note(expression.right);
  };
  for (const RegisterAction& action : array.actions) {
    check_action(array, action);
    for (const Condition& condition : action.conditions) {
      note_both(condition.value);
      note(condition.against);
    }
    for (const Update& update : action.updates) note_both(update.value);
  }
  if (static_cast<std::int64_t>(rows.size()) > chip_.register_file_rows) {
    violate("constants", array.name, array.stage,
            fmt::format("uses {} constants outside {}..{}, the ALU's register file has {} rows",
                        rows.size(), chip_.inline_constant_min, chip_.inline_constant_max,
                        chip_.register_file_rows));
  }
}

void Checker::check_action(const ArraySpec& array, const RegisterAction& action) {
  const auto limit = [&](std::size_t count, std::int64_t most, const char* rule) {
    if (static_cast<std::int64_t>(count) <= most) return;
    violate(rule, array.name, array.stage,
            fmt::format("action {} has {} {}, an ALU has {}", action.name, count, rule, most));
  };
  limit(action.conditions.size(), chip_.conditions_per_action, "conditions");
  limit(action.updates.size(), chip_.updates_per_action, "updates");
  limit(action.outputs.size(), chip_.outputs_per_action, "outputs");
  check_words(array, action);
}

void Checker::check_words(const ArraySpec& array, const RegisterAction& action) {
  if (is_pair(array.width)) return;
  bool high = false;
  bool computed = !action.conditions.empty();
  const auto look = [&](const Expression& expression) {
    high = high || expression.left.source == Source::old_high ||
           (expression.op != AluOp::left && expression.right.source == Source::old_high);
  };
  for (const Condition& condition : action.conditions) {
    look(condition.value);
    high = high || condition.against.source == Source::old_high;
  }
  for (const Update& update : action.updates) {
    look(update.value);
    high = high || update.word == Word::high;
    computed =
        computed || update.value.op != AluOp::left || update.value.left.source != Source::constant;
  }
  for (const Output& output : action.outputs) {
    high =
        high || output.source == OutputSource::old_high || output.source == OutputSource::new_high;
  }
  if (high) {
    violate("words", array.name, array.stage,
            fmt::format("action {} uses a high word, which only pairs have", action.name));
  }
  if (array.width == RegisterWidth::bit && computed) {
    violate("bit_actions", array.name, array.stage,
            fmt::format("action {} does more to a 1-bit register than set, clear or read it",
                        action.name));
  }
}

void Checker::check_budgets() {
  program_ = fmt::format("{}", fmt::join(out_.programs, "+"));
  for (std::size_t number = 0; number < out_.ingress.size(); ++number) {
    const StageUse use = out_.stage(number);
    const auto limit = [&](const char* rule, std::int64_t used, std::int64_t budget) {
      if (used <= budget) return;
      violate(rule, fmt::format("{}", fmt::join(use.objects, ", ")), static_cast<int>(number),
              fmt::format("stage {} needs {} {}, it has {}", number, used, rule, budget));
    };
    limit("stateful_alus", use.stateful_alus, chip_.stateful_alus);
    limit("sram_blocks", use.sram_blocks, chip_.sram_blocks);
    limit("map_rams", use.map_rams, chip_.map_rams);
    limit("tcam_blocks", use.tcam_blocks, chip_.tcam_blocks);
    limit("table_ids", use.table_ids, chip_.table_ids);
    limit("ternary_tables", use.ternary_tables, chip_.ternary_tables);
    limit("exact_crossbar_bytes", use.exact_crossbar_bytes, chip_.exact_crossbar_bytes);
    limit("ternary_crossbar_bytes", use.ternary_crossbar_bytes, chip_.ternary_crossbar_bytes);
  }
  const std::int64_t phv = chip_.phv_bits + chip_.tagalong_bits;
  if (out_.header_bits > phv) {
    violate(
        "header_bits", "headers", -1,
        fmt::format("headers and metadata take {} bits, the PHV has {}", out_.header_bits, phv));
  }
  if (out_.parser_rows > chip_.parser_rows) {
    violate(
        "parser_rows", "parser", -1,
        fmt::format("the parsers take {} rows, there are {}", out_.parser_rows, chip_.parser_rows));
  }
}

std::vector<const Layout*> layouts_of(std::span<const Program* const> programs) {
  std::vector<const Layout*> layouts;
  for (const Program* program : programs) layouts.push_back(&program->layout());
  return layouts;
}

}  // namespace

StageUse& StageUse::operator+=(const StageUse& other) {
  sram_blocks += other.sram_blocks;
  map_rams += other.map_rams;
  tcam_blocks += other.tcam_blocks;
  table_ids += other.table_ids;
  ternary_tables += other.ternary_tables;
  stateful_alus += other.stateful_alus;
  exact_crossbar_bytes += other.exact_crossbar_bytes;
  ternary_crossbar_bytes += other.ternary_crossbar_bytes;
  objects.insert(objects.end(), other.objects.begin(), other.objects.end());
  return *this;
}

StageUse LayoutReport::stage(std::size_t number) const {
  StageUse sum = ingress[number];
  sum += egress[number];
  return sum;
}

StageUse LayoutReport::total() const {
  StageUse sum;
  for (std::size_t number = 0; number < ingress.size(); ++number) sum += stage(number);
  return sum;
}

LayoutReport report(const ChipSpec& chip, std::span<const Layout* const> layouts) {
  LayoutReport out;
  Checker checker(chip, out);
  for (const Layout* layout : layouts) checker.add(*layout);
  checker.check_budgets();
  return out;
}

LayoutReport report(const ChipSpec& chip, std::span<const Program* const> programs) {
  return report(chip, std::span<const Layout* const>(layouts_of(programs)));
}

void require_fit(const ChipSpec& chip, std::span<const Program* const> programs) {
  const LayoutReport checked = report(chip, programs);
  if (checked.violations.empty()) return;
  std::string all;
  for (const Violation& violation : checked.violations) {
    if (!all.empty()) all += "; ";
    all += fmt::format("{}: {}", violation.object, violation.message);
  }
  const Violation& first = checked.violations.front();
  throw sim::ConstraintViolation({first.program, first.object, first.stage, 0, 0},
                                 "does not fit " + chip.name + ": " + all);
}

}  // namespace recirc::pipeline
