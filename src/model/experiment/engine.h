#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/run.h"
#include "sim/config/document.h"
#include "sim/config/varied.h"

namespace recirc::model::experiment {

/// JSON whose members keep the order they were written in: axes of a grid, keys of a result.
using Json = nlohmann::ordered_json;

/// A configuration that was read, checked and completed: any of its replications can be run.
/// Immutable, so several threads may use it at once.
class PreparedRun {
 public:
  virtual ~PreparedRun() = default;
  /// Every setting with the value it has, defaults included.
  [[nodiscard]] virtual const Json& effective() const = 0;
  /// Where each constant comes from, by its JSON pointer.
  [[nodiscard]] virtual const Json& provenance() const = 0;
  /// The assumed and fitted constants with the ranges they may lie in.
  [[nodiscard]] virtual std::vector<sim::config::VariedField> varied() const = 0;
  [[nodiscard]] virtual std::string system() const = 0;
  /// The file that its workload is read from, or "": no result may be written over it.
  [[nodiscard]] virtual std::string file_read() const { return {}; }
  [[nodiscard]] virtual std::uint64_t seed() const = 0;
  [[nodiscard]] virtual std::uint64_t replications() const = 0;
  /// About the operations of one replication, for progress; 0 when it is not known beforehand.
  [[nodiscard]] virtual std::uint64_t operations() const = 0;
  /// The requests of its workload, as a configuration would state them; 0 as operations().
  [[nodiscard]] virtual std::uint64_t requests() const { return operations(); }
  /// The setting that states them.
  [[nodiscard]] virtual const char* requests_pointer() const { return "/workload/requests"; }
  /// What the switch's program uses of its chip: `recirc rmt report --json`.
  [[nodiscard]] virtual Json program_report() const = 0;
  /// Does its system have a controller with a log, and shall it be written to a file?
  [[nodiscard]] virtual bool has_log() const { return false; }
  [[nodiscard]] virtual bool persists() const { return false; }
  /// Throws what run() would throw before it simulates: a program that does not fit its chip, paths
  /// that the workload wants and its tree has not.
  virtual void build() const {}
  /// Runs one replication; `log_file` is where its controller writes its log, or empty. Throws what
  /// model::run throws.
  virtual ReplicationResult run(std::uint64_t replication, RunControl& control,
                                const std::string& log_file) const = 0;
};

/// What an experiment needs of the model. The command line uses the real one; tests bring theirs.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Reads a user's configuration. Throws ConfigError with everything that is wrong with it.
  [[nodiscard]] virtual std::shared_ptr<const PreparedRun> prepare(
      const sim::config::Document& user) const = 0;
  /// The JSON Schema of a configuration.
  [[nodiscard]] virtual Json schema() const = 0;
  /// The reference of all settings, in Markdown.
  [[nodiscard]] virtual std::string reference() const = 0;
  /// Revision of the program that does the runs.
  [[nodiscard]] virtual std::string revision() const = 0;
};

}  // namespace recirc::model::experiment
