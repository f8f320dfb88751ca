#pragma once

#include <memory>

#include "sim/rng.h"
#include "workloads/computed_tree.h"
#include "workloads/config.h"
#include "workloads/op_source.h"
#include "workloads/popularity.h"
#include "workloads/trace/trace.h"

namespace recirc::model {

/// What a configuration reads from files: read once, shared by its replications, never changed.
struct Inputs {
  std::shared_ptr<const workloads::trace::Trace> trace;  ///< null without /workload/trace
};

/// Throws InputOutputError.
Inputs load_inputs(const workloads::WorkloadConfig& config);

/// Operations of one replication of this workload.
std::uint64_t operations_of(const workloads::WorkloadConfig& config, const Inputs& inputs);

/// The namespace and the operations of one replication; copies share them.
struct Workload {
  Inputs inputs;
  std::shared_ptr<const workloads::ComputedTree> computed_tree;
  std::shared_ptr<const workloads::RankPlacement> placement;
  std::shared_ptr<const workloads::OpSource> source;
  const workloads::Namespace* tree = nullptr;
};
Workload make_workload(const workloads::WorkloadConfig& config, const Inputs& inputs,
                       const sim::RngFactory& rng);

}  // namespace recirc::model
