#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/run_folder.h"
#include "app/session.h"
#include "app/sweep_result.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/experiment/grid.h"
#include "model/experiment/point_file.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using model::experiment::Point;
using model::experiment::PointRecord;
using model::experiment::PointWriter;
using model::experiment::Scale;
using model::experiment::Sweep;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string parameters_of(const Sweep& sweep, const Point& point) {
  Json parameters = Json::object();
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    parameters[sweep.axes[i].pointer] = Json::parse(sweep.axes[i].values[point.choice[i]]);
  }
  return text_of(parameters);
}

/// Which of how many parts; {0, 1} is all.
std::pair<std::uint64_t, std::uint64_t> part_of(const Parsed& parsed) {
  const auto text = parsed.text("part");
  if (!text) return {0, 1};
  unsigned long index = 0;
  unsigned long count = 0;
  char end = 0;
  if (std::sscanf(text->c_str(), "%lu/%lu%c", &index, &count, &end) != 2 || index < 1 ||
      index > count) {
    throw UsageError("--part takes I/N with 1 <= I <= N, e.g. 1/2, not '" + *text + "'");
  }
  return {index - 1, count};
}

/// What --scale says, or else the sweep's file.
Scale scale_of(const Parsed& parsed, const Scale& of_file) {
  const auto name = parsed.text("scale");
  if (!name) return of_file;
  if (const Scale* scale = model::experiment::find_scale(*name)) return *scale;
  throw UsageError("--scale takes small, full or paper, not '" + *name + "'");
}

/// One run of the verb: the grid, what is known of it, what is still to be run.
class SweepRun {
 public:
  SweepRun(const std::vector<std::string>& arguments, const Parsed& parsed,
           Environment& environment)
      : parsed_(parsed), environment_(environment) {
    const std::string& path = arguments.front();
    const auto document = sim::config::Document::load(path);
    if (!model::experiment::is_sweep(document)) {
      throw UsageError(path + " is no sweep: it has no grid", "recirc run runs a configuration");
    }
    sweep_ = model::experiment::read_sweep(document, std::filesystem::path(path).parent_path(),
                                           parsed.all("set"));
    sweep_.scale = scale_of(parsed, sweep_.scale);
    points_ = model::experiment::expand(sweep_, environment.engine);
    result_.sweep = text_of(model::experiment::document_of(sweep_));
    result_.build = environment.engine.revision();
    for (const Point& point : points_) {
      result_.points.push_back({parameters_of(sweep_, point),
                                text_of(point.run->effective()),
                                point.run->seed(),
                                {},
                                {}});
      found_.emplace_back(point.run->replications());
    }
  }

  void open(const std::string& path, bool resume) {
    writer_.emplace(path, resume ? PointWriter::Mode::resume : PointWriter::Mode::create,
                    model::experiment::header_of(sweep_));
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> index_of;
    for (std::size_t i = 0; i < result_.points.size(); ++i) {
      const SweepPoint& point = result_.points[i];
      index_of[{model::experiment::identity_of(point.config), point.seed}] = i;
    }
    std::size_t foreign = 0;
    for (const PointRecord& record : writer_->known()) {
      const auto at = index_of.find({model::experiment::identity_of(record.config), record.seed});
      const std::uint64_t replication = record.result.replication;
      if (record.build != result_.build || at == index_of.end() ||
          replication >= found_[at->second].size()) {
        ++foreign;
        continue;
      }
      found_[at->second][replication] = record.result;
    }
    if (parsed_.has("quiet")) return;
    if (writer_->cut_torn_line()) environment_.err << "note: cut a torn last line\n";
    if (foreign > 0) {
      environment_.err << "note: " << foreign
                       << " lines are of another build or of more replications; not used\n";
    }
  }

  Execution run() {
    const auto [part, parts] = part_of(parsed_);
    std::vector<std::pair<std::size_t, std::uint64_t>> where;
    std::vector<model::experiment::Job> jobs;
    RunFolder folder(parsed_.text("run-dir"), stem_of(parsed_.all(arguments_name).front()));
    bool any_log = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (i % parts != part) continue;
      any_log = any_log || points_[i].run->has_log();
      for (std::uint64_t r = 0; r < found_[i].size(); ++r) {
        if (found_[i][r]) continue;
        where.emplace_back(i, r);
        jobs.push_back({points_[i].run, r,
                        folder.file_for(*points_[i].run, "controller-p" + std::to_string(i) + "-r" +
                                                             std::to_string(r) + ".sqlite")});
      }
    }
    if (!any_log) folder.refuse_if_unused(points_.front().run->system());
    if (!parsed_.has("quiet")) environment_.err << folder.note();
    const auto keep = [&](std::size_t job, model::ReplicationResult result) {
      const auto [point, replication] = where[job];
      result.histograms.clear();
      if (writer_) {
        const SweepPoint& about = result_.points[point];
        writer_->append({about.config, about.parameters, about.seed, result_.build, result});
      }
      found_[point][replication] = std::move(result);
    };
    Execution execution = execute(jobs, parsed_, environment_, keep);
    collect();
    return execution;
  }

  [[nodiscard]] const SweepResult& result() const { return result_; }
  [[nodiscard]] std::vector<std::string> files_read() const {
    std::vector<std::string> files{sweep_.base.name()};
    for (const Point& point : points_) files.push_back(point.run->file_read());
    return files;
  }

 private:
  void collect() {
    result_.complete = true;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      for (auto& replication : found_[i]) {
        if (replication) result_.points[i].replications.push_back(std::move(*replication));
        if (!replication) result_.complete = false;
      }
    }
    compare_with_baseline(result_);
  }

  const Parsed& parsed_;
  Environment& environment_;
  Sweep sweep_;
  std::vector<Point> points_;
  SweepResult result_;
  std::vector<std::vector<std::optional<model::ReplicationResult>>> found_;  ///< point, replication
  std::optional<PointWriter> writer_;
};

}  // namespace

Options sweep_options() {
  return Options("sweep",
                 "Runs every point of a grid of settings.\n"
                 "With --out each finished replication is a line of that file at once, so nothing\n"
                 "finished is ever lost; --resume goes on with it.")
      .arguments("SWEEP", 1, 1)
      .common()
      .running()
      .value("run-dir", "DIR", "write the controllers' logs to DIR, a file a point and replication")
      .flag("resume", "go on with the file that --out names: nothing in it runs again")
      .value("scale", "small|full|paper",
             "run a thirtieth of the requests and half of the replications, what the sweep says "
             "(the default), or 32/3 of the requests")
      .value("part", "I/N", "run only the I-th of N parts, for several machines; see merge")
      .value("csv", "FILE", "also write a table: a line a point and figure");
}

sim::ExitCode sweep_verb(const Parsed& parsed, Environment& environment) {
  if (parsed.has("resume") && !parsed.has("out")) {
    throw UsageError("--resume goes with --out", "name the point file to go on with");
  }
  part_of(parsed);
  SweepRun run(parsed.all(arguments_name), parsed, environment);
  const auto csv = open_file(parsed, "csv", run.files_read());
  if (const auto path = parsed.text("out")) run.open(*path, parsed.has("resume"));
  const Execution execution = run.run();
  tell_host_time(execution.host, parsed, environment);
  const SweepResult& result = run.result();
  if (csv) csv->commit(csv_of(result));
  if (parsed.has("json")) {
    Json document = document_of(result);
    if (parsed.has("host-stats")) document["host"] = host_document(execution.host);
    environment.out << model::experiment::document_text(document);
  } else {
    environment.out << table_of(result);
  }
  const sim::ExitCode code = finish(execution, environment);
  if (code == sim::ExitCode::interrupted && parsed.has("out")) {
    environment.err << "  the same command with --resume goes on\n";
  }
  return code;
}

}  // namespace recirc::app
