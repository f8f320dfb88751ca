#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/experiment/grid.h"

namespace recirc::model::experiment {

/// A finished replication of a point of a sweep: one line of a point file.
struct PointRecord {
  std::string config;      ///< effective configuration, as JSON text
  std::string parameters;  ///< the axes' values, as JSON text: {"/cluster/servers": 16}
  std::uint64_t seed = 0;
  std::string build;         ///< revision of the program that ran it
  ReplicationResult result;  ///< without histograms
};

/// The line of a record, with its newline; and back. Throws InputOutputError.
std::string line_of(const PointRecord& record);
PointRecord record_of(const std::string& line);

/// What tells points apart: the effective configuration but for the number of replications, which
/// changes none of them.
std::string identity_of(const std::string& config);

/// What a point file holds: a first line that states the sweep, then a line a record.
struct PointFile {
  std::string header;  ///< the first line without its newline
  std::vector<PointRecord> records;
  std::uint64_t whole_bytes = 0;  ///< up to the last newline; what follows is torn
  bool torn = false;
};

/// Is this the first line of a point file?
bool is_header(const std::string& line);

/// The first line of the point file of `sweep`, without its newline; and of one that only has a
/// document that states what its points are.
std::string header_of(const Sweep& sweep);
std::string header_of(const Json& sweep);

/// Reads a point file; a torn last line is left out. Throws InputOutputError when it cannot be read
/// or a whole line is broken, ConfigError when it is no point file at all.
PointFile read_point_file(const std::string& path);

/// Do two headers state the same grid? More replications or another baseline are the same grid.
bool same_grid(const std::string& one, const std::string& other);

/// Appends records to a point file, each as one line in one write, so that a kill leaves at most
/// one torn line. The file is locked: a second sweep cannot write it at the same time.
class PointWriter {
 public:
  enum class Mode { create, resume };
  /// `create`: the file must not exist. `resume`: what is whole in it is kept and is in known().
  /// Throws InputOutputError; ConfigError for another grid's file, or one that exists already.
  PointWriter(const std::string& path, Mode mode, const std::string& header);
  ~PointWriter();
  PointWriter(const PointWriter&) = delete;
  PointWriter& operator=(const PointWriter&) = delete;

  /// What the file held when it was opened.
  [[nodiscard]] const std::vector<PointRecord>& known() const { return known_; }
  [[nodiscard]] bool cut_torn_line() const { return cut_; }
  void append(const PointRecord& record);

 private:
  void resume(const std::string& header);
  void write_line(const std::string& line);

  std::string path_;
  int file_ = -1;
  bool cut_ = false;
  std::vector<PointRecord> known_;
};

}  // namespace recirc::model::experiment
