#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/claims_file.h"
#include "app/claims_runs.h"
#include "app/sensitivity.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/experiment/result_document.h"

namespace recirc::app {
namespace {

using model::claims::ClaimOutcome;
using model::claims::Evaluation;
using model::experiment::Json;
using sim::config::VariedField;

/// The settings that --only names, or all that have a range.
std::vector<VariedField> chosen(const std::vector<VariedField>& fields, const Parsed& parsed) {
  const auto& only = parsed.all("only");
  std::vector<VariedField> kept;
  for (const VariedField& field : fields) {
    const bool wanted =
        only.empty() || std::find(only.begin(), only.end(), field.pointer) != only.end();
    if (wanted) kept.push_back(field);
  }
  for (const std::string& pointer : only) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const VariedField& field) {
      return field.pointer == pointer;
    });
    if (!known) {
      throw UsageError("no assumed or fitted constant is " + pointer,
                       "recirc docs config says where each comes from");
    }
  }
  return kept;
}

/// Runs a configuration at the ends of every range and pairs the figures with those in the middle.
class ConfigSensitivity {
 public:
  ConfigSensitivity(const sim::config::Document& config, const Parsed& parsed,
                    Environment& environment)
      : environment_(environment) {
    base_ = environment.engine.prepare(config);
    add(base_);
    for (const VariedField& field : chosen(base_->varied(), parsed)) {
      Movement movement{field, {}};
      for (const std::string& value : field.values) {
        sim::config::Document varied = config;
        varied.set(field.pointer, Json::parse(value));
        End end{value, {}, {}};
        try {
          const auto run = environment.engine.prepare(varied);
          ends_.push_back({movements_.size(), movement.ends.size(), runs_.size()});
          add(run);
        } catch (const sim::ConfigError& error) {
          end.why_not = error.what();
        }
        movement.ends.push_back(std::move(end));
      }
      movements_.push_back(std::move(movement));
    }
  }

  Execution run(const Parsed& parsed) {
    Execution execution = execute(jobs_, parsed, environment_);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (execution.results[i]) runs_[of_job_[i]].push_back(std::move(*execution.results[i]));
    }
    for (const Place& place : ends_) {
      End& end = movements_[place.movement].ends[place.end];
      for (auto& gain : model::experiment::paired_gains(runs_[place.run], runs_[0])) {
        end.moves.push_back({gain.name, gain.interval});
      }
    }
    return execution;
  }
  [[nodiscard]] const std::vector<Movement>& movements() const { return movements_; }

 private:
  struct Place {
    std::size_t movement, end, run;
  };

  void add(const std::shared_ptr<const model::experiment::PreparedRun>& run) {
    for (auto& job : model::experiment::replications_of(run)) {
      jobs_.push_back(std::move(job));
      of_job_.push_back(runs_.size());
    }
    runs_.emplace_back();
  }

  Environment& environment_;
  std::shared_ptr<const model::experiment::PreparedRun> base_;
  std::vector<model::experiment::Job> jobs_;
  std::vector<std::size_t> of_job_;
  std::vector<std::vector<model::ReplicationResult>> runs_;  ///< the first is the middle
  std::vector<Place> ends_;
  std::vector<Movement> movements_;
};

/// One claim at the ends of every range.
class ClaimSensitivity {
 public:
  ClaimSensitivity(const std::string& id, const Parsed& parsed, Environment& environment)
      : bindings_(model::claims::load_bindings(bindings_of(id.substr(0, id.find('.'))))),
        points_(open_points(parsed, bindings_.system, environment)) {
    const auto evaluation_with = [&](const std::vector<std::string>& overrides) {
      return std::make_unique<Evaluation>(bindings_, environment.engine, scale_of(parsed),
                                          overrides, std::vector<std::string>{id});
    };
    evaluations_.push_back(evaluation_with(parsed.all("set")));
    for (const VariedField& field :
         chosen(evaluations_.front()->varied(points_.finished()), parsed)) {
      Movement movement{field, {}};
      for (const std::string& value : field.values) {
        std::vector<std::string> overrides = parsed.all("set");
        overrides.push_back(field.pointer + "=" + value);
        evaluations_.push_back(evaluation_with(overrides));
        movement.ends.push_back({value, {}, {}});
      }
      movements_.push_back(std::move(movement));
    }
  }

  Execution run(const Parsed& parsed, Environment& environment) {
    std::vector<Evaluation*> all;
    for (const auto& evaluation : evaluations_) all.push_back(evaluation.get());
    Execution execution = run_missing(all, points_, parsed, environment);
    const auto outcome_of = [this](std::size_t evaluation) {
      return evaluations_[evaluation]->outcomes(points_.finished()).front();
    };
    middle_ = moves_of(outcome_of(0));
    std::size_t next = 1;
    for (Movement& movement : movements_) {
      for (End& end : movement.ends) {
        const ClaimOutcome outcome = outcome_of(next++);
        end.moves = moves_of(outcome);
        for (const auto& part : outcome.parts) {
          if (!part.why_not.empty()) end.why_not = part.why_not;
        }
      }
    }
    return execution;
  }
  [[nodiscard]] const std::vector<Movement>& movements() const { return movements_; }
  [[nodiscard]] const std::vector<Move>& middle() const { return middle_; }

 private:
  static std::vector<Move> moves_of(const ClaimOutcome& outcome) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < outcome.parts.size(); ++i) {
      const std::string& label = outcome.claim->parts[i].label;
      const auto& part = outcome.parts[i];
      if (!part.why_not.empty()) continue;
      moves.push_back({label.empty() ? outcome.claim->id : label, part.interval,
                       std::string(model::claims::name(part.verdict))});
    }
    return moves;
  }

  model::claims::Bindings bindings_;
  ClaimPoints points_;
  std::vector<std::unique_ptr<Evaluation>> evaluations_;  ///< the first is the middle
  std::vector<Movement> movements_;
  std::vector<Move> middle_;
};

bool is_claim(const std::string& text) {
  return text.find('.') != std::string::npos && text.find('/') == std::string::npos &&
         std::filesystem::path(text).extension() != ".json";
}

sim::ExitCode tell(const Sensitivity& found, const Execution& execution, const Parsed& parsed,
                   OutputFile* out, Environment& environment) {
  Json document = sensitivity_document(found);
  document["build"] = environment.engine.revision();
  deliver(document, parsed, out, environment);
  if (!parsed.has("json")) environment.out << sensitivity_table(found);
  return finish(execution, environment);
}

}  // namespace

Options sensitivity_options() {
  return Options(
             "sensitivity",
             "Varies each assumed or fitted constant over its range, one at a time.\n"
             "Of a configuration it shows by how much the figures change at both ends; of a\n"
             "claim (fletch.gain128.fletch.thumb) what its value is there. Pairs replications.\n"
             "experiments/sensitivity_figure.py draws what --out writes.")
      .arguments("CONFIG|CLAIM", 1, 1)
      .common()
      .running()
      .list("only", "POINTER", "this constant only; may be repeated")
      .value("scale", "small|full|paper", "of a claim: how many requests; else small")
      .value("points", "FILE", "of a claim: the point file; else that of recirc claims");
}

sim::ExitCode sensitivity_verb(const Parsed& parsed, Environment& environment) {
  const std::string& what = parsed.all(arguments_name).front();
  const auto out = open_file(parsed, "out");
  if (is_claim(what)) {
    tell_scale(scale_of(parsed), parsed, environment);
    ClaimSensitivity claim(what, parsed, environment);
    const Execution execution = claim.run(parsed, environment);
    return tell({what, true, claim.middle(), claim.movements()}, execution, parsed, out.get(),
                environment);
  }
  ConfigSensitivity config(config_with_overrides(what, parsed), parsed, environment);
  const Execution execution = config.run(parsed);
  tell_host_time(execution.host, parsed, environment);
  return tell({what, false, {}, config.movements()}, execution, parsed, out.get(), environment);
}

}  // namespace recirc::app
