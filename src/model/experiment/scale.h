#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/experiment/engine.h"

namespace recirc::model::experiment {

/// How much of an experiment is run: fewer or more requests and replications of the same points.
/// Files, servers, clients, caches and every time stay as they are. A run that a duration ends
/// keeps that, too: only its replications are divided.
struct Scale {
  std::string_view name;
  std::uint64_t times = 1;  ///< requests are multiplied by this ...
  std::uint64_t over = 1;   ///< ... and divided by this
  std::uint64_t replications_over = 1;
  std::string_view doc;

  [[nodiscard]] bool changes() const { return times != 1 || over != 1 || replications_over != 1; }
};

/// small, full and paper.
std::span<const Scale> scales();
std::span<const std::string_view> scale_names();
/// The scale called `name`, or nullptr.
const Scale* find_scale(std::string_view name);

/// Changes the configuration that `run` was prepared from to this scale; at least one request and
/// one replication are left.
void rescale(sim::config::Document& config, const PreparedRun& run, const Scale& scale);

}  // namespace recirc::model::experiment
