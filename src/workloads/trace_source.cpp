#include "workloads/trace_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/error.h"

namespace recirc::workloads {
namespace {

constexpr std::uint64_t million = 1'000'000;
constexpr std::uint64_t log_resolution_ns = 1'000'000;  // log4j writes milliseconds

}  // namespace

TraceSource::TraceSource(std::shared_ptr<const trace::Trace> trace, std::uint64_t operations,
                         double speed)
    : trace_(std::move(trace)), size_(operations) {
  const auto& recorded = trace_->operations;
  if (recorded.empty()) {
    throw sim::InputOutputError(fmt::format("{} holds no request to replay", trace_->summary.file));
  }
  if (!(speed >= 1e-6 && speed <= 1e6)) {
    throw sim::ConfigError("", "the speed of a trace must be 0.000001 to 1000000");
  }
  if (size_ == 0) size_ = recorded.size();
  speed_ppm_ = static_cast<std::uint64_t>(speed * static_cast<double>(million) + 0.5);
  const std::uint64_t span = recorded.back().time_ns;
  const std::uint64_t gap = recorded.size() > 1 ? span / (recorded.size() - 1) : 0;
  period_ns_ = span + std::max(gap, log_resolution_ns);
}

Operation TraceSource::at(std::uint64_t i) const {
  const trace::StoredOperation& op = trace_->operations[i % trace_->operations.size()];
  Operation operation;
  operation.index = i;
  operation.kind = static_cast<OpKind>(op.kind);
  operation.allowed = op.allowed != 0;
  operation.path = PathId{op.path};
  operation.destination = PathId{op.destination};
  if (op.more != 0) {
    const auto more = std::ranges::lower_bound(trace_->more, i % trace_->operations.size(), {},
                                               &trace::MoreOfOperation::index);
    operation.recursive = more->recursive;
    operation.caller = more->caller;
    operation.set = more->set;
  }
  return operation;
}

std::vector<Phase> TraceSource::phases() const { return {{"trace", 0, size_}}; }

__int128 TraceSource::recorded_picoseconds(std::uint64_t i) const {
  const std::uint64_t passes = i / trace_->operations.size();
  const std::uint64_t time = trace_->operations[i % trace_->operations.size()].time_ns;
  const __int128 ns = static_cast<__int128>(passes) * period_ns_ + time;
  return ns * 1000 * million / speed_ppm_;
}

void TraceSource::require_recorded_times() const {
  if (recorded_picoseconds(size_ - 1) <= sim::Duration::max().count()) return;
  throw sim::InputOutputError(
      fmt::format("{} operations of {} at their recorded times last longer than the 106 days that "
                  "a simulation may: replay fewer, faster, or closed-loop",
                  size_, trace_->summary.file));
}

std::optional<sim::Duration> TraceSource::recorded_time(std::uint64_t i) const {
  const __int128 ps = recorded_picoseconds(i);
  if (ps > sim::Duration::max().count()) return sim::Duration::max();
  return sim::Duration{static_cast<std::int64_t>(ps)};
}

std::vector<PathId> TraceSource::hottest(std::uint64_t n) const {
  const InternedTree& tree = trace_->tree;
  const std::uint64_t length = trace_->operations.size();
  std::vector<std::uint64_t> requests(tree.size(), 0);
  for (std::uint64_t i = 0; i < std::min(length, size_); ++i) {
    // Position i is replayed once a pass; the last pass may end before it.
    requests[trace_->operations[i].path] += size_ / length + (i < size_ % length ? 1 : 0);
  }
  std::vector<PathId> files;
  for (PathId::rep p = 0; p < tree.size(); ++p) {
    const PathId path{p};
    if (requests[p] > 0 && !tree.is_directory(path) && tree.exists_at_start(path)) {
      files.push_back(path);
    }
  }
  const auto hotter = [&](PathId a, PathId b) {
    const std::uint64_t of_a = requests[a.value()];
    const std::uint64_t of_b = requests[b.value()];
    return of_a != of_b ? of_a > of_b : a < b;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(n, files.size()));
  std::partial_sort(files.begin(), files.begin() + kept, files.end(), hotter);
  files.resize(static_cast<std::size_t>(kept));
  return files;
}

}  // namespace recirc::workloads
