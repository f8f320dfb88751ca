#pragma once

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "catch.h"
#include "model/config.h"
#include "model/fletch/scheme.h"
#include "model/simulation.h"

namespace recirc::model::testing {

/// A small Fletch run and its figures by name.
struct FletchRun {
  explicit FletchRun(const Config& configuration, SchemeMaker make = &make_scheme)
      : config(configuration),
        inputs(load_inputs(config.workload)),
        simulation(config, inputs, 0, make) {}

  void go() {
    RunControl control;
    simulation.run(control);
    read();
  }
  void read() {
    figures.clear();
    for (const Figure& figure : simulation.result().summary) figures[figure.name] = figure.value;
  }
  [[nodiscard]] double operator[](const std::string& name) const { return figures.at(name); }

  Config config;  ///< the simulation refers to it
  Inputs inputs;
  Simulation simulation;
  std::map<std::string, double> figures;
};

/// Nothing was read stale, nothing stays raised, unreadable or waiting.
inline void check_in_order(const std::map<std::string, double>& figures) {
  CHECK(figures.at("stale_reads") == 0);
  CHECK(figures.at("locks_leaked") == 0);
  CHECK(figures.at("cache/unreadable_records") == 0);
  CHECK(figures.at("cache/writes_left_waiting") == 0);
  CHECK(figures.at("controller/stuck") == 0);
}

/// And the switch holds what the controller and the servers know, as after a recovery.
inline void check_recovered(const std::map<std::string, double>& figures) {
  check_in_order(figures);
  CHECK(figures.at("cache/outdated_records") == 0);
  CHECK(figures.at("cache/misplaced_records") == 0);
}

inline workloads::CustomMix mix_of(
    std::initializer_list<std::pair<workloads::OpKind, double>> weights) {
  workloads::CustomMix mix;
  for (const auto& [kind, weight] : weights) mix.weights[static_cast<std::size_t>(kind)] = weight;
  return mix;
}

inline Config small_fletch() {
  Config config;
  config.system = "fletch";
  config.workload.requests = 4'000;
  config.workload.files = 20'000;
  config.cluster.servers = 4;
  config.cache.files = 500;
  return config;
}

/// Fletch with rules switched off.
inline std::unique_ptr<Scheme> fletch_with(const Config& config, const Topology& topology,
                                           const fletch::Mutants& mutants) {
  return fletch::make_fletch(config.cache, config.controller, config.network, topology, mutants);
}

/// A workload written down line by line: "time,op,path".
class TraceFile {
 public:
  explicit TraceFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("recirc_fletch_test_" + std::to_string(std::hash<std::string>{}(text)) + ".csv")) {
    std::ofstream(path_) << text;
  }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile() { std::filesystem::remove(path_); }

  [[nodiscard]] Config config() const {
    Config config = small_fletch();
    config.workload.requests.reset();
    config.workload.trace.emplace();
    config.workload.trace->file = path_.string();
    config.workload.trace->format = workloads::trace::Format::csv;
    config.server.law = ConstantLaw{};
    return config;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace recirc::model::testing
