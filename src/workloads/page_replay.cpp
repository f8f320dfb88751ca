#include "workloads/page_replay.h"

#include <fmt/format.h>

#include <utility>

#include "sim/error.h"

namespace recirc::workloads {

PageReplay::PageReplay(std::shared_ptr<const trace::PageTrace> trace, bool recorded_times,
                       const PageCrew& crew)
    : trace_(std::move(trace)),
      files_(trace_->files),
      recorded_times_(recorded_times),
      calls_(crew.workers()),
      next_(crew.workers(), 0) {
  if (trace_->of_processes) {
    deal(crew);
    return;
  }
  for (std::size_t i = 0; i < trace_->calls.size(); ++i) {
    const trace::PageTraceCall& call = trace_->calls[i];
    if (call.node >= crew.nodes || call.thread >= crew.threads) {
      throw sim::InputOutputError(fmt::format(
          "{}: line {} is for thread {} of node {}; /cluster has {} nodes of {} threads",
          trace_->name, call.line, call.thread, call.node, crew.nodes, crew.threads));
    }
    calls_[std::size_t{call.node} * crew.threads + call.thread].push_back(i);
  }
}

void PageReplay::deal(const PageCrew& crew) {
  for (std::size_t i = 0; i < trace_->calls.size(); ++i) {
    const trace::PageTraceCall& call = trace_->calls[i];
    const std::uint32_t node = call.thread % crew.nodes;
    const std::uint32_t thread = call.thread / crew.nodes % crew.threads;
    calls_[std::size_t{node} * crew.threads + thread].push_back(i);
    if (changes_file(call.op.kind)) files_[call.op.first.file.value()].writers |= 1U << node;
  }
}

PageOp PageReplay::next(WorkerId worker, std::uint64_t /*word*/) {
  const trace::PageTraceCall& call = trace_->calls[calls_[worker.value()][next_[worker.value()]++]];
  PageOp op = call.op;
  if (recorded_times_) op.earliest = call.at;
  return op;
}

}  // namespace recirc::workloads
