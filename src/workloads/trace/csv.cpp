#include "workloads/trace/csv.h"

#include <algorithm>
#include <utility>

#include "workloads/trace/timestamp.h"

namespace recirc::workloads::trace {
namespace {

struct CsvName {
  std::string_view name;
  std::size_t column;
  Stamp unit;  ///< of a time
};

// By Column: time, op, path, dst, allowed, mode, owner, group, user.
constexpr std::array<CsvName, 19> csv_names = {{
    {"time", 0, std::chrono::seconds{1}},
    {"time_s", 0, std::chrono::seconds{1}},
    {"time_ms", 0, std::chrono::milliseconds{1}},
    {"time_us", 0, std::chrono::microseconds{1}},
    {"time_ns", 0, std::chrono::nanoseconds{1}},
    {"timestamp", 0, std::chrono::seconds{1}},
    {"op", 1, {}},
    {"operation", 1, {}},
    {"cmd", 1, {}},
    {"command", 1, {}},
    {"path", 2, {}},
    {"src", 2, {}},
    {"dst", 3, {}},
    {"destination", 3, {}},
    {"allowed", 4, {}},
    {"mode", 5, {}},
    {"owner", 6, {}},
    {"group", 7, {}},
    {"user", 8, {}},
}};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void cut_blanks_behind(std::string& text) {
  while (!text.empty() && is_blank(text.back())) text.pop_back();
}

}  // namespace

/// Splits into fields_; false if a quote is not closed or text follows a closing quote.
bool CsvParser::split(std::string_view line) {
  count_ = 0;
  std::size_t at = 0;
  for (;;) {
    if (count_ == fields_.size()) fields_.emplace_back();
    std::string& out = fields_[count_++];
    out.clear();
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at == line.size()) return false;
        if (line[at] == '"' && !line.substr(at + 1).starts_with('"')) break;
        if (line[at] == '"') ++at;
        out.push_back(line[at]);
      }
      for (++at; at < line.size() && is_blank(line[at]);) ++at;
      if (at < line.size() && line[at] != ',') return false;
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      out.append(line.substr(at, end - at));
      cut_blanks_behind(out);
      at = end;
    }
    if (at >= line.size()) return true;
    ++at;
  }
}

bool CsvParser::read_header() {
  std::array<std::size_t, column_count> columns;
  columns.fill(no_column);
  Stamp unit = unit_;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto* known = std::ranges::find(csv_names, fields_[i], &CsvName::name);
    if (known == csv_names.end() || columns[known->column] != no_column) continue;
    columns[known->column] = i;
    if (known->column == time) unit = known->unit;
  }
  if (columns[time] == no_column || columns[op] == no_column || columns[path] == no_column) {
    return false;
  }
  columns_ = columns;
  unit_ = unit;
  has_header_ = true;
  return true;
}

std::string_view CsvParser::field(Column column) const {
  const std::size_t index = columns_[column];
  return index < count_ ? std::string_view{fields_[index]} : std::string_view{};
}

bool CsvParser::read_attributes(RawRecord& record) const {
  static constexpr std::array<std::string_view, caller_count> callers{"owner", "member",
                                                                      "stranger"};
  static constexpr std::array<std::string_view, 2> groups{"owners", "strangers"};
  const auto which = [](std::string_view text, auto names, std::uint16_t& out) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool number = text.size() == 1 && text[0] == static_cast<char>('0' + i);
      if (text == names[i] || number) {
        out = static_cast<std::uint16_t>(i);
        return true;
      }
    }
    return text.empty();
  };
  record.set = {};
  std::uint16_t caller = 0;
  if (!which(field(user), callers, caller) || !which(field(owner), callers, record.set.owner) ||
      !which(field(group), groups, record.set.group)) {
    return false;
  }
  record.caller = static_cast<Caller>(caller);
  const std::string_view octal = field(mode);
  if (octal.empty()) return true;
  record.set.mode = 0;
  for (const char digit : octal) {
    if (digit < '0' || digit > '7' || octal.size() > 4) return false;
    record.set.mode = static_cast<std::uint16_t>(record.set.mode * 8 + (digit - '0'));
  }
  return record.set.mode <= 0777;
}

LineKind CsvParser::parse(std::string_view line, RawRecord& record) {
  if (line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '#') {
    return LineKind::blank;
  }
  const bool whole = split(line);
  if (std::exchange(first_, false) && whole && read_header()) return LineKind::blank;
  if (!whole || count_ < 3) return LineKind::broken;
  record.command = field(op);
  record.path = field(path);
  record.destination = field(dst);
  const std::string_view verdict = field(allowed);
  record.allowed = verdict.empty() || verdict == "true" || verdict == "1";
  if (!record.allowed && verdict != "false" && verdict != "0") return LineKind::broken;
  if (record.command.empty() || !read_attributes(record)) return LineKind::broken;
  auto stamp = parse_decimal_time(field(time), unit_);
  if (!stamp) stamp = parse_timestamp(field(time));
  if (!stamp) return LineKind::bad_time;
  record.time = *stamp;
  return LineKind::record;
}

}  // namespace recirc::workloads::trace
