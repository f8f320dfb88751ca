#include "model/page_config.h"

#include <string>
#include <utility>
#include <variant>

#include "model/page_systems.h"

namespace recirc::model {

using sim::config::paper;
using sim::config::Visitor;

void describe(Visitor& v, PageRunSettings& c) {
  v.field("seed", c.seed, {.doc = "Seed of every random number of the run."});
  v.field(
      "replications", c.replications,
      {.doc = "Independent repetitions; intervals are over their means.", .min = 1, .max = 10'000});
}

void describe(Visitor& v, PageConfig& c) {
  v.field("system", c.system,
          {.doc = "The file system.", .allowed = every_system_name(), .required = true});
  v.group("workload", c.workload, "What the threads of the nodes do.");
  v.group("cluster", c.cluster, "Compute nodes and their threads.");
  v.group("node", c.node, "What a node's processor takes.");
  v.group("callosal", c.callosal, "System callosal; others ignore it.");
  v.group("switch", c.rmt_switch, "Its programmable switch.");
  v.group("nfs", c.nfs, "System nfs; others ignore it.");
  v.group("cephfs", c.cephfs, "System cephfs; others ignore it.");
  v.group("local_fs", c.local_fs, "Systems ext4 and tmpfs; others ignore it.");
  v.group("verify", c.verify, "What is checked while a run goes on.");
  v.group("run", c.run, "Seed and replications.");
}

namespace {

/// Without files' locks nothing keeps sizes consistent.
void validate_sizes(const PageConfig& c, sim::config::Issues& issues) {
  const workloads::PageBenchmark& benchmark = c.workload.benchmark;
  const bool sizes = std::holds_alternative<workloads::Dwal>(benchmark) ||
                     std::holds_alternative<workloads::Dwtl>(benchmark) ||
                     std::holds_alternative<workloads::TraceBenchmark>(benchmark);
  if (!sizes || c.callosal.inode_locks) return;
  issues.add("/workload/benchmark", "may change files' sizes, and without inode locks none changes",
             "set /callosal/inode_locks, or take another benchmark");
}

void validate_benchmark(const PageConfig& c, sim::config::Issues& issues) {
  const workloads::PageBenchmark& benchmark = c.workload.benchmark;
  const std::uint32_t workers = c.cluster.nodes * c.cluster.threads;
  if (std::holds_alternative<workloads::QueueBenchmark>(benchmark) && workers % 2 != 0) {
    issues.add("/cluster/threads", "a queue is between two threads, and their number is odd",
               "an even number of threads or of nodes");
  }
  const auto* const transition = std::get_if<workloads::TransitionBenchmark>(&benchmark);
  if (transition != nullptr && transition->sharers >= c.cluster.nodes) {
    issues.add("/workload/benchmark/sharers", "leaves no node that has not got the page",
               "fewer than /cluster/nodes");
  }
  const auto* const store = std::get_if<workloads::KeyValueBenchmark>(&benchmark);
  if (store != nullptr && store->keys < workers) {
    issues.add("/workload/benchmark/keys", "gives some threads no key of their own",
               "at least " + std::to_string(workers));
  }
}

}  // namespace

void validate(const PageConfig& c, sim::config::Issues& issues) {
  const PageSystem* system = find_page_system(c.system);
  if (system == nullptr) issues.add("/system", "does not cache pages");
  if (system != nullptr && system->one_node && c.cluster.nodes != 1) {
    issues.add("/cluster/nodes", "system " + c.system + " is on one node", "set it to 1");
  }
  const std::uint32_t room = c.callosal.cache_pages;
  if (room != 0 && room <= c.cluster.threads) {
    issues.add("/callosal/cache_pages", "is no more than a page a thread, which each may hold",
               "0, or at least " + std::to_string(c.cluster.threads + 1));
  }
  for (const callosal::NodeCrash& crash : c.callosal.faults.crashes) {
    if (crash.node >= c.cluster.nodes) {
      issues.add("/callosal/faults/crashes", "has a node that is not there",
                 "0 to " + std::to_string(c.cluster.nodes - 1));
    }
  }
  if (c.verify.swmr && system != nullptr && system->make_program == nullptr) {
    issues.add("/verify/swmr",
               "needs a directory that says who may write, and system " + c.system + " has none");
  }
  validate_benchmark(c, issues);
  validate_sizes(c, issues);
}

PageConfig read_page_config(const sim::config::Document& document) {
  PageConfig defaults;
  const PageSystem* system = find_page_system(document.text_at("/system"));
  if (system != nullptr && system->set_defaults != nullptr) system->set_defaults(defaults);
  return sim::config::read<PageConfig>(document, std::move(defaults));
}

}  // namespace recirc::model
