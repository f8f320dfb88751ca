#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/numbers.h"
#include "app/report.h"
#include "app/session.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/experiment/saturate.h"
#include "sim/config/quantity.h"

namespace recirc::app {
namespace {

using model::experiment::Estimate;
using model::experiment::SaturationGoal;

double number(const Parsed& parsed, const char* option, double otherwise, double least,
              double most) {
  const auto text = parsed.text(option);
  if (!text) return otherwise;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (text->empty() || *end != '\0' || !(value >= least && value <= most)) {
    throw UsageError(
        fmt::format("--{} takes a number from {} to {}, not '{}'", option, least, most, *text));
  }
  return value;
}

SaturationGoal goal_of(const Parsed& parsed) {
  SaturationGoal goal;
  goal.start = number(parsed, "start", goal.start, 1, 1e12);
  goal.precision = number(parsed, "precision", goal.precision, 1e-6, 0.5);
  if (const auto text = parsed.text("p99")) {
    const auto time = sim::config::parse_quantity(sim::config::ScalarKind::duration, *text);
    if (!time.value) throw UsageError("--p99 takes a time such as 200us: " + time.problem);
    goal.p99_us = sim::as_microseconds(sim::Duration{static_cast<std::int64_t>(*time.value)});
  }
  return goal;
}

std::string rate_text(const Estimate* estimate) {
  if (estimate == nullptr) return "none found";
  std::string text = short_number(estimate->interval.mean);
  if (estimate->interval.half_width) text += " ± " + short_number(*estimate->interval.half_width);
  return text + " operations/s";
}

}  // namespace

Options saturate_options() {
  return Options("saturate",
                 "Finds the highest load that a configuration sustains.\n"
                 "Requests arrive at a rate of their own. A rate is sustained when every request\n"
                 "is answered and answers keep up with it, and with --p99 when the 99th\n"
                 "percentile of their latency is no longer. Each replication searches by itself;\n"
                 "the interval is over what they find. /workload/requests says how long each\n"
                 "rate is tried.")
      .arguments("CONFIG", 1, 1)
      .common()
      .running()
      .value("p99", "TIME", "largest 99th percentile of the latency, e.g. 200us")
      .value("start", "RATE", "first rate that is tried, in operations/s; else 100000")
      .value("precision", "SHARE", "width of the bracket in the end; else 0.01");
}

sim::ExitCode saturate_verb(const Parsed& parsed, Environment& environment) {
  const std::string& path = parsed.all(arguments_name).front();
  model::experiment::RunResult result;
  const sim::config::Document document = config_with_overrides(path, parsed);
  refuse_page_caches(document, "saturate");
  result.run = model::experiment::saturation_of(document, goal_of(parsed), environment.engine);
  const auto out = open_file(parsed, "out", {result.run->file_read()});
  Execution execution =
      execute(model::experiment::replications_of(result.run), parsed, environment);
  tell_host_time(execution.host, parsed, environment);
  result.replications = finished_of(execution);
  deliver(result_document(result, environment.engine.revision()), parsed, out.get(), environment);
  const auto estimates = model::experiment::reduce_summaries(result.replications);
  const Estimate* sustained = find(estimates, "saturation/rate_ops_per_s");
  const Estimate* lost = find(estimates, "saturation/lost_rate_ops_per_s");
  if (lost == nullptr) {
    environment.err << "note: no rate was too high, so the requests are too few to overload "
                       "anything: raise /workload/requests\n";
  }
  if (!parsed.has("json")) {
    environment.out << "highest rate sustained:   " << rate_text(sustained)
                    << "\nlowest rate not sustained: " << rate_text(lost) << '\n';
    if (sustained != nullptr) {
      environment.out << "\nat the highest rate:\n"
                      << figure_table(
                             std::vector<ReportEntry>{{result.run->system(), {}, estimates, {}}},
                             "");
    }
  }
  if (!execution.complete) return finish(execution, environment);
  return sustained == nullptr ? sim::ExitCode::answer_is_no : sim::ExitCode::fine;
}

}  // namespace recirc::app
