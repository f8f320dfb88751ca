#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/report.h"
#include "app/session.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "sim/config/suggestion.h"

namespace recirc::app {
namespace {

using model::experiment::Gain;
using model::experiment::Json;
using model::experiment::RunResult;

/// One side of a comparison.
struct Contender {
  std::string label;
  RunResult result;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Prepares several configurations; what is wrong with any of them is reported together.
std::vector<Contender> prepare_files(const std::vector<std::string>& paths, const Parsed& parsed,
                                     const Environment& environment) {
  std::vector<Contender> contenders;
  std::vector<sim::Issue> issues;
  for (const std::string& path : paths) {
    try {
      auto run = environment.engine.prepare(config_with_overrides(path, parsed));
      contenders.push_back({run->system(), {std::move(run), {}}});
    } catch (const sim::ConfigError& error) {
      for (sim::Issue issue : error.issues()) {
        // What concerns a whole file, such as its syntax, names the file itself.
        if (!issue.pointer.empty()) issue.pointer = path + ": " + issue.pointer;
        issues.push_back(std::move(issue));
      }
    }
  }
  if (!issues.empty()) throw sim::ConfigError(std::move(issues));
  return contenders;
}

std::vector<Contender> contenders_of(const Parsed& parsed, const Environment& environment) {
  const auto& paths = parsed.all(arguments_name);
  std::vector<Contender> contenders;
  if (const auto systems = parsed.text("systems")) {
    if (paths.size() != 1) throw UsageError("--systems goes with one configuration");
    for (const std::string& system : split(*systems)) {
      sim::config::Document document = config_with_overrides(paths.front(), parsed);
      document.set("/system", Json(system));
      contenders.push_back({system, {environment.engine.prepare(document), {}}});
    }
  } else {
    contenders = prepare_files(paths, parsed, environment);
    const auto same_label = [&](const Contender& a) {
      return std::count_if(contenders.begin(), contenders.end(),
                           [&](const Contender& b) { return b.label == a.label; }) > 1;
    };
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      labels.push_back(same_label(contenders[i]) ? std::filesystem::path(paths[i]).stem().string()
                                                 : contenders[i].label);
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) contenders[i].label = labels[i];
  }
  if (contenders.size() < 2) {
    throw UsageError("a comparison takes two configurations or more",
                     "e.g. recirc compare CONFIG --systems nocache,fletch");
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (contenders[j].label != contenders[i].label) continue;
      contenders[i].label += " (" + std::to_string(i + 1) + ")";
      break;
    }
  }
  return contenders;
}

/// Pairs need the same seed and the same number of replications.
void check_pairs(const std::vector<Contender>& contenders) {
  for (const Contender& contender : contenders) {
    const auto& first = *contenders.front().result.run;
    const auto& other = *contender.result.run;
    const auto refuse = [&](const char* pointer, std::uint64_t a, std::uint64_t b) {
      throw sim::ConfigError(pointer,
                             "differs, so replications cannot be paired: " + std::to_string(a) +
                                 " (" + contenders.front().label + ") and " + std::to_string(b) +
                                 " (" + contender.label + ")",
                             std::string("--set ") + pointer + "=" + std::to_string(a));
    };
    if (first.seed() != other.seed()) refuse("/run/seed", first.seed(), other.seed());
    if (first.replications() != other.replications()) {
      refuse("/run/replications", first.replications(), other.replications());
    }
  }
}

std::size_t baseline_of(const std::vector<Contender>& contenders, const Parsed& parsed) {
  const auto name = parsed.text("baseline");
  if (!name) return 0;
  std::vector<std::string_view> labels;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (contenders[i].label == *name) return i;
    labels.push_back(contenders[i].label);
  }
  throw UsageError("no configuration here is called '" + *name + "'",
                   sim::config::suggest(*name, labels, "there are"));
}

Json comparison_document(const std::vector<Contender>& contenders, std::size_t baseline,
                         const std::vector<ReportEntry>& entries, const std::string& revision) {
  Json results = Json::array();
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    results.push_back(
        {{"label", contenders[i].label},
         {"gains", i == baseline ? Json() : model::experiment::gains_document(entries[i].gains)},
         {"result", result_document(contenders[i].result, revision)}});
  }
  return {{"schema_version", model::experiment::schema_version},
          {"revision", revision},
          {"kind", "comparison"},
          {"baseline", contenders[baseline].label},
          {"results", results}};
}

/// Replication 0 of all, then 1, and so on: an interrupted comparison keeps whole pairs, and no
/// slow system comes last alone while other threads have nothing to do.
std::vector<model::experiment::Job> jobs_of(const std::vector<Contender>& contenders) {
  std::vector<model::experiment::Job> jobs;
  for (std::uint64_t r = 0; r < contenders.front().result.run->replications(); ++r) {
    for (const Contender& contender : contenders) jobs.push_back({contender.result.run, r});
  }
  return jobs;
}

/// Only replications that every contender finished can be compared. Takes the results of jobs_of().
void keep_common_replications(std::vector<Contender>& contenders, Execution& execution) {
  auto results = execution.results.begin();
  while (results != execution.results.end()) {
    const auto pair = results;
    results += static_cast<std::ptrdiff_t>(contenders.size());
    if (!std::all_of(pair, results, [](const auto& result) { return result.has_value(); }))
      continue;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      auto& result = pair[static_cast<std::ptrdiff_t>(i)];
      contenders[i].result.replications.push_back(std::move(*result));
    }
  }
}

std::string workload_note(const std::vector<Contender>& contenders) {
  const auto workload = [](const Contender& c) {
    const Json& config = c.result.run->effective();
    return config.contains("workload") ? config["workload"] : Json();
  };
  for (const Contender& contender : contenders) {
    if (workload(contender) != workload(contenders.front())) {
      return "note: the workloads differ, so pairs do not see the same operations\n";
    }
  }
  return "";
}

}  // namespace

Options compare_options() {
  return Options("compare",
                 "Runs several configurations and compares them replication by replication.\n"
                 "Replication i of each sees the same operations. The gain is the mean over the\n"
                 "pairs of the ratio to the baseline's figure, minus 1, with its 95 % interval.")
      .arguments("CONFIG... | CONFIG --systems A,B", 1, 64)
      .value("systems", "A,B", "compare these values of /system on the one configuration given")
      .value("baseline", "NAME", "compare with this one (default: the first)")
      .common()
      .running();
}

sim::ExitCode compare_verb(const Parsed& parsed, Environment& environment) {
  std::vector<Contender> contenders = contenders_of(parsed, environment);
  check_pairs(contenders);
  const std::size_t baseline = baseline_of(contenders, parsed);
  std::vector<std::string> read;
  for (const Contender& contender : contenders) read.push_back(contender.result.run->file_read());
  const auto out = open_file(parsed, "out", read);
  Execution execution = execute(jobs_of(contenders), parsed, environment);
  tell_host_time(execution.host, parsed, environment);
  keep_common_replications(contenders, execution);
  if (contenders.front().result.replications.empty()) {
    throw sim::Interrupted("no replication was finished for all configurations");
  }
  std::vector<ReportEntry> entries;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const auto& replications = contenders[i].result.replications;
    std::vector<Gain> gains;
    if (i != baseline) {
      gains =
          model::experiment::paired_gains(replications, contenders[baseline].result.replications);
    }
    entries.push_back(
        {contenders[i].label, {}, model::experiment::reduce_summaries(replications), gains});
  }
  Json document = comparison_document(contenders, baseline, entries, environment.engine.revision());
  if (parsed.has("host-stats")) document["host"] = host_document(execution.host);
  deliver(document, parsed, out.get(), environment);
  if (!parsed.has("json")) {
    environment.out << figure_table(entries, contenders[baseline].label);
  }
  if (!parsed.has("quiet")) {
    (parsed.has("json") ? environment.err : environment.out)
        << workload_note(contenders) << notes(entries);
  }
  return finish(execution, environment);
}

}  // namespace recirc::app
