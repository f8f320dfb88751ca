#include "model/workload.h"

#include <utility>
#include <variant>

#include "workloads/file_ops.h"
#include "workloads/trace_source.h"

namespace recirc::model {

using workloads::WorkloadConfig;

Inputs load_inputs(const WorkloadConfig& config) {
  if (!config.trace) return {};
  return {workloads::trace::load(config.trace->file, config.trace->format, config.trace->strict)};
}

std::uint64_t operations_of(const WorkloadConfig& config, const Inputs& inputs) {
  if (config.requests) return *config.requests;
  return inputs.trace ? inputs.trace->operations.size() : WorkloadConfig::default_requests;
}

Workload make_workload(const WorkloadConfig& config, const Inputs& inputs,
                       const sim::RngFactory& rng) {
  Workload workload;
  workload.inputs = inputs;
  const std::uint64_t requests = operations_of(config, inputs);
  if (inputs.trace) {
    const auto* recorded = std::get_if<workloads::RecordedArrival>(&config.arrival);
    workload.tree = &inputs.trace->tree;
    auto source = std::make_unique<workloads::TraceSource>(
        inputs.trace, requests, recorded == nullptr ? 1.0 : recorded->speed);
    if (recorded != nullptr) source->require_recorded_times();
    workload.source = std::move(source);
    return workload;
  }
  workload.computed_tree = std::make_shared<workloads::ComputedTree>(config.shape());
  workload.placement = std::make_shared<workloads::RankPlacement>(
      *workload.computed_tree, config.placement, config.placement_seed);
  workload.source =
      std::make_shared<workloads::MixSource>(*workload.computed_tree, *workload.placement,
                                             weights_of(config.mix), config.zipf, requests, rng);
  workload.tree = workload.computed_tree.get();
  return workload;
}

}  // namespace recirc::model
