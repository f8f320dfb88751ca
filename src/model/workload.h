#pragma once

#include <filesystem>
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

/// The setting that names a log.
inline constexpr const char* log_pointer = "/workload/trace/file";
/// The log of that name, which the setting `pointer` has: a relative path is looked for in
/// `folder`, that of the file that names it, and in those above, then in the working directory and
/// those above. So a configuration, and the result that repeats it word for word, find the log from
/// wherever they are run. Throws InputOutputError if there is none.
std::filesystem::path find_log(const std::string& file, const std::filesystem::path& folder,
                               const char* pointer = log_pointer);

/// Throws InputOutputError. `folder` is that of the file that names the log.
Inputs load_inputs(const workloads::WorkloadConfig& config,
                   const std::filesystem::path& folder = {});

/// More operations than any run can get through.
inline constexpr std::uint64_t endless = std::uint64_t{1} << 40;

/// Operations of one replication of this workload; 0 where only its duration bounds them.
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
