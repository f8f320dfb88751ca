#pragma once

#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>

#include "model/fletch/log_file.h"
#include "model/simulation.h"
#include "pipeline/programs/fletch/layout.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::model::testing {

/// A file that goes away with the test, and so does what SQLite keeps beside it.
class Scratch {
 public:
  explicit Scratch(const std::string& name)
      : path_((std::filesystem::temp_directory_path() /
               ("recirc_log_" + std::to_string(::getpid()) + "_" + name + ".sqlite"))
                  .string()) {
    remove();
  }
  ~Scratch() { remove(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void remove() const {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path_ + end);
  }
  std::string path_;
};

/// A run that writes its controller's log, or, without a file, does not.
struct LoggedRun {
  LoggedRun(const Config& configuration, const std::string& file)
      : config(configuration),
        inputs(load_inputs(config.workload)),
        simulation(config, ground(file), 0) {}

  Ground ground(const std::string& file) {
    Ground all = ground_of(config, inputs, 0);
    all.log_file = file;
    return all;
  }
  std::map<std::string, double> go() {
    RunControl control;
    simulation.run(control);
    std::map<std::string, double> figures;
    for (const Figure& figure : simulation.result().summary) figures[figure.name] = figure.value;
    return figures;
  }

  Config config;
  Inputs inputs;
  Simulation simulation;
};

/// How many of the paths that the log implies are at their place in the switch.
inline std::size_t found_in_switch(Simulation& simulation,
                                   const fletch::ActiveLog::Implied& implied) {
  std::size_t found = 0;
  for (const fletch::ActiveLog::Path& path : implied.paths) {
    const fletch::CachedCopy& entry = path.entry;
    const auto table = entry.in_small_table ? pipeline::programs::fletch::level_small
                                            : pipeline::programs::fletch::level_large;
    const auto looked_up = simulation.rmt_switch()
                               .table(pipeline::ProtocolTag{0}, table)
                               .lookup({entry.key, entry.token, entry.pipe});
    if (looked_up.hit && looked_up.result == pipeline::match_result(entry.location)) ++found;
  }
  return found;
}

}  // namespace recirc::model::testing
