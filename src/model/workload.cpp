#include "model/workload.h"

#include <system_error>
#include <utility>
#include <variant>

#include "model/layout.h"
#include "sim/error.h"
#include "workloads/cached_paths.h"
#include "workloads/file_ops.h"
#include "workloads/trace_source.h"

namespace recirc::model {

using workloads::WorkloadConfig;

namespace {

namespace fs = std::filesystem;

/// `file` in `folder` or the nearest folder above that has it; else "".
fs::path find_upwards(const fs::path& file, const fs::path& folder) {
  std::error_code ignored;
  for (fs::path at = fs::weakly_canonical(fs::current_path(ignored) / folder, ignored);;
       at = at.parent_path()) {
    fs::path candidate = at / file;
    const fs::file_status status = fs::status(candidate, ignored);
    if (fs::exists(status) && !fs::is_directory(status)) return candidate;
    if (!at.has_relative_path()) return {};
  }
}

}  // namespace

fs::path find_log(const std::string& file, const fs::path& folder, const char* pointer) {
  if (fs::path(file).is_absolute()) return file;
  for (const fs::path& start : {folder, fs::path()}) {
    if (fs::path found = find_upwards(file, start); !found.empty()) return found;
  }
  throw sim::InputOutputError("cannot find the log '" + file + "' (" + pointer +
                              "): it is not in " +
                              (folder.empty() ? "" : folder.string() + " or ") +
                              "the working directory, nor in a folder above");
}

Inputs load_inputs(const WorkloadConfig& config, const fs::path& folder) {
  if (!config.trace) return {};
  return {workloads::trace::load(find_log(config.trace->file, folder), config.trace->format,
                                 config.trace->strict)};
}

std::uint64_t operations_of(const WorkloadConfig& config, const Inputs& inputs) {
  if (config.requests) return *config.requests;
  if (inputs.trace) return inputs.trace->operations.size();
  return config.duration ? 0 : WorkloadConfig::default_requests;
}

namespace {

workloads::HotIn hot_in_of(const WorkloadConfig& config) {
  const auto* hot_in = std::get_if<workloads::HotInPopularity>(&config.popularity);
  return hot_in == nullptr ? workloads::HotIn()
                           : workloads::HotIn(hot_in->period, hot_in->count, config.files);
}

}  // namespace

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
      *workload.computed_tree, config.placement, placement_seed(config, rng));
  auto source = std::make_shared<workloads::MixSource>(
      *workload.computed_tree, *workload.placement, weights_of(config.mix), config.zipf,
      requests == 0 ? endless : requests, rng, hot_in_of(config));
  source->act_on_directories(config.directory_writes);
  workload.source = std::move(source);
  workload.tree = workload.computed_tree.get();
  if (const auto* cached = std::get_if<workloads::CachedPathsPopularity>(&config.popularity)) {
    workload.source = std::make_shared<workloads::CachedPathsSource>(
        std::move(workload.source), *workload.tree, cached->depth, cached->files, rng);
  }
  return workload;
}

}  // namespace recirc::model
