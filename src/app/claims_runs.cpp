#include "app/claims_runs.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <utility>

#include "app/numbers.h"
#include "app/usage_error.h"
#include "model/experiment/result_document.h"
#include "sim/config/suggestion.h"

namespace recirc::app {
namespace {

using model::claims::Evaluation;
using model::experiment::Json;
using model::experiment::PointWriter;
using model::experiment::Scale;

void announce(const std::vector<Evaluation::Job>& jobs, const Parsed& parsed,
              Environment& environment) {
  if (parsed.has("quiet")) return;
  double work = 0;
  for (const Evaluation::Job& job : jobs) work += job.needed.takes_s;
  const auto time = [](double seconds) {
    return seconds < 90 ? fixed(seconds, 0) + " s" : fixed(seconds / 60, 0) + " min";
  };
  environment.err << jobs.size() << " replications, about " << time(work)
                  << " of processor time: " << time(work / threads_of(parsed)) << " on "
                  << threads_of(parsed) << " idle cores\n";
}

/// What all evaluations lack, each once.
std::vector<Evaluation::Job> missing_of(const std::vector<Evaluation*>& evaluations,
                                        const model::claims::Finished& finished) {
  std::vector<Evaluation::Job> jobs;
  std::set<std::pair<std::string, std::uint64_t>> seen;
  for (Evaluation* evaluation : evaluations) {
    for (Evaluation::Job& job : evaluation->missing(finished)) {
      const std::string point = job.needed.identity + std::to_string(job.needed.run->seed());
      if (seen.emplace(point, job.replication).second) jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

}  // namespace

ClaimPoints::ClaimPoints(const std::string& path, const std::string& system,
                         const std::string& build)
    : build_(build) {
  const std::filesystem::path file(path);
  std::error_code error;  // what cannot be made is said when the file is opened
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  const Json points = {{"base", Json::object()}, {"grid", Json::object()}, {"claims", system}};
  const bool old = std::filesystem::exists(file, error);
  writer_.emplace(path, old ? PointWriter::Mode::resume : PointWriter::Mode::create,
                  model::experiment::header_of(points));
  for (const auto& record : writer_->known()) {
    if (record.build != build) continue;
    finished_.add(model::experiment::identity_of(record.config), record.seed, record.result);
  }
}

void ClaimPoints::keep(const model::claims::Needed& needed, model::ReplicationResult result) {
  result.histograms.clear();
  writer_->append({needed.config, "{}", needed.run->seed(), build_, result});
  finished_.add(needed.identity, needed.run->seed(), std::move(result));
}

ClaimPoints open_points(const Parsed& parsed, const std::string& system,
                        const Environment& environment) {
  const std::string usual = "results/claims/" + system + ".points.jsonl";
  return {parsed.text("points").value_or(usual), system, environment.engine.revision()};
}

const Scale& scale_of(const Parsed& parsed) {
  const std::string name = parsed.text("scale").value_or("small");
  if (const Scale* scale = model::experiment::find_scale(name)) return *scale;
  throw UsageError("there is no scale '" + name + "'",
                   sim::config::suggest(name, model::experiment::scale_names(), "there are"));
}

void tell_scale(const Scale& scale, const Parsed& parsed, Environment& environment) {
  if (parsed.has("quiet")) return;
  environment.err << "scale " << scale.name << ": " << scale.doc << '\n';
}

Execution run_missing(const std::vector<Evaluation*>& evaluations, ClaimPoints& points,
                      const Parsed& parsed, Environment& environment) {
  Execution execution;
  execution.complete = true;
  for (auto jobs = missing_of(evaluations, points.finished()); !jobs.empty();
       jobs = missing_of(evaluations, points.finished())) {
    announce(jobs, parsed, environment);
    std::vector<model::experiment::Job> work;
    work.reserve(jobs.size());
    for (const Evaluation::Job& job : jobs) work.push_back({job.needed.run, job.replication});
    const auto keep = [&](std::size_t job, model::ReplicationResult result) {
      points.keep(jobs[job].needed, std::move(result));
    };
    execution = execute(work, parsed, environment, keep);
    tell_host_time(execution.host, parsed, environment);
    if (!execution.complete) break;
  }
  return execution;
}

}  // namespace recirc::app
