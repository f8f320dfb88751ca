#pragma once

#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/trace/reader.h"

/// Trace files for tests, removed again at the end of a test.
namespace recirc::workloads::trace::testing {

class TraceFile {
 public:
  explicit TraceFile(std::string_view text, const std::string& ending = ".log")
      : path_(std::filesystem::temp_directory_path() / ("recirc_trace_" + std::to_string(getpid()) +
                                                        "_" + std::to_string(++count_) + ending)) {
    std::ofstream{path_, std::ios::binary} << text;
  }
  ~TraceFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

/// One gzip member.
inline std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in{text};
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A plain audit line of a second after 2024-05-01 12:00, ended by a newline.
inline std::string audit(int second, std::string_view command, std::string_view source,
                         std::string_view destination = "null", bool allowed = true) {
  std::string line = "2024-05-01 12:00:";
  line += second < 10 ? "0" : "";
  line += std::to_string(second) + ",000 INFO FSNamesystem.audit: allowed=";
  line += allowed ? "true" : "false";
  line += "\tugi=u (auth:SIMPLE)\tip=/10.0.0.1\tcmd=";
  line += command;
  line += "\tsrc=";
  line += source;
  line += "\tdst=";
  line += destination;
  line += "\tperm=null\tproto=rpc\n";
  return line;
}

/// What a record held, with its own copies of the texts.
struct Seen {
  OpKind operation;
  std::string path;
  std::string destination;
  bool allowed;
  std::int64_t ns;
  std::uint64_t line;
};

struct ReadTrace {
  std::vector<Seen> records;
  Problems problems;
  Format format;
  std::uint64_t lines;
};

inline ReadTrace read_all(const std::filesystem::path& file, Format format = Format::automatic) {
  Reader reader{file, format};
  ReadTrace out;
  Record record;
  while (reader.next(record)) {
    out.records.push_back({record.operation, std::string{record.path},
                           std::string{record.destination}, record.allowed, record.time.count(),
                           record.line});
  }
  out.problems = reader.problems();
  out.format = reader.format();
  out.lines = reader.lines();
  return out;
}

inline ReadTrace read_text(std::string_view text, Format format = Format::automatic) {
  const TraceFile file{text};
  return read_all(file.path(), format);
}

}  // namespace recirc::workloads::trace::testing
