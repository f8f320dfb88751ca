#include "workloads/trace/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/error.h"
#include "workloads/trace/csv.h"
#include "workloads/trace/hdfs_audit.h"
#include "workloads/trace/line_reader.h"
#include "workloads/trace/path_text.h"

namespace recirc::workloads::trace {
namespace {

/// A bound on the times between records, so that they fit StoredOperation: nine years.
constexpr Stamp longest_span{(std::int64_t{1} << 58) - 1};

/// What the first lines look like; nothing if no line is of any format.
std::optional<Format> detect(std::string_view text) {
  HdfsAuditParser audit;
  CsvParser csv;
  RawRecord record;
  std::optional<Format> likely;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    if (line.ends_with('\r')) line.remove_suffix(1);
    LineKind kind = audit.parse(line, record);
    if (kind == LineKind::record || kind == LineKind::bad_time) return Format::hdfs_audit;
    // A broken record may be one that only begins in this text.
    if (kind == LineKind::broken && !likely) likely = Format::hdfs_audit;
    kind = csv.parse(line, record);
    if (csv.has_header()) return Format::csv;
    if (kind == LineKind::record && find_command(record.command) != nullptr) return Format::csv;
  }
  return likely;
}

std::unique_ptr<LineParser> make_parser(Format format) {
  if (format == Format::csv) return std::make_unique<CsvParser>();
  return std::make_unique<HdfsAuditParser>();
}

}  // namespace

std::string_view name(Format format) {
  switch (format) {
    case Format::automatic:
      return "auto";
    case Format::hdfs_audit:
      return "hdfs_audit";
    case Format::csv:
      return "csv";
  }
  return "auto";
}

Reader::Reader(const std::filesystem::path& file, Format format)
    : lines_(std::make_unique<LineReader>(file)), format_(format) {
  const std::string_view beginning = lines_->peek();
  if (format_ == Format::automatic && !beginning.empty()) {
    const auto found = detect(beginning);
    if (!found) {
      throw sim::InputOutputError(fmt::format(
          "cannot tell the format of {}: its first lines are neither HDFS audit records nor CSV "
          "(time,op,path[,dst]); the first is \"{}\"",
          file.string(),
          printable(beginning.substr(0, std::min<std::size_t>(beginning.find('\n'), 80)))));
    }
    format_ = *found;
  }
  parser_ = make_parser(format_);
}

Reader::~Reader() = default;

std::uint64_t Reader::lines() const { return lines_->number(); }

bool Reader::next(Record& record) {
  std::string_view line;
  RawRecord raw;
  while (lines_->next(line)) {
    const std::uint64_t number = lines_->number();
    if (lines_->cut()) {
      problems_.add(Problem::long_line, number);
      continue;
    }
    if (line.find('\0') != std::string_view::npos) {
      problems_.add(Problem::broken_line, number, line);
      continue;
    }
    const LineKind kind = parser_->parse(line, raw);
    switch (kind) {
      case LineKind::blank:
        break;
      case LineKind::foreign:
        problems_.add(Problem::foreign_line, number, line);
        break;
      case LineKind::broken:
        problems_.add(Problem::broken_line, number, line);
        break;
      case LineKind::bad_time:
        problems_.add(Problem::bad_time, number);
        [[fallthrough]];
      case LineKind::record:
        if (accept(raw, kind == LineKind::record, record)) return true;
        break;
    }
  }
  finish();
  return false;
}

void Reader::finish() {
  if (!finished_ && !lines_->damage().empty()) {
    problems_.add(Problem::damaged_file, lines_->number(), lines_->damage());
  }
  finished_ = true;
}

Stamp Reader::time_of(Stamp recorded) {
  if (!first_) first_ = recorded;
  const Stamp time = recorded - *first_;
  if (time >= latest_ && time <= longest_span) return time;
  problems_.add(time < latest_ ? Problem::out_of_order : Problem::bad_time, lines_->number());
  return latest_;
}

bool Reader::accept(const RawRecord& raw, bool timed, Record& record) {
  const std::uint64_t line = lines_->number();
  const Command* command = find_command(raw.command);
  if (command == nullptr) {
    problems_.add(Problem::unknown_command, line, raw.command);
    return false;
  }
  if (!command->operation) {
    problems_.add(Problem::ignored_command, line, command->name);
    return false;
  }
  const bool on_destination = command->acts == Command::Acts::on_destination;
  if (!accept_path(on_destination ? raw.destination : raw.path, path_, line)) return false;
  destination_.clear();
  if (*command->operation == OpKind::rename) {
    const bool has_none = raw.destination.empty() || raw.destination == "null";
    // One that was refused has nothing to move; else there is no telling where it went.
    const bool needs_none = has_none && !raw.allowed;
    if (!needs_none && !accept_path(raw.destination, destination_, line)) return false;
  }
  if (timed) latest_ = time_of(raw.time);
  record = {latest_,      *command->operation, command, raw.allowed, path_,
            destination_, raw.caller,          raw.set, line};
  return true;
}

bool Reader::accept_path(std::string_view text, std::string& out, std::uint64_t line) {
  switch (normalise(text, out)) {
    case PathCheck::fine:
      return true;
    case PathCheck::none:
    case PathCheck::unusable:
      problems_.add(Problem::unusable_path, line, text);
      return false;
    case PathCheck::oversize_name:
      problems_.add(Problem::oversize_name, line, text);
      return false;
    case PathCheck::too_deep:
      problems_.add(Problem::too_deep, line, text);
      return false;
  }
  return false;
}

}  // namespace recirc::workloads::trace
