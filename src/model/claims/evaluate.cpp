#include "model/claims/evaluate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "model/claims/reduce_series.h"
#include "model/claims/resolver.h"
#include "model/experiment/reduce.h"
#include "sim/error.h"

namespace recirc::model::claims {
namespace {

/// A claim's part cannot be computed.
struct NotThere {
  std::string why;
};

std::uint64_t replications_of(const Needed& of, const Needed* to) {
  const std::uint64_t mine = of.run->replications();
  return to == nullptr ? mine : std::min(mine, to->run->replications());
}

double figure_of(const Needed& needed, const Finished& finished, std::uint64_t replication,
                 const Operand& operand) {
  const ReplicationResult* result = finished.find(needed, replication);
  if (result == nullptr) throw NotThere{"its runs are not finished"};
  const std::size_t colon = operand.figure.find(':');
  const Figure* figure = nullptr;
  if (colon == std::string::npos) figure = experiment::find(result->summary, operand.figure);
  for (const PhaseResult& phase : result->phases) {
    if (colon == std::string::npos || phase.name != operand.figure.substr(0, colon)) continue;
    figure = experiment::find(phase.figures, operand.figure.substr(colon + 1));
  }
  if (figure == nullptr) throw NotThere{"its runs have no figure " + operand.figure};
  return figure->value;
}

double series_of(const Needed& needed, const Finished& finished, std::uint64_t replication,
                 const Part& part) {
  const ReplicationResult* result = finished.find(needed, replication);
  if (result == nullptr) throw NotThere{"its runs are not finished"};
  for (const NamedSeries& series : result->series) {
    if (series.name != part.of.figure) continue;
    const double found = part.reduce == Reduce::dip ? shallowest_dip(series, part.period_s)
                                                    : farthest_return(series, part.period_s);
    if (std::isnan(found)) throw NotThere{"its series covers no change"};
    return found;
  }
  throw NotThere{"its runs have no series " + part.of.figure};
}

/// "arrays:value" or "stages:value" of the program's report: the register arrays of the egress
/// whose name begins so, and in how many stages they stand. Nothing that does not fit counts.
double declared(const Needed& needed, const std::string& figure) {
  const Json report = needed.run->program_report();
  if (!report.is_object() || !report.value("fits", false)) return 0;
  const std::size_t colon = figure.find(':');
  const std::string prefix = figure.substr(colon + 1);
  double arrays = 0;
  double stages = 0;
  for (const Json& stage : report.at("stages")) {
    const Json& objects = stage.at("egress").at("objects");
    const auto here = std::count_if(objects.begin(), objects.end(), [&](const Json& object) {
      const auto name = object.get<std::string>();
      return name.rfind(prefix, 0) == 0 && name.size() > prefix.size() &&
             std::isdigit(static_cast<unsigned char>(name[prefix.size()])) != 0;
    });
    arrays += static_cast<double>(here);
    if (here > 0) ++stages;
  }
  return figure.substr(0, colon) == "arrays" ? arrays : stages;
}

double reduced(const Part& part, const Needed& of, const Needed* to, const Finished& finished,
               std::uint64_t replication) {
  if (part.reduce == Reduce::dip || part.reduce == Reduce::recovery) {
    return series_of(of, finished, replication, part);
  }
  const double mine = figure_of(of, finished, replication, part.of);
  if (to == nullptr) return mine;
  const double other = figure_of(*to, finished, replication, *part.to);
  if (part.reduce == Reduce::difference) return mine - other;
  if (other == 0) throw NotThere{part.to->figure + " is 0: there is no ratio"};
  const double ratio = mine / other;
  if (part.reduce == Reduce::gain) return (ratio - 1) * 100;
  return part.reduce == Reduce::cut ? (1 - ratio) * 100 : ratio;
}

double combined(const Part& part, const std::vector<double>& values) {
  switch (part.combine) {
    case Combine::least:
      return *std::min_element(values.begin(), values.end());
    case Combine::most:
      return *std::max_element(values.begin(), values.end());
    case Combine::farthest: {
      const double target = part.accept.target.value_or(0);
      return *std::max_element(values.begin(), values.end(), [&](double a, double b) {
        return std::abs(a - target) < std::abs(b - target);
      });
    }
    case Combine::mean:
      break;
  }
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// "fletch.gain*" names every claim that begins so.
bool is_named(const Claim& claim, const std::string& pattern) {
  if (pattern.empty() || pattern.back() != '*') return claim.id == pattern;
  return claim.id.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0;
}

std::vector<Variation> variations_of(const Part& part) {
  return part.over.empty() ? std::vector<Variation>(1) : part.over;
}

/// Calls `see(operand, variation)` for all that a part is computed from.
template <class See>
void each_operand(const Part& part, See see) {
  for (const Variation& variation : variations_of(part)) {
    see(part.of, variation);
    if (part.to) see(*part.to, variation);
  }
}

template <class Resolver>
sim::Interval interval_of(const Part& part, Resolver& resolver, const Finished& finished) {
  const auto needed_of = [&](const Operand& operand, const Variation& variation) {
    auto resolved = resolver.resolve(operand, variation, finished);
    if (!resolved.why_not.empty()) throw NotThere{resolved.why_not};
    if (resolved.later) throw NotThere{"its runs are not finished"};
    return std::move(resolved.needed);
  };
  std::vector<std::vector<double>> values;  // by replication
  for (const Variation& variation : variations_of(part)) {
    const Needed of = needed_of(part.of, variation);
    if (part.reduce == Reduce::programs) {
      return {declared(of, part.of.figure), 0.0, 1};  // no replication would say anything else
    }
    std::optional<Needed> to;
    if (part.to) to = needed_of(*part.to, variation);
    const Needed* other = to ? &*to : nullptr;
    const std::uint64_t count = replications_of(of, other);
    values.resize(values.empty() ? count : std::min<std::size_t>(values.size(), count));
    for (std::uint64_t r = 0; r < values.size(); ++r) {
      values[r].push_back(reduced(part, of, other, finished, r) * part.times - variation.minus);
    }
  }
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const auto& of_replication : values) numbers.push_back(combined(part, of_replication));
  return sim::mean_interval(numbers);
}

void add_fitted(const Claim& claim, const Needed& needed, std::set<std::string>& pointers) {
  for (const auto& [pointer, text] : needed.run->provenance().items()) {
    const auto from = text.get<std::string>();
    if (from.rfind("fitted", 0) == 0 && from.find(claim.id) != std::string::npos) {
      pointers.insert(pointer);
    }
  }
}

}  // namespace

void Finished::add(const std::string& identity, std::uint64_t seed, ReplicationResult result) {
  const std::uint64_t replication = result.replication;
  all_[{identity, seed}].insert_or_assign(replication, std::move(result));
}

const ReplicationResult* Finished::find(const Needed& needed, std::uint64_t replication) const {
  const auto point = all_.find({needed.identity, needed.run->seed()});
  if (point == all_.end()) return nullptr;
  const auto result = point->second.find(replication);
  return result == point->second.end() ? nullptr : &result->second;
}

Evaluation::Evaluation(const Bindings& bindings, const experiment::Engine& engine,
                       const experiment::Scale& scale, const std::vector<std::string>& overrides,
                       const std::vector<std::string>& only, const Alternative* alternative)
    : resolver_(std::make_unique<Resolver>(bindings, engine, scale, overrides, alternative)) {
  for (const Claim& claim : bindings.claims) {
    const bool wanted = std::any_of(only.begin(), only.end(), [&](const std::string& pattern) {
      return is_named(claim, pattern);
    });
    if (only.empty() || wanted) claims_.push_back(&claim);
  }
  for (const std::string& pattern : only) {
    const bool known = std::any_of(claims_.begin(), claims_.end(),
                                   [&](const Claim* claim) { return is_named(*claim, pattern); });
    if (!known) throw sim::ConfigError("", "there is no claim " + pattern);
  }
}

Evaluation::~Evaluation() = default;

std::vector<Evaluation::Job> Evaluation::missing(const Finished& finished) {
  std::vector<Job> jobs;
  std::set<std::string> seen;
  const auto add = [&](const Operand& operand, const Variation& variation) {
    const auto resolved = resolver_->resolve(operand, variation, finished);
    if (!resolved.why_not.empty()) return;
    const Needed& needed = resolved.needed;
    if (!seen.insert(needed.identity + std::to_string(needed.run->seed())).second) return;
    for (std::uint64_t r = 0; r < needed.run->replications(); ++r) {
      if (finished.find(needed, r) == nullptr) jobs.push_back({needed, r});
    }
  };
  for (const Claim* claim : claims_) {
    for (const Part& part : claim->parts) {
      if (part.reduce != Reduce::programs) each_operand(part, add);
    }
  }
  return jobs;
}

std::vector<sim::config::VariedField> Evaluation::varied(const Finished& finished) {
  std::vector<sim::config::VariedField> fields;
  std::set<std::string> seen;
  const auto add = [&](const Operand& operand, const Variation& variation) {
    const auto resolved = resolver_->resolve(operand, variation, finished);
    if (!resolved.why_not.empty()) return;
    for (auto& field : resolved.needed.run->varied()) {
      if (seen.insert(field.pointer).second) fields.push_back(std::move(field));
    }
  };
  for (const Claim* claim : claims_) {
    for (const Part& part : claim->parts) each_operand(part, add);
  }
  return fields;
}

std::vector<ClaimOutcome> Evaluation::outcomes(const Finished& finished) {
  std::vector<ClaimOutcome> outcomes;
  for (const Claim* claim : claims_) {
    ClaimOutcome& outcome = outcomes.emplace_back();
    outcome.claim = claim;
    std::set<std::string> fitted;
    for (const Part& part : claim->parts) {
      PartOutcome& found = outcome.parts.emplace_back();
      try {
        found.interval = interval_of(part, *resolver_, finished);
        found.verdict = judge(found.interval, part.accept);
      } catch (const NotThere& error) {
        found.why_not = error.why;
      }
      outcome.verdict = worse(outcome.verdict, found.verdict);
      each_operand(part, [&](const Operand& operand, const Variation& variation) {
        const auto run = resolver_->resolve(operand, variation, finished);
        if (run.why_not.empty() && !run.later) add_fitted(*claim, run.needed, fitted);
      });
    }
    outcome.fitted.assign(fitted.begin(), fitted.end());
  }
  return outcomes;
}

}  // namespace recirc::model::claims
