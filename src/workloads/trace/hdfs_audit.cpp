#include "workloads/trace/hdfs_audit.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "workloads/trace/timestamp.h"

namespace recirc::workloads::trace {
namespace {

enum AuditField : std::size_t { allowed, ugi, ip, cmd, src, dst, perm, tracking, proto, context };
constexpr std::array<std::string_view, 10> audit_keys = {
    "allowed", "ugi", "ip", "cmd", "src", "dst", "perm", "trackingId", "proto", "callerContext"};
constexpr std::size_t no_field = audit_keys.size();

struct AuditFields {
  std::array<std::string_view, audit_keys.size()> values;
  std::array<bool, audit_keys.size()> present{};
};

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Where `marker` stands in a line as the start of a word of its own.
std::size_t find_word(std::string_view line, std::string_view marker) {
  for (std::size_t at = line.find(marker); at != std::string_view::npos;
       at = line.find(marker, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    if (before == ' ' || before == '\t' || before == ':' || before == '-') return at;
  }
  return std::string_view::npos;
}

/// Where the record starts in a line. Before Hadoop 0.21 it had no "allowed=".
std::size_t find_record(std::string_view line) {
  const std::size_t at = find_word(line, "allowed=");
  if (at != std::string_view::npos) return at;
  const bool old_form = find_word(line, "cmd=") != std::string_view::npos;
  return old_form ? find_word(line, "ugi=") : std::string_view::npos;
}

/// The field whose name and '=' a piece starts with, unless it was there already.
std::size_t field_of(std::string_view piece, const AuditFields& fields) {
  const std::size_t equals = piece.find('=');
  if (equals == std::string_view::npos) return no_field;
  const auto key = std::ranges::find(audit_keys, piece.substr(0, equals));
  const auto field = static_cast<std::size_t>(key - audit_keys.begin());
  return field != no_field && !fields.present[field] ? field : no_field;
}

AuditFields split_fields(std::string_view body) {
  AuditFields fields;
  const char separator = body.find('\t') == std::string_view::npos ? ' ' : '\t';
  std::size_t current = no_field;
  std::size_t value_at = 0;
  const auto close = [&](std::size_t end) {
    if (current == no_field) return;
    const std::string_view value = body.substr(value_at, end - value_at);
    fields.values[current] = separator == ' ' ? without_blanks(value) : value;
  };
  for (std::size_t at = 0; at <= body.size();) {
    const std::size_t end = std::min(body.find(separator, at), body.size());
    const std::size_t field = field_of(body.substr(at, end - at), fields);
    if (field != no_field) {  // any other piece goes on with the value before it
      if (at > 0) close(at - 1);
      fields.present[field] = true;
      current = field;
      value_at = at + audit_keys[field].size() + 1;
      if (field == context) break;
    }
    at = end + 1;
  }
  close(body.size());
  return fields;
}

}  // namespace

LineKind HdfsAuditParser::parse(std::string_view line, RawRecord& record) {
  if (without_blanks(line).empty()) return LineKind::blank;
  const std::size_t start = find_record(line);
  if (start == std::string_view::npos) return LineKind::foreign;
  const AuditFields fields = split_fields(line.substr(start));
  for (const AuditField needed : {cmd, src, dst}) {
    if (!fields.present[needed]) return LineKind::broken;
  }
  const std::string_view verdict =
      fields.present[allowed] ? without_blanks(fields.values[allowed]) : "true";
  if (verdict != "true" && verdict != "false") return LineKind::broken;
  record.allowed = verdict == "true";
  record.command = without_blanks(fields.values[cmd]);
  record.command = record.command.substr(0, record.command.find_first_of(" ("));
  if (record.command.empty()) return LineKind::broken;
  record.path = fields.values[src];
  record.destination = fields.values[dst];
  const auto time = find_timestamp(line.substr(0, start));
  if (!time) return LineKind::bad_time;
  record.time = *time;
  return LineKind::record;
}

}  // namespace recirc::workloads::trace
