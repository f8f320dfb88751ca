#include <nlohmann/json.hpp>
#include <ostream>

#include "app/report.h"
#include "app/run_folder.h"
#include "app/session.h"
#include "app/verbs.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

}  // namespace

Options run_options() {
  return Options("run", "Runs all replications of a configuration and shows the means.")
      .arguments("CONFIG", 1, 1)
      .common()
      .running()
      .value("run-dir", "DIR",
             "write each controller's log to DIR, which is made; `recirc log DIR` shows it");
}

sim::ExitCode run_verb(const Parsed& parsed, Environment& environment) {
  const std::string& path = parsed.all(arguments_name).front();
  model::experiment::RunResult result;
  result.run = environment.engine.prepare(config_with_overrides(path, parsed));
  const auto out = open_file(parsed, "out", {result.run->file_read()});
  RunFolder folder(parsed.text("run-dir"), stem_of(path));
  auto jobs = model::experiment::replications_of(result.run);
  folder.place_logs(jobs);
  if (!parsed.has("quiet")) environment.err << folder.note();
  Execution execution = execute(jobs, parsed, environment);
  tell_host_time(execution.host, parsed, environment);
  result.replications = finished_of(execution);
  Json document = result_document(result, environment.engine.revision());
  if (parsed.has("host-stats")) document["host"] = host_document(execution.host);
  deliver(document, parsed, out.get(), environment);
  const std::vector<ReportEntry> entries{
      {result.run->system(), {}, model::experiment::reduce_summaries(result.replications), {}}};
  if (!parsed.has("json")) environment.out << figure_table(entries, "");
  if (!parsed.has("quiet")) {
    (parsed.has("json") ? environment.err : environment.out) << notes(entries);
  }
  return finish(execution, environment);
}

}  // namespace recirc::app
