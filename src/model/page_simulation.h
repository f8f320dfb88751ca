#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/page_config.h"
#include "model/page_systems.h"
#include "model/pages/page_world.h"
#include "model/run.h"
#include "sim/scheduler.h"

namespace recirc::model {

/// One replication of a file system that caches pages. Many may live in one process.
class PageSimulation {
 public:
  PageSimulation(const PageConfig& config, std::uint64_t replication);

  /// Runs until every call has returned and nothing is in flight.
  void run(RunControl& control);
  [[nodiscard]] ReplicationResult result() const;

  [[nodiscard]] sim::Scheduler& scheduler() { return scheduler_; }
  [[nodiscard]] pages::PageSystem& system() { return *system_; }

 private:
  void advance(RunControl& control, bool until_returned);

  std::uint64_t replication_;
  sim::RngFactory rng_;
  sim::Scheduler scheduler_;
  std::unique_ptr<workloads::PageApp> app_;
  std::vector<workloads::PageFile> files_;
  pages::Workers workers_;
  std::unique_ptr<pages::PageSystem> system_;
};

/// Runs one replication. A pure function of (config, replication). Throws what model::run throws.
ReplicationResult run_pages(const PageConfig& config, std::uint64_t replication,
                            RunControl& control);

}  // namespace recirc::model
