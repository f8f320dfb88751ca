#pragma once

#include <string>
#include <vector>

#include "model/experiment/engine.h"
#include "sim/config/varied.h"
#include "sim/statistics.h"

namespace recirc::app {

/// A figure, or a part of a claim, at one end of a range.
struct Move {
  std::string name;
  sim::Interval
      interval;           ///< of a figure: its ratio to the middle's, less 1; of a claim: the value
  std::string verdict{};  ///< of a claim
};

/// One end of a constant's range.
struct End {
  std::string value;  ///< JSON text
  std::vector<Move> moves;
  std::string why_not;  ///< not empty: it cannot be run there
};

/// A constant and what happens at the ends of its range; no ends: its range is not two values.
struct Movement {
  sim::config::VariedField field;
  std::vector<End> ends;
};

struct Sensitivity {
  std::string of;  ///< a configuration's path or a claim's id
  bool claim = false;
  std::vector<Move> middle;  ///< of a claim: its value as things are
  std::vector<Movement> movements;
};

/// For people: the constants that move it most come first.
std::string sensitivity_table(const Sensitivity& found);
model::experiment::Json sensitivity_document(const Sensitivity& found);

}  // namespace recirc::app
