#pragma once

#include <csignal>

#include "model/run.h"

namespace recirc::app {

/// While it lives, the first SIGINT or SIGTERM sets control.interrupt, so that finished work can be
/// written; the second one ends the process. One at a time in a process.
class InterruptHandler {
 public:
  InterruptHandler(model::RunControl& control, bool enabled);
  ~InterruptHandler();
  InterruptHandler(const InterruptHandler&) = delete;
  InterruptHandler& operator=(const InterruptHandler&) = delete;

 private:
  bool enabled_;
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace recirc::app
