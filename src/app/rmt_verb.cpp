#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "app/session.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/config.h"
#include "model/experiment/engine.h"
#include "model/page_config.h"
#include "model/page_systems.h"
#include "model/program_report.h"
#include "sim/config.h"

namespace recirc::app {

Options rmt_options() {
  return Options("rmt",
                 "Shows what the switch's program uses of its chip.\n"
                 "Stages, SRAM blocks, table ids and stateful ALUs; exit code 1: it does not fit.")
      .arguments("report CONFIG", 2, 2)
      .common();
}

namespace {

pipeline::LayoutReport report_of(const sim::config::Document& document) {
  if (model::find_page_system(document.text_at("/system")) == nullptr) {
    return model::program_report(model::read_config(document));
  }
  auto report = model::program_report(model::read_page_config(document));
  if (!report) throw sim::ConfigError("/system", "has no program in a switch");
  return *std::move(report);
}

}  // namespace

sim::ExitCode rmt_verb(const Parsed& parsed, Environment& environment) {
  const auto& arguments = parsed.all(arguments_name);
  if (arguments[0] != "report") {
    throw UsageError("recirc rmt knows no '" + arguments[0] + "'", "there is report");
  }
  const auto document = config_with_overrides(arguments[1], parsed);
  const auto out = open_file(parsed, "out");
  const auto report = report_of(document);
  deliver(model::experiment::Json(pipeline::to_json(report)), parsed, out.get(), environment);
  if (!parsed.has("json")) environment.out << pipeline::to_text(report);
  return report.violations.empty() ? sim::ExitCode::fine : sim::ExitCode::answer_is_no;
}

}  // namespace recirc::app
