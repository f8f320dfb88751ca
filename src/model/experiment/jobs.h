#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/experiment/engine.h"

namespace recirc::model::experiment {

/// One replication of one configuration, to be run.
struct Job {
  std::shared_ptr<const PreparedRun> run;
  std::uint64_t replication = 0;
  std::string log_file{};  ///< of its controller; empty: none
};

/// Told of each finished job; never called by two threads at once. The figures are rounded.
using Finished = std::function<void(std::size_t job, ReplicationResult result)>;

/// Runs `jobs` on up to `threads` threads (0: one a core), started in their order. Returns false
/// when the run was interrupted before all were done. When one fails, no new one is started, those
/// under way are finished, and the error of the first failed job is thrown: the same error whatever
/// the number of threads.
bool run_jobs(const std::vector<Job>& jobs, unsigned threads, RunControl& control,
              const Finished& finished);

/// Every replication of `run`, in order.
std::vector<Job> replications_of(const std::shared_ptr<const PreparedRun>& run);

/// About the operations that all jobs together simulate; 0 when some do not know theirs.
std::uint64_t operations_of(const std::vector<Job>& jobs);

}  // namespace recirc::model::experiment
