#include "runs.h"

#include <nlohmann/json.hpp>

#include "app/model_engine.h"
#include "app/run_folder.h"
#include "app/schemas.h"
#include "model/experiment/jobs.h"
#include "model/experiment/result_document.h"
#include "sim/config/json_text.h"
#include "sim/error.h"
#include "watch.h"

namespace recirc::bindings {
namespace {

namespace py = pybind11;
using model::experiment::document_text;
using model::experiment::Json;

Json parse(const std::string& text, const std::string& name) {
  std::vector<sim::Issue> duplicates;
  Json value = sim::config::parse_json(text, name, duplicates);
  if (!duplicates.empty()) throw sim::ConfigError(std::move(duplicates));
  return value;
}

sim::config::Document document_of(const Source& source) {
  sim::config::Document document =
      source.is_path ? model::experiment::load_config(source.text)
                     : sim::config::Document::parse(source.text, "the configuration");
  for (const auto& [pointer, value] : source.overrides) {
    document.set(pointer, parse(value, "the value of " + pointer));
  }
  return document;
}

std::vector<model::ReplicationResult> replications_in(const std::string& text) {
  const Json document = parse(text, "the result");
  std::vector<model::ReplicationResult> replications;
  for (const Json& entry : document.at("replications")) {
    model::ReplicationResult result;
    result.replication = entry.at("replication").get<std::uint64_t>();
    result.summary = model::experiment::figures_of(entry.at("summary"));
    replications.push_back(std::move(result));
  }
  return replications;
}

}  // namespace

std::string run(const Source& source, unsigned jobs, const py::object& progress,
                const std::optional<std::string>& run_dir) {
  return watch(progress, [&](Watched& watched) {
    const app::ModelEngine engine;
    model::experiment::RunResult result{engine.prepare(document_of(source)), {}};
    auto work = replications_of(result.run);
    app::RunFolder folder(run_dir,
                          source.is_path ? app::stem_of(source.text) : result.run->system());
    folder.place_logs(work);
    watched.total = model::experiment::operations_of(work);
    result.replications.resize(work.size());
    const auto keep = [&result](std::size_t job, model::ReplicationResult replication) {
      result.replications[job] = std::move(replication);
    };
    if (!run_jobs(work, jobs, watched.control, keep)) {
      throw sim::Interrupted("the run was interrupted");
    }
    return document_text(result_document(result, engine.revision()));
  });
}

std::string check(const Source& source) {
  return watch(py::none(), [&source](Watched&) {
    return document_text(app::ModelEngine().prepare(document_of(source))->effective());
  });
}

std::string schema(const std::string& what) {
  return document_text(app::schema_of(what, app::ModelEngine()));
}

std::string gains(const std::string& ours, const std::string& baseline) {
  return document_text(model::experiment::gains_document(
      model::experiment::paired_gains(replications_in(ours), replications_in(baseline))));
}

std::string result_text(const std::string& document) {
  return document_text(parse(document, "the result"));
}

}  // namespace recirc::bindings
