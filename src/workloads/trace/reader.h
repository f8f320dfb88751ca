#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "workloads/trace/problems.h"
#include "workloads/trace/record.h"

namespace recirc::workloads::trace {

enum class Format : std::uint8_t { automatic, hdfs_audit, csv };

/// "auto", "hdfs_audit", "csv": as configs write them.
std::string_view name(Format format);

class LineReader;
class LineParser;

/// Reads a trace line by line, gzip or plain, and yields the requests in it. Lines that hold none
/// are counted in problems() and skipped.
///
/// Times that run backwards (HDFS writes its log from many threads) are counted, and the record
/// takes the latest time of the records before it. So does one whose time cannot be read.
class Reader {
 public:
  /// Throws InputOutputError if the file cannot be opened or read, or if its format is asked for as
  /// `automatic` and cannot be told from its first lines. An empty file is a trace without records.
  explicit Reader(const std::filesystem::path& file, Format format = Format::automatic);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// False at the end of the file. Throws InputOutputError if reading fails.
  bool next(Record& record);

  /// What was detected or asked for; `automatic` only for an empty file.
  [[nodiscard]] Format format() const { return format_; }
  [[nodiscard]] std::uint64_t lines() const;
  [[nodiscard]] const Problems& problems() const { return problems_; }

 private:
  bool accept(const RawRecord& raw, bool timed, Record& record);
  Stamp time_of(Stamp recorded);
  bool accept_path(std::string_view text, std::string& out, std::uint64_t line);
  void finish();

  std::unique_ptr<LineReader> lines_;
  std::unique_ptr<LineParser> parser_;
  Format format_;
  Problems problems_;
  std::optional<Stamp> first_;
  Stamp latest_{};  ///< since first_
  std::string path_;
  std::string destination_;
  bool finished_ = false;
};

}  // namespace recirc::workloads::trace
