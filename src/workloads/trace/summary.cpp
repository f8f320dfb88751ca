#include "workloads/trace/summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "workloads/trace/path_text.h"
#include "workloads/trace/trace.h"

namespace recirc::workloads::trace {
namespace {

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string depths(const TraceSummary& summary) {
  std::string out;
  for (std::size_t depth = 0; depth < summary.by_depth.size(); ++depth) {
    if (summary.by_depth[depth] == 0) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", depth, summary.by_depth[depth]);
  }
  return out;
}

nlohmann::ordered_json problems_json(const Problems& problems) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < problem_count; ++i) {
    const auto kind = static_cast<Problem>(i);
    const Problems::Entry& entry = problems.of(kind);
    if (entry.count == 0) continue;
    out[std::string{name(kind)}] = {
        {"count", entry.count}, {"lines", entry.lines}, {"examples", entry.examples}};
  }
  return out;
}

}  // namespace

TraceSummary summarise(const std::filesystem::path& file, Format format, bool strict) {
  return load(file, format, strict)->summary;
}

std::string text(const TraceSummary& summary) {
  std::string out = fmt::format(
      "{}: {} trace, {} lines, {} requests ({} denied) over {:.3f} s\n", printable(summary.file),
      summary.operations == 0 && summary.format == Format::automatic ? std::string_view{"empty"}
                                                                     : name(summary.format),
      summary.lines, summary.operations, summary.denied, summary.span_s);
  if (summary.operations > 0) {
    out += "requests by operation:\n";
    for (std::size_t i = 0; i < op_kind_count; ++i) {
      if (summary.by_kind[i] == 0) continue;
      out += fmt::format("  {:<8} {:>10}  {}\n", op_kind_names[i], summary.by_kind[i],
                         percent(summary.by_kind[i], summary.operations));
    }
    out += fmt::format(
        "paths: {} named, {} with their ancestors, {} directories, {} there at the start\n",
        summary.paths_named, summary.paths, summary.directories, summary.paths_at_start);
    out += fmt::format("longest path: {} bytes; named paths by depth: {}\n", summary.longest_path,
                       depths(summary));
  }
  const std::string problems = summary.problems.text(false);
  return out + (problems.empty() ? "no problems\n" : "problems:\n" + problems);
}

nlohmann::ordered_json json(const TraceSummary& summary) {
  nlohmann::ordered_json by_kind = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < op_kind_count; ++i) {
    if (summary.by_kind[i] > 0) by_kind[std::string{op_kind_names[i]}] = summary.by_kind[i];
  }
  nlohmann::ordered_json by_depth = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < summary.by_depth.size(); ++i) {
    if (summary.by_depth[i] > 0) by_depth[std::to_string(i)] = summary.by_depth[i];
  }
  return {{"file", printable(summary.file)},
          {"format", name(summary.format)},
          {"lines", summary.lines},
          {"operations", summary.operations},
          {"denied", summary.denied},
          {"by_kind", by_kind},
          {"by_command", summary.by_command},
          {"paths_named", summary.paths_named},
          {"paths", summary.paths},
          {"directories", summary.directories},
          {"paths_at_start", summary.paths_at_start},
          {"longest_path", summary.longest_path},
          {"by_depth", by_depth},
          {"span_s", summary.span_s},
          {"problems", problems_json(summary.problems)}};
}

}  // namespace recirc::workloads::trace
