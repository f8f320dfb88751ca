#include "model/claims/resolver.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/experiment/grid.h"
#include "model/experiment/point_file.h"
#include "model/experiment/reduce.h"
#include "model/experiment/result_document.h"
#include "model/experiment/saturate.h"
#include "sim/error.h"

namespace recirc::model::claims {
namespace {

void apply(const std::string& settings, sim::config::Document& document) {
  if (settings.empty()) return;
  const Json object = Json::parse(settings);
  for (const auto& [pointer, value] : object.items()) document.set(pointer, value);
}

bool sets(const std::string& settings, const std::string& pointer) {
  return !settings.empty() && Json::parse(settings).contains(pointer);
}

Needed needed_of(std::shared_ptr<const experiment::PreparedRun> run, const RunBinding& binding) {
  Needed needed;
  const auto operations = static_cast<double>(run->operations());
  needed.takes_s = operations > 0 ? operations / binding.speed : binding.takes_s;
  needed.config = run->effective().dump(-1, ' ', false, Json::error_handler_t::replace);
  needed.identity = experiment::identity_of(needed.config);
  needed.run = std::move(run);
  return needed;
}

std::string first_of(const sim::ConfigError& error) {
  const auto& issues = error.issues();
  if (issues.empty()) return error.what();
  return issues.front().pointer + " " + issues.front().message;
}

}  // namespace

const Evaluation::Resolver::Base& Evaluation::Resolver::base_of(const RunBinding& run) {
  const auto [at, fresh] = bases_.try_emplace(run.name);
  Base& base = at->second;
  if (!fresh) return base;
  try {
    const auto path = (bindings_.folder / run.file).lexically_normal();
    base.document = experiment::load_config(path);
    if (!experiment::is_sweep(base.document)) return base;
    const experiment::Sweep sweep =
        experiment::read_sweep(sim::config::Document::load(path), path.parent_path(), {});
    base.document = sweep.base;
    for (const experiment::Axis& axis : sweep.axes) base.axes.push_back(axis.pointer);
  } catch (const sim::InputOutputError& error) {
    base.why_not = error.what();
  }
  return base;
}

sim::config::Document Evaluation::Resolver::document_of(const Base& base, const RunBinding& run,
                                                        const Operand& operand,
                                                        const Variation& variation) const {
  sim::config::Document document = base.document;
  document.set("/run/replications", Json(run.replications));
  apply(run.set, document);
  apply(operand.select, document);
  // What a saturation varies is the workload that its depth was counted for.
  if (!operand.saturate_at) apply(variation.select, document);
  if (alternative_ != nullptr && document.text_at("/system") == bindings_.system) {
    apply(alternative_->set, document);
  }
  for (const std::string& assignment : overrides_) document.set(assignment);
  return document;
}

Needed Evaluation::Resolver::prepare(sim::config::Document document,
                                     const RunBinding& binding) const {
  auto run = engine_.prepare(document);
  experiment::Scale scale = scale_;
  if (!binding.scaled) scale.times = scale.over = 1;
  if (!scale.changes()) return needed_of(std::move(run), binding);
  rescale(document, *run, scale);
  return needed_of(engine_.prepare(document), binding);
}

Evaluation::Resolver::Resolved Evaluation::Resolver::resolve(const Operand& operand,
                                                             const Variation& variation,
                                                             const Finished& finished) {
  const std::string key =
      operand.run + operand.select + variation.select + operand.saturate_at.value_or("");
  if (const auto at = known_.find(key); at != known_.end()) return at->second;
  const RunBinding& run = *bindings_.find_run(operand.run);
  const Base& base = base_of(run);
  Resolved resolved;
  resolved.why_not = base.why_not;
  for (const std::string& axis : base.axes) {
    if (sets(operand.select, axis) || sets(variation.select, axis) || sets(run.set, axis)) continue;
    resolved.why_not = "nothing chooses " + axis + " of " + run.file;
  }
  if (!resolved.why_not.empty()) return resolved;
  try {
    sim::config::Document document = document_of(base, run, operand, variation);
    if (operand.saturate_at) {
      resolved = saturated(document, operand, variation, finished);
    } else {
      resolved.needed = prepare(std::move(document), run);
    }
  } catch (const sim::ConfigError& error) {
    resolved.why_not = first_of(error);
  } catch (const sim::InputOutputError& error) {
    resolved.why_not = error.what();
  }
  if (!resolved.later) known_.emplace(key, resolved);
  return resolved;
}

Evaluation::Resolver::Resolved Evaluation::Resolver::saturated(
    const sim::config::Document& document, const Operand& operand, const Variation& variation,
    const Finished& finished) {
  constexpr double cross_pipe_and_release = 2;
  constexpr double deepest = 9;
  Operand counted = operand;
  counted.run = *operand.saturate_at;
  counted.saturate_at.reset();
  Resolved count = resolve(counted, variation, finished);
  if (!count.why_not.empty()) return count;
  double sum = 0;
  for (std::uint64_t r = 0; r < count.needed.run->replications(); ++r) {
    const ReplicationResult* result = finished.find(count.needed, r);
    if (result == nullptr) {
      count.later = true;
      return count;
    }
    const Figure* figure = experiment::find(result->summary, "recirculations_per_op");
    sum += figure == nullptr ? 0 : figure->value;
  }
  const double mean = sum / static_cast<double>(count.needed.run->replications());
  const double depth = std::clamp(std::ceil(mean) - cross_pipe_and_release, 1.0, deepest);
  sim::config::Document at_depth = document;
  at_depth.set("/workload/popularity/depth", Json(static_cast<int>(depth)));
  const RunBinding& binding = *bindings_.find_run(operand.run);
  const Needed scaled = prepare(at_depth, binding);
  at_depth.set("/run/replications", Json(scaled.run->replications()));
  at_depth.set("/workload/requests", Json(scaled.run->requests()));
  return {needed_of(experiment::saturation_of(at_depth, {}, engine_), binding), "", false};
}

}  // namespace recirc::model::claims
