#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/experiment/engine.h"
#include "model/experiment/scale.h"

namespace recirc::model::experiment {

/// A setting and the values it takes.
struct Axis {
  std::string pointer;              ///< JSON pointer into the configuration
  std::vector<std::string> values;  ///< as JSON text; equal values have equal text
};

/// A sweep as its file states it, checked as far as it can be without the model.
struct Sweep {
  std::filesystem::path folder;  ///< of its file: values of axes that name files are relative to it
  sim::config::Document base;    ///< the configuration that every point starts from
  std::vector<Axis> axes;
  /// Points left out: those that match every axis of one entry.
  std::vector<std::vector<Axis>> exclude;
  /// One value each of some axes: the points that others are compared with. Empty: no comparison.
  std::vector<Axis> baseline;
  /// What the points' configurations are changed to, axes included, before they are run.
  Scale scale;
};

/// One point of a grid.
struct Point {
  std::vector<std::size_t> choice;      ///< which value of each axis
  std::optional<std::size_t> baseline;  ///< index of the point it is compared with
  std::shared_ptr<const PreparedRun> run;
};

/// More points than this are taken for a mistake.
inline constexpr std::uint64_t most_points = 100'000;

/// Does this document look like a sweep rather than a configuration?
bool is_sweep(const sim::config::Document& document);

/// Reads a sweep. A "base" that is a path is relative to `folder`, and so are logs on an axis.
/// `overrides` (POINTER=VALUE) go into the base, after what "replications" says. Throws ConfigError
/// with everything that is wrong, InputOutputError if the base cannot be read.
Sweep read_sweep(const sim::config::Document& document, const std::filesystem::path& folder,
                 const std::vector<std::string>& overrides);

/// The product of the axes without what is excluded, the last axis fastest, each point's
/// configuration prepared. Throws ConfigError with everything that is wrong with any point.
std::vector<Point> expand(const Sweep& sweep, const Engine& engine);

/// How many points that is; needs no model.
std::size_t points_in(const Sweep& sweep);

/// "/cluster/servers=16, /workload/zipf=0.9".
std::string name_of(const Sweep& sweep, const Point& point);

/// The sweep as it is run, for its files: base with overrides, grid, exclude, baseline.
Json document_of(const Sweep& sweep);

/// The JSON Schema of a sweep file around that of a configuration.
Json sweep_schema(const Json& config_schema);

}  // namespace recirc::model::experiment
