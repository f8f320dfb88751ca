#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "model/result.h"

namespace recirc::model {

struct Config;
struct Inputs;

/// How the world outside watches and stops a run. Shared between threads; never read by the model
/// for a simulated decision.
struct RunControl {
  std::atomic<bool> interrupt{false};  ///< set it: run() throws sim::Interrupted soon
  std::atomic<std::uint64_t> operations{
      0};  ///< completed or failed so far, over all runs sharing it
};

/// Runs one replication. A pure function of (config, inputs, replication): the same bytes on any
/// machine and any thread. `inputs` are load_inputs(config.workload), shared by all replications.
/// Throws ConstraintViolation, InvariantBroken, Interrupted.
/// `log_file`: where the controller writes its log, if it has one; empty: nowhere. A rotation
/// writes one file a part, whose name has its server's number at the end of the stem. It is an
/// output only. Throws InputOutputError when it cannot be written.
ReplicationResult run(const Config& config, const Inputs& inputs, std::uint64_t replication,
                      RunControl& control, const std::string& log_file = {});

/// Builds what replication 0 would run on and simulates nothing. Throws what run() would throw
/// before it simulates: ConfigError and ConstraintViolation.
void build(const Config& config, const Inputs& inputs);

}  // namespace recirc::model
