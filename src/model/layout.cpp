#include "model/layout.h"

namespace recirc::model {
namespace {

std::uint64_t seed_of(const workloads::WorkloadConfig& workload, std::uint64_t fixed,
                      const sim::RngFactory& rng, const char* stream) {
  if (workload.layout == workloads::Layout::fixed) return fixed;
  sim::CounterRng own = rng.stream(stream);
  return own.next();
}

}  // namespace

std::uint64_t ring_seed(const workloads::WorkloadConfig& workload, const ClusterSettings& cluster,
                        const sim::RngFactory& rng) {
  return seed_of(workload, cluster.ring.seed, rng, "layout/ring");
}

std::uint64_t placement_seed(const workloads::WorkloadConfig& workload,
                             const sim::RngFactory& rng) {
  return seed_of(workload, workload.placement_seed, rng, "layout/placement");
}

}  // namespace recirc::model
