#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/session.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/fletch/log_file.h"
#include "sim/error.h"
#include "sim/units.h"

namespace recirc::app {
namespace {

namespace fs = std::filesystem;
using model::experiment::Json;
using model::fletch::ActiveLog;
using model::fletch::SavedLog;

/// What of a log is shown.
struct Wanted {
  bool paths = false;
  bool records = false;
  bool tokens = false;
};

std::vector<std::string> files_at(const std::string& place) {
  std::error_code error;
  if (!fs::exists(place, error)) throw sim::InputOutputError("there is no " + place);
  if (!fs::is_directory(place)) return {place};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(place, error)) {
    if (entry.path().extension() == ".sqlite") files.push_back(entry.path().string());
  }
  if (error) throw sim::InputOutputError("cannot read " + place + ": " + error.message());
  if (files.empty()) throw sim::InputOutputError("there is no controller's log in " + place);
  std::sort(files.begin(), files.end());
  return files;
}

/// The root has no name of its own.
std::string shown(const std::string& name) { return name.empty() ? "/" : name; }

std::string key_text(workloads::Key key) { return fmt::format("{:016x}", key); }

double milliseconds(sim::Time at) { return sim::as_seconds(at - sim::Time{}) * 1e3; }

std::string job_of(const ActiveLog::Path& path, const SavedLog& log) {
  const auto last = std::find_if(
      log.records.rbegin(), log.records.rend(),
      [&](const SavedLog::Record& record) { return record.what.entry.path == path.entry.path; });
  return last == log.records.rend() ? "?" : model::fletch::name_of(last->what.event);
}

Json entry_json(const model::fletch::CachedCopy& entry, const SavedLog& log) {
  return {{"path", shown(log.name_of(entry.path))},
          {"key", key_text(entry.key)},
          {"token", entry.token},
          {"pipe", entry.pipe},
          {"row", entry.location.row},
          {"slots", entry.location.slots},
          {"counter", entry.location.counter}};
}

Json paths_json(const std::vector<ActiveLog::Path>& paths, const SavedLog& log, bool in_doubt) {
  Json all = Json::array();
  for (const ActiveLog::Path& path : paths) {
    if (path.in_doubt != in_doubt) continue;
    Json one = entry_json(path.entry, log);
    if (in_doubt) {
      one["job"] = job_of(path, log);
    } else {
      one["version"] = path.version;
    }
    all.push_back(std::move(one));
  }
  return all;
}

Json json_of(const std::string& file, const SavedLog& log, const Wanted& wanted) {
  const ActiveLog::Implied implied = log.implied();
  const Json jobs = paths_json(implied.paths, log, true);
  Json document = {
      {"file", file},
      {"system", log.system},
      {"seed", log.seed},
      {"replication", log.replication},
      {"state", log.state},
      {"last_record_ms", log.records.empty() ? 0.0 : milliseconds(log.records.back().at)},
      {"records", log.records.size()},
      {"active_paths", implied.paths.size() - jobs.size()},
      {"paths_to_replay", implied.to_replay.size()},
      {"jobs", jobs},
      {"paths_with_tokens", log.paths.size()}};
  if (wanted.paths) {
    document["paths"] = paths_json(implied.paths, log, false);
    document["to_replay"] = paths_json(implied.to_replay, log, false);
  }
  if (wanted.tokens) {
    for (const SavedLog::Path& path : log.paths) {
      document["tokens"].push_back({{"path", shown(path.name)},
                                    {"key", key_text(path.token.key)},
                                    {"token", path.token.token}});
    }
  }
  if (!wanted.records) return document;
  Json records = Json::array();
  for (const SavedLog::Record& record : log.records) {
    Json one = {{"number", record.number},
                {"time_ms", milliseconds(record.at)},
                {"event", model::fletch::name_of(record.what.event)}};
    if (record.what.event < ActiveLog::Event::switch_empty) {
      one.update(entry_json(record.what.entry, log));
    }
    records.push_back(std::move(one));
  }
  document["log"] = std::move(records);
  return document;
}

std::string place_text(const Json& entry) {
  return fmt::format("{:>3} {:>5} {:04x} {:>7}  {}", entry["token"].get<int>(),
                     entry["row"].get<int>(), entry["slots"].get<int>(),
                     entry["counter"].get<int>(), entry["path"].get<std::string>());
}

constexpr const char* place_heading = "key              tok   row slot counter  path";

void print(const Json& log, std::ostream& out) {
  out << fmt::format(
      "{}: {}, seed {}, replication {}, {}\n"
      "  {} records, the last at {:.3f} ms; {} active paths, {} to be replayed, {} jobs; "
      "{} paths have tokens\n",
      log["file"].get<std::string>(), log["system"].get<std::string>(),
      log["seed"].get<std::uint64_t>(), log["replication"].get<std::uint64_t>(),
      log["state"] == "running" ? "running or killed" : log["state"].get<std::string>(),
      log["records"].get<std::uint64_t>(), log["last_record_ms"].get<double>(),
      log["active_paths"].get<std::uint64_t>(), log["paths_to_replay"].get<std::uint64_t>(),
      log["jobs"].size(), log["paths_with_tokens"].get<std::uint64_t>());
  for (const Json& job : log["jobs"]) {
    out << fmt::format("  {} {}\n", job["job"].get<std::string>(), job["path"].get<std::string>());
  }
  const auto list = [&](const char* name, const char* title) {
    if (!log.contains(name) || log[name].empty()) return;
    out << title << '\n' << place_heading << '\n';
    for (const Json& entry : log[name]) {
      out << entry["key"].get<std::string>() << ' ' << place_text(entry) << '\n';
    }
  };
  list("paths", "active paths:");
  list("to_replay", "to be replayed:");
  if (log.contains("tokens")) {
    out << "tokens:\nkey              tok  path\n";
    for (const Json& entry : log["tokens"]) {
      out << fmt::format("{} {:>3}  {}\n", entry["key"].get<std::string>(),
                         entry["token"].get<int>(), entry["path"].get<std::string>());
    }
  }
  if (!log.contains("log")) return;
  out << "log:\n number     time ms  event           tok   row slot counter  path\n";
  for (const Json& record : log["log"]) {
    out << fmt::format("{:>7} {:>11.3f}  {:<14}", record["number"].get<std::uint64_t>(),
                       record["time_ms"].get<double>(), record["event"].get<std::string>());
    out << (record.contains("path") ? ' ' + place_text(record) : std::string{}) << '\n';
  }
}

}  // namespace

Options log_options() {
  return Options(
             "log",
             "Shows what a controller has logged: a run's, a killed one's, one's that goes on.\n"
             "DIR is what --run-dir named. Paths that the log says are in the switch, what was\n"
             "begun and not ended, and the tokens of paths.")
      .arguments("DIR|FILE", 1, 1)
      .common()
      .flag("paths", "list the active paths with their places in the switch")
      .flag("tokens", "list all paths that have a token, cached or not")
      .flag("records", "list the whole log");
}

sim::ExitCode log_verb(const Parsed& parsed, Environment& environment) {
  refuse_overrides(parsed, "log");
  const Wanted wanted{parsed.has("paths"), parsed.has("records"), parsed.has("tokens")};
  const auto out = open_file(parsed, "out");
  Json logs = Json::array();
  sim::ExitCode code = sim::ExitCode::fine;
  for (const std::string& file : files_at(parsed.all(arguments_name).front())) {
    try {
      logs.push_back(json_of(file, model::fletch::read_log(file), wanted));
    } catch (const sim::InputOutputError& error) {
      environment.err << "recirc: " << error.what() << '\n';  // the others may be fine
      code = sim::ExitCode::input_output;
    }
  }
  if (logs.empty()) return code;
  deliver(Json{{"logs", logs}}, parsed, out.get(), environment);
  if (parsed.has("json")) return code;
  for (const Json& log : logs) print(log, environment.out);
  return code;
}

}  // namespace recirc::app
