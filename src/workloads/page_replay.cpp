#include "workloads/page_replay.h"

#include <fmt/format.h>

#include <utility>

#include "sim/error.h"

namespace recirc::workloads {

PageReplay::PageReplay(std::shared_ptr<const trace::PageTrace> trace, bool recorded_times,
                       const PageCrew& crew)
    : trace_(std::move(trace)),
      recorded_times_(recorded_times),
      calls_(crew.workers()),
      next_(crew.workers(), 0) {
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

PageOp PageReplay::next(WorkerId worker, std::uint64_t /*word*/) {
  const trace::PageTraceCall& call = trace_->calls[calls_[worker.value()][next_[worker.value()]++]];
  PageOp op = call.op;
  if (recorded_times_) op.earliest = call.at;
  return op;
}

}  // namespace recirc::workloads
