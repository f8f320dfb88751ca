#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/experiment/jobs.h"

namespace recirc::app {

/// The directory that the controllers of a command write their logs to: what --run-dir named, or,
/// where only the configuration asks for logs, results/ and the name of what is run.
class RunFolder {
 public:
  RunFolder(std::optional<std::string> given, const std::string& name_of_run);

  /// The file for a run's log, or nothing if it writes none. Makes the directory at the first one.
  /// Throws InputOutputError when no log can be written there, before anything runs.
  std::string file_for(const model::experiment::PreparedRun& run, const std::string& name);
  /// Gives every replication of one run its file. Throws as refuse_if_unused(), too.
  void place_logs(std::vector<model::experiment::Job>& replications);
  /// With --run-dir, a command that had nothing to write there is a mistake: throws UsageError.
  void refuse_if_unused(const std::string& system) const;
  /// "the controller's log goes to ...", a line; nothing if there is none.
  [[nodiscard]] std::string note() const;

 private:
  bool asked_for_;
  std::string folder_;
  std::string first_;
  unsigned files_ = 0;
};

/// The name of a file without folders and suffix.
std::string stem_of(const std::string& path);

}  // namespace recirc::app
