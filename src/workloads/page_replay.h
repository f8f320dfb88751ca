#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/page_ops.h"
#include "workloads/trace/page_trace.h"

namespace recirc::workloads {

/// The calls of a trace, each thread's own ones in their order, and not before they are due.
class PageReplay final : public PageApp {
 public:
  /// Processes of a trace that tells no nodes go round the nodes, and then round a node's threads:
  /// of P, the nodes' first threads have the first ones. Throws InputOutputError if the trace has
  /// nodes or threads that the crew has not.
  PageReplay(std::shared_ptr<const trace::PageTrace> trace, bool recorded_times,
             const PageCrew& crew);

  [[nodiscard]] std::vector<PageFile> files() const override { return files_; }
  PageOp next(WorkerId worker, std::uint64_t word) override;
  [[nodiscard]] bool has_next(WorkerId worker) const override {
    return next_[worker.value()] < calls_[worker.value()].size();
  }

 private:
  void deal(const PageCrew& crew);

  std::shared_ptr<const trace::PageTrace> trace_;
  std::vector<PageFile> files_;
  bool recorded_times_;
  std::vector<std::vector<std::size_t>> calls_;  ///< of the trace, by worker
  std::vector<std::size_t> next_;                ///< of them, by worker
};

}  // namespace recirc::workloads
