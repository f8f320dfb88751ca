#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/result.h"

namespace recirc::model {

/// What a figure of a result means. The reference and `recirc list metrics` are made of these, and
/// a test holds them against the figures that runs give.
struct Metric {
  std::string_view name;  ///< as in a result; `*` stands for one part between slashes
  std::string_view unit;  ///< "" for counts, ratios and flags
  Figure::Kind kind = Figure::Kind::real;
  std::string_view doc;
};

/// The figures of a summary, in the order in which they are listed.
std::span<const Metric> metrics();
/// The figures of a phase: few of those above.
std::span<const std::string_view> phase_metrics();

/// The entry that describes a figure of a summary, or nullptr.
const Metric* find_metric(std::string_view figure);

/// docs/metrics.md.
std::string metrics_reference();

std::string_view name(Figure::Kind kind);

}  // namespace recirc::model
