#include "workloads/trace/problems.h"

#include <fmt/format.h>

#include "workloads/trace/path_text.h"

namespace recirc::workloads::trace {
namespace {

struct ProblemText {
  std::string_view name;
  std::string_view one;
  std::string_view many;
};

constexpr std::array<ProblemText, problem_count> problem_texts = {{
    {"broken_line", "broken line", "broken lines"},
    {"foreign_line", "line that is no audit record", "lines that are no audit records"},
    {"bad_time", "line with an unreadable time", "lines with an unreadable time"},
    {"long_line", "overlong line", "overlong lines"},
    {"unknown_command", "line with an unknown command", "lines with an unknown command"},
    {"ignored_command", "line with an ignored command", "lines with an ignored command"},
    {"unusable_path", "line without a usable path", "lines without a usable path"},
    {"oversize_name", "path with a name over 255 bytes", "paths with a name over 255 bytes"},
    {"too_deep", "path deeper than 64 levels", "paths deeper than 64 levels"},
    {"out_of_order", "line earlier than one before it", "lines earlier than one before them"},
    {"damaged_file", "place where the file is damaged", "places where the file is damaged"},
}};

constexpr std::size_t example_bytes = 60;

std::size_t index_of(Problem kind) { return static_cast<std::size_t>(kind); }

}  // namespace

std::string_view name(Problem kind) { return problem_texts[index_of(kind)].name; }

void Problems::add(Problem kind, std::uint64_t line, std::string_view example) {
  Entry& entry = entries_[index_of(kind)];
  if (entry.count++ >= kept) return;
  entry.lines.push_back(line);
  const bool cut = example.size() > example_bytes;
  entry.examples.push_back(printable(example.substr(0, example_bytes)) + (cut ? "..." : ""));
}

const Problems::Entry& Problems::of(Problem kind) const { return entries_[index_of(kind)]; }

std::uint64_t Problems::errors() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < problem_count; ++i) {
    if (static_cast<Problem>(i) != Problem::ignored_command) sum += entries_[i].count;
  }
  return sum;
}

std::string Problems::text(bool errors_only) const {
  std::string out;
  for (std::size_t i = 0; i < problem_count; ++i) {
    const Entry& entry = entries_[i];
    if (entry.count == 0) continue;
    if (errors_only && static_cast<Problem>(i) == Problem::ignored_command) continue;
    const ProblemText& texts = problem_texts[i];
    out += fmt::format("{} {}: {}", entry.count, entry.count == 1 ? texts.one : texts.many,
                       entry.count == 1 ? "line" : "lines");
    for (std::size_t k = 0; k < entry.lines.size(); ++k) {
      out += fmt::format("{} {}", k == 0 ? "" : ",", entry.lines[k]);
      if (!entry.examples[k].empty()) out += fmt::format(" ({})", entry.examples[k]);
    }
    out += entry.count > entry.lines.size() ? ", ...\n" : "\n";
  }
  return out;
}

}  // namespace recirc::workloads::trace
