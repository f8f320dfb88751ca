#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "model/page_config.h"
#include "model/page_systems.h"
#include "model/pages/page_world.h"
#include "model/run.h"
#include "sim/scheduler.h"

namespace recirc::model {

/// What a configuration reads from files: read once, shared by its replications, never changed.
struct PageInputs {
  std::shared_ptr<const workloads::trace::PageTrace> trace;  ///< null without one
};

/// The setting that names a trace.
inline constexpr const char* page_trace_pointer = "/workload/benchmark/file";
/// Throws InputOutputError. `folder` is that of the file that names the trace.
PageInputs load_page_inputs(const PageConfig& config, const std::filesystem::path& folder = {});

/// One replication of a file system that caches pages. Many may live in one process.
class PageSimulation {
 public:
  PageSimulation(const PageConfig& config, std::uint64_t replication,
                 const PageInputs& inputs = {});

  /// Runs until every call has returned and nothing is in flight.
  void run(RunControl& control);
  [[nodiscard]] ReplicationResult result() const;
  [[nodiscard]] const sim::Scheduler& scheduler() const { return scheduler_; }

 private:
  std::uint64_t replication_;
  std::optional<double> analytic_;  ///< page_analytic.h
  sim::RngFactory rng_;
  sim::Scheduler scheduler_;
  std::unique_ptr<workloads::PageApp> app_;
  std::vector<workloads::PageFile> files_;
  pages::Workers workers_;
  std::unique_ptr<pages::PageSystem> system_;
};

/// Runs one replication. A pure function of (config, replication). Throws what model::run throws.
ReplicationResult run_pages(const PageConfig& config, std::uint64_t replication,
                            RunControl& control, const PageInputs& inputs = {});

}  // namespace recirc::model
