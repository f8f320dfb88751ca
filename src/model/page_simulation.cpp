#include "model/page_simulation.h"

#include <variant>

#include "model/advance.h"
#include "model/page_analytic.h"
#include "model/workload.h"
#include "sim/error.h"

namespace recirc::model {

PageInputs load_page_inputs(const PageConfig& config, const std::filesystem::path& folder) {
  const auto* const replay = std::get_if<workloads::TraceBenchmark>(&config.workload.benchmark);
  if (replay == nullptr) return {};
  return {workloads::trace::load_page_trace(find_log(replay->file, folder, page_trace_pointer),
                                            replay->format)};
}

PageSimulation::PageSimulation(const PageConfig& config, std::uint64_t replication,
                               const PageInputs& inputs)
    : replication_(replication),
      analytic_(analytic_throughput(config)),
      rng_(config.run.seed, replication),
      app_(workloads::make_page_app(config.workload,
                                    {config.cluster.nodes, config.cluster.threads,
                                     find_page_system(config.system)->must_reopen},
                                    rng_, inputs.trace)),
      files_(app_->files()),
      workers_(scheduler_, config.cluster,
               {workloads::operations_of(config.workload, inputs.trace.get()),
                config.workload.duration, config.workload.time_limit, config.workload.warm_up},
               *app_, config.verify),
      system_(
          find_page_system(config.system)
              ->make(config, {scheduler_, rng_, config.cluster, config.node, files_, workers_})) {}

void PageSimulation::run(RunControl& control) {
  workers_.start(*system_);
  advance(
      scheduler_, control, [&] { return workers_.stuck(); }, [&] { return workers_.returned(); },
      [] {});
  if (workers_.stuck()) {
    throw sim::InvariantBroken("no call has returned for /workload/time_limit");
  }
  if (!workers_.done()) {
    throw sim::InvariantBroken("nothing is left to happen, but calls have not returned");
  }
  system_->check_idle();
  workers_.checks().enforce();
}

ReplicationResult PageSimulation::result() const {
  ReplicationResult result;
  result.replication = replication_;
  workers_.report(result);
  system_->report(result);
  if (analytic_) result.summary.push_back({"analytic/throughput_ops_per_s", *analytic_});
  result.summary.push_back(count_figure("events", scheduler_.events()));
  return result;
}

ReplicationResult run_pages(const PageConfig& config, std::uint64_t replication,
                            RunControl& control, const PageInputs& inputs) {
  PageSimulation simulation(config, replication, inputs);
  simulation.run(control);
  return simulation.result();
}

}  // namespace recirc::model
