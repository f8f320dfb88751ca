#include "model/experiment/reduce.h"

#include <algorithm>
#include <array>
#include <map>

namespace recirc::model::experiment {
namespace {

constexpr std::array<ComparedFigure, 6> compared{{
    {"throughput_ops_per_s", true},
    {"latency_mean_us", false},
    {"latency_p50_us", false},
    {"latency_p95_us", false},
    {"latency_p99_us", false},
    {"server_share_max", false},
}};

struct Gathered {
  Figure::Kind kind;
  std::vector<double> values;
};

Estimate estimate_of(const std::string& name, const Gathered& gathered) {
  Estimate estimate{name, gathered.kind, {}};
  if (gathered.kind == Figure::Kind::flag) {
    const auto& all = gathered.values;
    const bool any = std::any_of(all.begin(), all.end(), [](double v) { return v != 0; });
    estimate.interval.mean = any ? 1 : 0;
    estimate.interval.observations = all.size();
  } else {
    estimate.interval = sim::mean_interval(gathered.values);
  }
  return estimate;
}

}  // namespace

std::vector<Estimate> reduce(std::span<const std::vector<Figure>> replications) {
  std::vector<std::string> order;
  std::map<std::string, Gathered, std::less<>> by_name;
  for (const auto& figures : replications) {
    for (const Figure& figure : figures) {
      const auto [entry, fresh] = by_name.try_emplace(figure.name, Gathered{figure.kind, {}});
      if (fresh) order.push_back(figure.name);
      entry->second.values.push_back(figure.value);
    }
  }
  std::vector<Estimate> estimates;
  estimates.reserve(order.size());
  for (const std::string& name : order) {
    // A kind of operation that a replication has not is one that it has none of.
    Gathered& gathered = by_name.find(name)->second;
    if (gathered.kind == Figure::Kind::count) gathered.values.resize(replications.size(), 0.0);
    estimates.push_back(estimate_of(name, gathered));
  }
  return estimates;
}

std::vector<Estimate> reduce_summaries(std::span<const ReplicationResult> replications) {
  std::vector<std::vector<Figure>> summaries;
  summaries.reserve(replications.size());
  for (const ReplicationResult& replication : replications) {
    summaries.push_back(replication.summary);
  }
  return reduce(summaries);
}

const Estimate* find(std::span<const Estimate> estimates, std::string_view name) {
  for (const Estimate& estimate : estimates) {
    if (estimate.name == name) return &estimate;
  }
  return nullptr;
}

const Figure* find(std::span<const Figure> figures, std::string_view name) {
  for (const Figure& figure : figures) {
    if (figure.name == name) return &figure;
  }
  return nullptr;
}

std::span<const ComparedFigure> compared_figures() { return compared; }

std::vector<Gain> paired_gains(std::span<const ReplicationResult> ours,
                               std::span<const ReplicationResult> baseline) {
  std::vector<Gain> gains;
  for (const ComparedFigure& figure : compared) {
    std::vector<double> a;
    std::vector<double> b;
    bool usable = true;
    for (const ReplicationResult& mine : ours) {
      const auto other = std::find_if(
          baseline.begin(), baseline.end(),
          [&mine](const ReplicationResult& r) { return r.replication == mine.replication; });
      if (other == baseline.end()) continue;
      const Figure* x = find(mine.summary, figure.name);
      const Figure* y = find(other->summary, figure.name);
      if (x == nullptr || y == nullptr || y->value == 0) {
        usable = false;
        break;
      }
      a.push_back(x->value);
      b.push_back(y->value);
    }
    if (usable && !a.empty()) gains.push_back({figure.name, sim::paired_gain(a, b)});
  }
  return gains;
}

}  // namespace recirc::model::experiment
