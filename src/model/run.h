#pragma once

#include <atomic>
#include <cstdint>

#include "model/result.h"

namespace recirc::model {

struct Config;

/// How the world outside watches and stops a run. Shared between threads; never read by the model
/// for a simulated decision.
struct RunControl {
  std::atomic<bool> interrupt{false};  ///< set it: run() throws sim::Interrupted soon
  std::atomic<std::uint64_t> operations{
      0};  ///< completed or failed so far, over all runs sharing it
};

/// Runs one replication. A pure function of (config, replication): the same bytes on any machine
/// and any thread. Throws ConstraintViolation, InvariantBroken, Interrupted.
ReplicationResult run(const Config& config, std::uint64_t replication, RunControl& control);

}  // namespace recirc::model
