#include "app/session.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <thread>

#include "app/numbers.h"
#include "app/progress.h"
#include "app/signals.h"
#include "app/usage_error.h"
#include "model/experiment/grid.h"
#include "model/experiment/rounding.h"
#include "model/page_systems.h"
#include "sim/error.h"

namespace recirc::app {

using model::experiment::Json;

namespace {

constexpr std::uint64_t most_threads = 1024;

double peak_memory_mib() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts in KiB
}

Progress::Style style_of(const Parsed& options, const Environment& environment) {
  if (options.has("quiet")) return Progress::Style::none;
  return environment.terminal ? Progress::Style::bar : Progress::Style::lines;
}

}  // namespace

unsigned threads_of(const Parsed& options) {
  return static_cast<unsigned>(options.count("jobs", most_threads)
                                   .value_or(std::max(1U, std::thread::hardware_concurrency())));
}

std::vector<model::ReplicationResult> finished_of(Execution& execution) {
  std::vector<model::ReplicationResult> finished;
  for (auto& result : execution.results) {
    if (result) finished.push_back(std::move(*result));
  }
  if (finished.empty()) throw sim::Interrupted("no replication was finished");
  return finished;
}

Execution execute(const std::vector<model::experiment::Job>& jobs, const Parsed& options,
                  Environment& environment, const model::experiment::Finished& finished) {
  Execution execution;
  execution.results.resize(jobs.size());
  const auto keep = [&execution](std::size_t job, model::ReplicationResult result) {
    execution.results[job] = std::move(result);
  };
  const unsigned threads = threads_of(options);
  model::RunControl& control = environment.control;
  const std::uint64_t before = control.operations;
  const InterruptHandler handler(control, environment.catch_signals);
  const Progress progress(environment.err, style_of(options, environment), control,
                          model::experiment::operations_of(jobs));
  execution.complete = model::experiment::run_jobs(
      jobs, threads, control, finished ? finished : model::experiment::Finished(keep));
  execution.host = {progress.seconds(), control.operations - before, threads, peak_memory_mib()};
  return execution;
}

sim::config::Document config_with_overrides(const std::string& path, const Parsed& options) {
  sim::config::Document document = model::experiment::load_config(path);
  if (model::experiment::is_sweep(document)) {
    throw UsageError(path + " is a sweep, not a configuration", "recirc sweep runs it");
  }
  for (const std::string& assignment : options.all("set")) document.set(assignment);
  return document;
}

void refuse_overrides(const Parsed& options, const std::string& verb) {
  if (!options.has("set")) return;
  throw UsageError("recirc " + verb + " reads no configuration, so --set changes nothing");
}

void refuse_page_caches(const sim::config::Document& config, const std::string& verb) {
  const std::string system = config.text_at("/system");
  if (model::find_page_system(system) == nullptr) return;
  throw UsageError("recirc " + verb + " is of metadata services; system " + system +
                   " is a file system with a page cache");
}

std::unique_ptr<OutputFile> open_file(const Parsed& options, const std::string& option,
                                      const std::vector<std::string>& read) {
  const auto path = options.text(option);
  if (!path) return nullptr;
  if (path->empty()) throw UsageError("--" + option + " names no file");
  const auto spare = [&](const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      std::error_code absent;
      if (!std::filesystem::equivalent(file, *path, absent)) continue;
      throw UsageError("--" + option + " would overwrite " + file + ", which is read");
    }
  };
  spare(options.all(arguments_name));
  spare(read);
  const auto place_of = [](const std::string& file) {
    std::error_code unknown;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file), unknown);
  };
  if (const auto other = options.text("out"); option != "out" && other) {
    if (place_of(*other) == place_of(*path)) {
      throw UsageError("--" + option + " and --out name the same file, " + *path);
    }
  }
  return std::make_unique<OutputFile>(*path);
}

void deliver(const Json& document, const Parsed& options, OutputFile* out,
             Environment& environment) {
  const std::string text = model::experiment::document_text(document);
  if (out != nullptr) {
    out->commit(text);
    if (!options.has("quiet")) environment.err << "result in " << out->path() << '\n';
  }
  if (options.has("json")) environment.out << text;
}

Json host_document(const HostTime& host) {
  using model::experiment::nine_digits;
  const double rate = host.seconds > 0 ? static_cast<double>(host.operations) / host.seconds : 0;
  return {{"seconds", nine_digits(host.seconds)},
          {"operations_per_s", nine_digits(rate)},
          {"threads", host.threads},
          {"peak_memory_mib", nine_digits(host.peak_memory_mib)}};
}

void tell_host_time(const HostTime& host, const Parsed& options, Environment& environment) {
  if (options.has("quiet")) return;
  const auto operations = static_cast<double>(host.operations);
  environment.err << short_number(operations) << " operations simulated in "
                  << fixed(host.seconds, 2) << " s ("
                  << short_number(host.seconds > 0 ? operations / host.seconds : 0) << "/s), "
                  << fixed(host.peak_memory_mib, 0) << " MiB\n";
}

sim::ExitCode finish(const Execution& execution, Environment& environment) {
  if (execution.complete) return sim::ExitCode::fine;
  environment.err << "recirc: interrupted; what was finished is in the result\n";
  return sim::ExitCode::interrupted;
}

}  // namespace recirc::app
