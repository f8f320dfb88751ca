#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "model/figure.h"
#include "model/pages/page_world.h"
#include "sim/rng.h"
#include "sim/scheduler.h"

namespace recirc::model {

/// A call to a page of the first file.
inline workloads::PageOp call(workloads::PageOpKind kind, std::uint32_t page = 0,
                              sim::Duration at = {}, std::uint64_t word = 0) {
  workloads::PageOp op;
  op.kind = kind;
  op.first = {workloads::FileId{0}, page};
  op.earliest = sim::Time{at};
  op.word = word;
  return op;
}

/// Threads that make the calls of a script, each its own ones in order.
class ScriptedApp final : public workloads::PageApp {
 public:
  ScriptedApp(std::vector<workloads::PageFile> files, std::uint32_t workers)
      : files_(std::move(files)), calls_(workers), next_(workers, 0), words_(workers) {}

  void add(std::uint32_t worker, workloads::PageOp op) { calls_[worker].push_back(op); }
  /// What the worker's calls have read, in order.
  [[nodiscard]] const std::vector<std::uint64_t>& words(std::uint32_t worker) const {
    return words_[worker];
  }

  [[nodiscard]] std::vector<workloads::PageFile> files() const override { return files_; }
  workloads::PageOp next(workloads::WorkerId worker, std::uint64_t word) override {
    note(worker, word);
    return calls_[worker.value()][next_[worker.value()]++];
  }
  [[nodiscard]] bool has_next(workloads::WorkerId worker) const override {
    return next_[worker.value()] < calls_[worker.value()].size();
  }

 private:
  void note(workloads::WorkerId worker, std::uint64_t word) {
    if (next_[worker.value()] > 0) words_[worker.value()].push_back(word);
  }

  std::vector<workloads::PageFile> files_;
  std::vector<std::vector<workloads::PageOp>> calls_;
  std::vector<std::size_t> next_;
  std::vector<std::vector<std::uint64_t>> words_;
};

/// A system of type `System`, with settings, that runs a script. What each worker's last call reads
/// is not told: end with a call that does not matter.
template <class System, class Settings>
struct ScriptedRun {
  ScriptedRun(ScriptedApp& app, const pages::NodesSettings& cluster, const Settings& settings)
      : nodes(cluster),
        files(app.files()),
        workers(scheduler, nodes, {1'000'000, {}}, app, checks()),
        system({scheduler, rng, nodes, node, files, workers}, settings) {
    workers.start(system);
    scheduler.run();
    system.check_idle();
    workers.report(result);
    system.report(result);
  }

  static verify::PageVerifySettings checks() {
    verify::PageVerifySettings checks;
    checks.swmr = true;
    return checks;
  }
  [[nodiscard]] double figure(std::string_view name) const { return model::figure(result, name); }

  sim::Scheduler scheduler;
  sim::RngFactory rng{1, 0};
  pages::NodesSettings nodes;
  pages::NodeSettings node;
  std::vector<workloads::PageFile> files;
  pages::Workers workers;
  System system;
  ReplicationResult result;
};

}  // namespace recirc::model
