#include "model/op_tracker.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/latency_figures.h"

namespace recirc::model {
namespace {

constexpr std::array<const char*, outcome_count> outcome_names = {"hit",     "miss",   "invalid",
                                                                  "written", "denied", "error"};

double rate(std::uint64_t operations, sim::Duration length) {
  return length.count() <= 0 ? 0 : static_cast<double>(operations) / sim::as_seconds(length);
}

}  // namespace

const char* name_of(Outcome outcome) { return outcome_names[static_cast<std::size_t>(outcome)]; }

OpTracker::OpTracker(const NamespaceState& state, std::vector<workloads::Phase> phases,
                     std::optional<sim::Duration> series_window)
    : floor_(state) {
  if (series_window) timeline_.emplace(*series_window);
  for (workloads::Phase& phase : phases) {
    phases_.emplace_back();
    phases_.back().phase = std::move(phase);
  }
}

std::size_t OpTracker::phase_of(std::uint64_t operation) const {
  std::size_t i = 0;
  while (i + 1 < phases_.size() && operation >= phases_[i + 1].phase.first) ++i;
  return i;
}

void OpTracker::begin(Request& request, sim::Time now) {
  request.issued = now;
  ++issued_;
  first_issue_ = std::min(first_issue_, now);
  if (workloads::is_read(request.operation.kind)) {
    ++reads_issued_;
    floor_.begin(request);
  }
  PhaseCount& phase = phases_[phase_of(request.operation.index)];
  phase.first_issue = std::min(phase.first_issue, now);
}

void OpTracker::complete(Request& request, sim::Time now) {
  const sim::Duration latency = now - request.issued;
  last_completion_ = now;
  ++completed_;
  by_kind_[static_cast<std::size_t>(request.operation.kind)].record(latency.count());
  by_outcome_[static_cast<std::size_t>(request.outcome)].record(latency.count());
  parts_ += request.parts;
  PhaseCount& phase = phases_[phase_of(request.operation.index)];
  ++phase.completed;
  phase.last_completion = now;
  phase.latency.record(latency.count());
  if (timeline_) timeline_->completed(request, now);
  if (request.outcome == Outcome::written) {
    floor_.acknowledge(request);
  } else if (workloads::is_read(request.operation.kind)) {
    if (request.answered_by_switch) ++switch_answers_;
    floor_.check(request);
  }
}

void OpTracker::fail(const Request& request, sim::Time now) {
  lost_.push_back({request.issued, now});
}

sim::Duration OpTracker::length() const {
  return completed() == 0 ? sim::Duration{} : last_completion_ - first_issue_;
}

sim::Duration OpTracker::time_lost() const {
  sim::Duration sum{};
  for (const Wait& wait : lost_) {
    const sim::Time end = std::min(wait.given_up, last_completion_);
    if (end > wait.issued) sum += end - wait.issued;
  }
  return sum;
}

sim::Duration OpTracker::phase_length(std::size_t phase) const {
  const PhaseCount& p = phases_[phase];
  return p.completed == 0 ? sim::Duration{} : p.last_completion - p.first_issue;
}

void OpTracker::report(ReplicationResult& result) const {
  std::vector<Figure>& figures = result.summary;
  figures.push_back({"throughput_ops_per_s", rate(completed(), length())});
  const sim::Histogram latency = all_latencies();
  add_latencies(figures, latency);
  figures.push_back({"switch_hit_ratio", reads_issued_ == 0
                                             ? 0.0
                                             : static_cast<double>(switch_answers_) /
                                                   static_cast<double>(reads_issued_)});
  figures.push_back(count_figure("ops_issued", issued_));
  figures.push_back(count_figure("ops_completed", completed()));
  figures.push_back(count_figure("ops_failed", failed()));
  figures.push_back(
      count_figure("ops_denied", by_outcome_[static_cast<std::size_t>(Outcome::denied)].count()));
  figures.push_back(count_figure("stale_reads", stale_reads()));
  report_time_parts(figures, latency.mean());
  report_by_kind_and_outcome(figures);
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const PhaseCount& p = phases_[i];
    if (p.first_issue == sim::Time{sim::Duration::max()}) continue;  // a duration ended before it
    PhaseResult& phase = result.phases.emplace_back();
    phase.name = p.phase.name;
    phase.figures.push_back({"throughput_ops_per_s", rate(p.completed, phase_length(i))});
    phase.figures.push_back(count_figure("ops_completed", p.completed));
    add_quantiles(phase.figures, "", p.latency);
  }
  result.histograms.push_back({"latency", "ps", latency});
  for (std::size_t k = 0; k < by_kind_.size(); ++k) {
    if (by_kind_[k].count() == 0) continue;
    const auto kind = static_cast<workloads::OpKind>(k);
    result.histograms.push_back(
        {"latency/" + std::string(workloads::name_of(kind)), "ps", by_kind_[k]});
  }
  if (timeline_) timeline_->report(last_completion_, result.series);
}

sim::Histogram OpTracker::all_latencies() const {
  sim::Histogram all;
  for (const sim::Histogram& kind : by_kind_) all.merge(kind);
  return all;
}

void OpTracker::report_time_parts(std::vector<Figure>& figures, double mean_latency) const {
  const double n = completed() == 0 ? 1.0 : static_cast<double>(completed());
  const double queues = static_cast<double>(parts_.queues.count()) * 1e-6 / n;
  const double recirculation = static_cast<double>(parts_.recirculation.count()) * 1e-6 / n;
  const double lock_wait = static_cast<double>(parts_.lock_wait.count()) * 1e-6 / n;
  const double service = static_cast<double>(parts_.service.count()) * 1e-6 / n;
  const double resending = static_cast<double>(parts_.resending.count()) * 1e-6 / n;
  figures.push_back({"time/wire_us", mean_latency * 1e-6 - queues - recirculation - lock_wait -
                                         service - resending});
  figures.push_back({"time/queues_us", queues});
  figures.push_back({"time/recirculation_us", recirculation});
  figures.push_back({"time/lock_wait_us", lock_wait});
  figures.push_back({"time/service_us", service});
  if (resending > 0) figures.push_back({"time/resending_us", resending});
}

void OpTracker::report_by_kind_and_outcome(std::vector<Figure>& figures) const {
  for (std::size_t k = 0; k < by_kind_.size(); ++k) {
    if (by_kind_[k].count() == 0) continue;
    const auto kind = static_cast<workloads::OpKind>(k);
    const std::string prefix = "operations/" + std::string(workloads::name_of(kind)) + "/";
    figures.push_back(count_figure(prefix + "count", by_kind_[k].count()));
    add_quantiles(figures, prefix, by_kind_[k]);
  }
  for (std::size_t o = 0; o < by_outcome_.size(); ++o) {
    const std::string prefix = std::string("outcomes/") + outcome_names[o] + "/";
    figures.push_back(count_figure(prefix + "count", by_outcome_[o].count()));
    // The latency of no operation at all is not 0: a mean over replications would take it in.
    if (by_outcome_[o].count() > 0) add_quantiles(figures, prefix, by_outcome_[o]);
  }
}

}  // namespace recirc::model
