#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/claims_file.h"
#include "app/claims_runs.h"
#include "app/claims_table.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/experiment/result_document.h"

namespace recirc::app {
namespace {

using model::claims::ClaimOutcome;
using model::claims::Evaluation;
using model::claims::Verdict;
using model::experiment::Json;

std::string summary_of(const std::vector<ClaimOutcome>& outcomes) {
  const auto count = [&](auto which) {
    return std::count_if(outcomes.begin(), outcomes.end(), which);
  };
  const auto given_with = [&](Verdict verdict) {
    return count([=](const ClaimOutcome& outcome) {
      return outcome.claim->given() && outcome.verdict == verdict;
    });
  };
  const auto given = count([](const ClaimOutcome& outcome) { return outcome.claim->given(); });
  return std::to_string(given_with(Verdict::pass)) + " of " + std::to_string(given) +
         " given claims pass, " + std::to_string(given_with(Verdict::open)) + " are open, " +
         std::to_string(given_with(Verdict::fail)) + " fail, " +
         std::to_string(given_with(Verdict::unavailable)) + " are not available; " +
         std::to_string(static_cast<long>(outcomes.size()) - given) + " are withheld\n";
}

Json alternatives_document(const std::vector<AlternativeOutcomes>& alternatives) {
  Json documents = Json::array();
  for (const AlternativeOutcomes& other : alternatives) {
    documents.push_back({{"name", other.settings->name},
                         {"about", other.settings->about},
                         {"set", Json::parse(other.settings->set)},
                         {"fitted", other.settings->fitted},
                         {"claims", claims_document(other.outcomes)}});
  }
  return documents;
}

bool all_given_pass(const std::vector<ClaimOutcome>& outcomes) {
  return std::all_of(outcomes.begin(), outcomes.end(), [](const ClaimOutcome& outcome) {
    return !outcome.claim->given() || outcome.verdict == Verdict::pass;
  });
}

/// A setting that no run can take is a mistake of who typed it, not something that is missing.
void require_settable(const Parsed& parsed, Evaluation& evaluation,
                      const model::claims::Finished& finished) {
  if (parsed.all("set").empty() || !evaluation.missing(finished).empty()) return;
  std::string why;
  for (const ClaimOutcome& outcome : evaluation.outcomes(finished)) {
    for (const auto& part : outcome.parts) {
      if (part.why_not.empty()) return;
      if (why.empty()) why = part.why_not;
    }
  }
  throw UsageError("no run of these claims can be set so", why);
}

}  // namespace

Options claims_options() {
  return Options("claims",
                 "Runs what a paper's claims need and holds the results against them.\n"
                 "A row a claim: the paper's value, ours with its 95 % interval, and whether the\n"
                 "interval lies inside the tolerance (pass), outside (FAIL) or astride (open).\n"
                 "Finished replications are kept in the point file and not run again.")
      .arguments("SYSTEM", 1, 1)
      .common()
      .running()
      .value("scale", "small|full|paper", "how many requests and replications; else small")
      .list("only", "ID", "this claim only, or all that begin so: 'fletch.gain*'; may be repeated")
      .flag("strict", "exit code 1 unless every claim whose value is given passes")
      .value("points", "FILE", "the point file; else results/claims/SYSTEM.points.jsonl");
}

sim::ExitCode claims_verb(const Parsed& parsed, Environment& environment) {
  const auto bindings =
      model::claims::load_bindings(bindings_of(parsed.all(arguments_name).front()));
  const auto& scale = scale_of(parsed);
  Evaluation evaluation(bindings, environment.engine, scale, parsed.all("set"), parsed.all("only"));
  const auto out = open_file(parsed, "out");
  ClaimPoints points = open_points(parsed, bindings.system, environment);
  require_settable(parsed, evaluation, points.finished());
  tell_scale(scale, parsed, environment);
  std::vector<std::unique_ptr<Evaluation>> others;
  std::vector<Evaluation*> all{&evaluation};
  for (const auto& alternative : bindings.alternatives) {
    others.push_back(std::make_unique<Evaluation>(
        bindings, environment.engine, scale, parsed.all("set"), parsed.all("only"), &alternative));
    all.push_back(others.back().get());
  }
  const Execution execution = run_missing(all, points, parsed, environment);
  const auto outcomes = evaluation.outcomes(points.finished());
  std::vector<AlternativeOutcomes> alternatives;
  for (std::size_t i = 0; i < others.size(); ++i) {
    alternatives.push_back({&bindings.alternatives[i], others[i]->outcomes(points.finished())});
  }
  const Json document = {{"kind", "recirc claims"},
                         {"schema_version", model::experiment::schema_version},
                         {"system", bindings.system},
                         {"scale", scale.name},
                         {"requests_times", scale.times},
                         {"requests_over", scale.over},
                         {"build", environment.engine.revision()},
                         {"claims", claims_document(outcomes)},
                         {"alternatives", alternatives_document(alternatives)}};
  deliver(document, parsed, out.get(), environment);
  if (!parsed.has("json")) {
    environment.out << claims_table(outcomes, alternatives) << '\n' << summary_of(outcomes);
  }
  if (!execution.complete) return finish(execution, environment);
  const bool answer = !parsed.has("strict") || all_given_pass(outcomes);
  return answer ? sim::ExitCode::fine : sim::ExitCode::answer_is_no;
}

}  // namespace recirc::app
