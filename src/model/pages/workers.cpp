#include "model/pages/workers.h"

#include <algorithm>
#include <string>

#include "model/latency_figures.h"

namespace recirc::model::pages {
namespace {

std::vector<std::uint32_t> sizes_of(const workloads::PageApp& app) {
  std::vector<std::uint32_t> sizes;
  for (const workloads::PageFile& file : app.files()) sizes.push_back(file.pages);
  return sizes;
}

}  // namespace

Workers::Workers(sim::Scheduler& scheduler, const NodesSettings& nodes, const RunLength& length,
                 workloads::PageApp& app, const verify::PageVerifySettings& verify)
    : scheduler_(scheduler),
      threads_(nodes.threads),
      length_(length),
      app_(app),
      states_(std::size_t{nodes.nodes} * nodes.threads),
      checks_(verify, sizes_of(app)) {}

void Workers::start(PageSystem& system) {
  system_ = &system;
  running_ = count();
  for (std::uint32_t w = 0; w < count(); ++w) scheduler_.after({}, *this, Kind::begin, w);
}

bool Workers::may_begin() {
  if (scheduler_.now() - last_progress_ > length_.without_progress) no_progress_ = true;
  if (no_progress_) return false;
  if (length_.duration) return scheduler_.now() < sim::Time{*length_.duration};
  return begun_ < length_.operations;
}

void Workers::next_call(WorkerId worker) {
  if (!app_.has_next(worker) || !may_begin()) {
    --running_;
    states_[worker.value()].phase = Phase::is_done;
    return;
  }
  State& state = states_[worker.value()];
  state.op = app_.next(worker, state.word);
  state.word = 0;
  state.warms_up = state.op.counts && warmed_up_ < length_.warm_up;
  if (state.warms_up) {
    ++warmed_up_;
  } else if (state.op.counts && begun_++ == 0 && length_.warm_up > 0) {
    counting_since_ = scheduler_.now();
  }
  if (state.op.earliest > scheduler_.now()) {
    state.phase = Phase::waits;
    return scheduler_.at(state.op.earliest, *this, Kind::due, worker.value(), state.life);
  }
  make_call(worker);
}

void Workers::make_call(WorkerId worker) {
  states_[worker.value()].called = last_sign_ = scheduler_.now();
  states_[worker.value()].phase = Phase::calls;
  ++under_way_;
  system_->call(worker);
}

std::uint64_t Workers::write(WorkerId worker, PageRef page) {
  const std::uint64_t version = ++versions_;
  if (checks_.wants_calls()) states_[worker.value()].seen.push_back({page, version});
  return version;
}

/// The call has returned: what it has written must be read from now on.
void Workers::check(State& state) {
  const sim::Time now = scheduler_.now();
  for (const Seen& seen : state.seen) {
    if (state.op.kind == PageOpKind::read) {
      checks_.read(number_of(seen.page), seen.version, state.called, now);
    } else {
      checks_.written(number_of(seen.page), seen.version, state.called, now);
    }
  }
  if (state.op.kind != PageOpKind::read) check_file(state);
  state.seen.clear();
}

void Workers::check_file(const State& state) {
  const std::uint32_t file = state.op.first.file.value();
  if (state.op.kind == PageOpKind::truncate) return checks_.cut(file);
  const Seen* first = nullptr;
  std::uint32_t pages = 0;
  for (const Seen& seen : state.seen) {
    if (seen.page.page == size_page) continue;
    if (pages++ == 0) first = &seen;
    if (state.op.kind != PageOpKind::append) checks_.extended(file, seen.page.page);
  }
  if (first == nullptr || state.op.kind != PageOpKind::append) return;
  checks_.appended(file, first->page.page, pages, state.called, scheduler_.now());
}

void Workers::returns(WorkerId worker, sim::Time at, std::uint64_t word) {
  states_[worker.value()].word = word;
  scheduler_.at(at, *this, Kind::returned, worker.value(), states_[worker.value()].life);
}

void Workers::crashed(NodeId node) {
  for (std::uint32_t w = node.value() * threads_; w < (node.value() + 1U) * threads_; ++w) {
    State& state = states_[w];
    ++state.life;
    if (state.phase != Phase::calls) continue;
    --under_way_;
    ++failed_;
    for (const Seen& seen : state.seen) {
      if (state.op.kind == PageOpKind::read) continue;
      checks_.never_returned(number_of(seen.page), seen.version, state.called);
      checks_.cut(seen.page.file.value());
    }
    state.seen.clear();
    state.word = 0;
    state.phase = Phase::begins;
  }
}

void Workers::restarted(NodeId node) {
  last_sign_ = scheduler_.now();
  for (std::uint32_t w = node.value() * threads_; w < (node.value() + 1U) * threads_; ++w) {
    const State& state = states_[w];
    if (state.phase == Phase::is_done) continue;
    const bool waits = state.phase == Phase::waits;
    scheduler_.at(waits ? std::max(scheduler_.now(), state.op.earliest) : scheduler_.now(), *this,
                  waits ? Kind::due : Kind::begin, w, state.life);
  }
}

void Workers::reverted(PageRef page, std::uint64_t version, sim::Time crashed) {
  checks_.reverted(number_of(page), version, crashed, scheduler_.now());
  checks_.cut(page.file.value());
}

void Workers::note_return(WorkerId worker) {
  State& state = states_[worker.value()];
  last_sign_ = scheduler_.now();
  --under_way_;
  if (checks_.wants_calls()) check(state);
  if (state.op.counts) last_progress_ = scheduler_.now();
  if (state.warms_up) return;
  if (state.op.counts) {
    ++returned_;
    last_return_ = scheduler_.now();
    latency_[static_cast<std::size_t>(state.op.kind)].record((last_return_ - state.called).count());
  } else {
    ++not_counted_;
  }
}

void Workers::handle(const sim::Event& event) {
  const WorkerId worker{event.arg};
  if (event.aux != states_[event.arg].life) return;
  switch (static_cast<Kind>(event.kind)) {
    case Kind::due:
      return make_call(worker);
    case Kind::returned:
      note_return(worker);
      break;
    case Kind::begin:
      break;
  }
  next_call(worker);
}

void Workers::report(ReplicationResult& result) const {
  sim::Histogram all;
  for (const sim::Histogram& of_kind : latency_) all.merge(of_kind);
  const double length = sim::as_seconds(last_return_ - counting_since_);
  std::vector<Figure>& figures = result.summary;
  figures.push_back(
      {"throughput_ops_per_s", length > 0 ? static_cast<double>(returned_) / length : 0.0});
  add_latencies(figures, all);
  figures.push_back(count_figure("ops_completed", returned_));
  figures.push_back(count_figure("calls_not_counted", not_counted_));
  figures.push_back({"no_progress", no_progress_ ? 1.0 : 0.0, Figure::Kind::flag});
  checks_.report(figures);
  result.histograms.push_back({"latency", "ps", all});
  for (std::size_t k = 0; k < latency_.size(); ++k) {
    if (latency_[k].count() == 0) continue;
    const std::string name(workloads::page_op_names[k]);
    figures.push_back(count_figure("operations/" + name + "/count", latency_[k].count()));
    add_quantiles(figures, "operations/" + name + "/", latency_[k]);
    result.histograms.push_back({"latency/" + name, "ps", latency_[k]});
  }
}

}  // namespace recirc::model::pages
