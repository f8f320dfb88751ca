#pragma once

#include <iosfwd>

#include "model/experiment/engine.h"

namespace recirc::app {

/// The world a verb works in; tests bring their own streams and model.
struct Environment {
  std::ostream& out;  ///< what was asked for
  std::ostream& err;  ///< progress, notes, errors
  const model::experiment::Engine& engine;
  bool terminal = false;  ///< `err` is a terminal: a progress bar may be drawn
  /// Signals set control.interrupt; false in tests and in the Python module.
  bool catch_signals = false;
  /// Shared by all runs of the command. Owned by whoever calls.
  model::RunControl& control;
};

}  // namespace recirc::app
