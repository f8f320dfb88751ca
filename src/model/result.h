#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/histogram.h"

namespace recirc::model {

/// One number of a result. `name` uses '/' for nesting: "operations/stat/latency_mean_us".
struct Figure {
  enum class Kind : std::uint8_t {
    real,   ///< reported with nine significant digits
    count,  ///< an integer in a replication; its mean over replications is real
    flag,   ///< true or false; over replications: true if it was true in any
  };
  std::string name;
  double value = 0;
  Kind kind = Kind::real;
};

inline Figure count_figure(std::string name, std::uint64_t value) {
  return {std::move(name), static_cast<double>(value), Figure::Kind::count};
}

/// The figures of a stretch of the run, e.g. the operations before the destructive tail.
struct PhaseResult {
  std::string name;
  std::vector<Figure> figures;
};

/// A distribution kept whole: bins survive into the result file and the Python interface.
struct NamedHistogram {
  std::string name;  ///< "latency", "latency/stat", …
  std::string unit;
  sim::Histogram histogram;
};

/// A quantity over time, one value a window.
struct NamedSeries {
  std::string name;
  std::string unit;
  double window_s = 0;
  std::vector<double> values;
};

/// What one replication of one configuration gave. No wall-clock value in it.
struct ReplicationResult {
  std::uint64_t replication = 0;
  std::vector<Figure> summary;
  std::vector<PhaseResult> phases;
  std::vector<NamedHistogram> histograms;
  std::vector<NamedSeries> series;
};

}  // namespace recirc::model
