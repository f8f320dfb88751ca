#include "model/experiment/saturate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/experiment/reduce.h"
#include "model/experiment/rounding.h"
#include "sim/error.h"
#include "sim/portable_math.h"

namespace recirc::model::experiment {
namespace {

/// What /workload/arrival/rate takes.
constexpr double least_rate = 1;
constexpr double most_rate = 1e12;
constexpr std::uint64_t usual_trials = 12;

double figure_of(const ReplicationResult& result, const char* name) {
  const Figure* figure = find(result.summary, name);
  if (figure == nullptr) throw sim::InvariantBroken(std::string("a run has no figure ") + name);
  return figure->value;
}

bool is_open(const sim::config::Document& config) {
  const Json::json_pointer arrival("/workload/arrival");
  return config.root().contains(arrival) && config.root().at(arrival).is_object() &&
         config.root().at(arrival).value("kind", "") == "open";
}

/// `config` with open arrivals at `rate`: periodic ones unless they were open already.
sim::config::Document at_rate(sim::config::Document config, double rate) {
  if (!is_open(config)) {
    config.set("/workload/arrival", Json{{"kind", "open"}, {"process", "periodic"}});
  }
  config.set("/workload/arrival/rate", Json(rate));
  return config;
}

class SaturationRun final : public PreparedRun {
 public:
  SaturationRun(sim::config::Document config, const SaturationGoal& goal, const Engine& engine)
      : config_(std::move(config)),
        goal_(with_law(goal, config_)),
        engine_(engine),
        first_(engine.prepare(at_rate(config_, goal.start))),
        effective_(first_->effective()) {
    effective_["saturate"] = {{"start", goal.start}, {"precision", goal.precision}};
    if (goal.p99_us) effective_["saturate"]["p99_us"] = *goal.p99_us;
  }

  [[nodiscard]] const Json& effective() const override { return effective_; }
  [[nodiscard]] const Json& provenance() const override { return first_->provenance(); }
  [[nodiscard]] std::vector<sim::config::VariedField> varied() const override {
    return first_->varied();
  }
  [[nodiscard]] Json program_report() const override { return first_->program_report(); }
  [[nodiscard]] std::string system() const override { return first_->system(); }
  [[nodiscard]] std::uint64_t seed() const override { return first_->seed(); }
  [[nodiscard]] std::uint64_t replications() const override { return first_->replications(); }
  [[nodiscard]] std::uint64_t operations() const override {
    return first_->operations() * usual_trials;
  }
  [[nodiscard]] std::uint64_t requests() const override { return first_->requests(); }

  ReplicationResult run(std::uint64_t replication, RunControl& control,
                        const std::string& /*log_file*/) const override {
    ReplicationResult best;
    best.replication = replication;
    const Saturation found = search_saturation(goal_, [&](double rate) {
      ReplicationResult result =
          engine_.prepare(at_rate(config_, rate))->run(replication, control, {});
      const bool sustained = is_sustained(result, rate, goal_);
      if (sustained) best = std::move(result);
      return sustained;
    });
    const auto add = [&best](const char* name, double value) {
      best.summary.push_back({name, value});
    };
    if (found.sustained) add("saturation/rate_ops_per_s", *found.sustained);
    if (found.lost) add("saturation/lost_rate_ops_per_s", *found.lost);
    best.summary.push_back(count_figure("saturation/trials", found.trials.size()));
    return best;
  }

 private:
  static SaturationGoal with_law(SaturationGoal goal, const sim::config::Document& config) {
    goal.random_arrivals =
        is_open(config) && config.text_at("/workload/arrival/process") != "periodic";
    return goal;
  }

  sim::config::Document config_;
  SaturationGoal goal_;
  const Engine& engine_;
  std::shared_ptr<const PreparedRun> first_;
  Json effective_;
};

}  // namespace

Saturation search_saturation(const SaturationGoal& goal,
                             const std::function<bool(double rate)>& is_sustained) {
  Saturation found;
  const auto attempt = [&](double rate) {
    rate = nine_digits(rate);
    const bool sustained = is_sustained(rate);
    found.trials.push_back({rate, sustained});
    (sustained ? found.sustained : found.lost) = rate;
  };
  attempt(goal.start);
  while (!found.sustained || !found.lost) {
    const double next = found.sustained ? *found.sustained * 2 : *found.lost / 2;
    if (next < least_rate || next > most_rate) return found;
    attempt(next);
  }
  while (*found.lost - *found.sustained > goal.precision * *found.sustained) {
    attempt((*found.lost + *found.sustained) / 2);
  }
  return found;
}

bool is_sustained(const ReplicationResult& result, double rate, const SaturationGoal& goal) {
  constexpr double deviations = 3;
  const double issued = figure_of(result, "ops_issued");
  if (figure_of(result, "ops_completed") < issued || figure_of(result, "ops_excess") > 0) {
    return false;
  }
  const double chance = goal.random_arrivals ? deviations / sim::sqrt(std::max(issued, 1.0)) : 0;
  const double least = rate * (1 - goal.precision - chance);
  if (figure_of(result, "throughput_ops_per_s") < least) return false;
  return !goal.p99_us || figure_of(result, "latency_p99_us") <= *goal.p99_us;
}

std::shared_ptr<const PreparedRun> saturation_of(const sim::config::Document& config,
                                                 const SaturationGoal& goal, const Engine& engine) {
  return std::make_shared<SaturationRun>(config, goal, engine);
}

}  // namespace recirc::model::experiment
