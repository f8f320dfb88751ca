#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "workloads/trace/line_parser.h"

namespace recirc::workloads::trace {

/// CSV: time,op,path[,dst[,allowed]]. An optional header names the columns, in any order and beside
/// others; `time`, or `time_s`, counts seconds, `time_ms`, `time_us` and `time_ns` what they say.
///
/// Times are decimal numbers (1.25, 3e-05) or dates ("2024-05-01 12:00:00.5"). Operations are our
/// names or HDFS commands. Fields may be quoted ("a ""b"", c"), but not run over a line's end; a
/// path with a comma must be. `allowed` is true/false or 1/0. Only a
/// header can name the columns `mode` (octal), `owner` and `group`, which a chmod or chown sets,
/// and `user`, who asks: owner, member or stranger (or 0, 1, 2). Empty lines and lines that start
/// with '#' are skipped.
class CsvParser final : public LineParser {
 public:
  LineKind parse(std::string_view line, RawRecord& record) override;
  /// The first line was a header that names at least time, op and path.
  [[nodiscard]] bool has_header() const { return has_header_; }

 private:
  enum Column : std::size_t {
    time,
    op,
    path,
    dst,
    allowed,
    mode,
    owner,
    group,
    user,
    column_count
  };

  bool split(std::string_view line);
  bool read_header();
  [[nodiscard]] std::string_view field(Column column) const;
  /// False if what is there cannot be read.
  [[nodiscard]] bool read_attributes(RawRecord& record) const;

  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);
  std::array<std::size_t, column_count> columns_ = {0,         1,         2,         3,        4,
                                                    no_column, no_column, no_column, no_column};
  Stamp unit_ = std::chrono::seconds{1};
  bool first_ = true;
  bool has_header_ = false;
  std::vector<std::string> fields_;  ///< kept for their memory
  std::size_t count_ = 0;
};

}  // namespace recirc::workloads::trace
