#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "app/session.h"
#include "app/signals.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/config.h"
#include "model/simulation.h"
#include "model/walk.h"
#include "sim/config.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

constexpr std::size_t most_operations = 10'000;

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::uint64_t number_of(std::string_view text, const std::string& list) {
  if (const auto value = number_in(text)) return *value;
  throw UsageError("'" + list + "' is not what it should be", "e.g. --ops 17,40-45");
}

/// "17,40-45" as numbers.
std::vector<std::uint64_t> operations_in(const std::string& list, std::uint64_t size) {
  std::vector<std::uint64_t> operations;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view part(list.data() + begin, end - begin);
    const std::size_t dash = part.find('-');
    const std::uint64_t first = number_of(part.substr(0, dash), list);
    const std::uint64_t last =
        dash == std::string_view::npos ? first : number_of(part.substr(dash + 1), list);
    if (last < first) throw UsageError("--ops has the empty range " + std::string(part));
    if (last >= size) {
      throw UsageError("operation " + std::to_string(last) + " is not in this run",
                       "it has operations 0 to " + std::to_string(size - 1));
    }
    if (operations.size() + (last - first) >= most_operations) {
      throw UsageError("--ops names more than " + std::to_string(most_operations) + " operations");
    }
    for (std::uint64_t i = first; i <= last; ++i) operations.push_back(i);
    begin = end + 1;
  }
  return operations;
}

/// Which replication is asked for. Throws UsageError if the run has none such.
std::uint64_t replication_of(const Parsed& parsed, std::uint64_t replications) {
  const std::string text = parsed.text("replication").value_or("0");
  const auto value = number_in(text);
  if (value && *value < replications) return *value;
  throw UsageError("--replication takes a number from 0 to " + std::to_string(replications - 1) +
                       ", not '" + text + "'",
                   "/run/replications says how many there are");
}

Json steps_document(const std::vector<model::WalkStep>& steps) {
  Json all = Json::array();
  for (const model::WalkStep& step : steps) {
    all.push_back({{"time_ps", step.at.time_since_epoch().count()},
                   {"operation", step.operation},
                   {"indent", step.indent},
                   {"text", step.text}});
  }
  return all;
}

}  // namespace

Options trace_options() {
  return Options("trace",
                 "Walks with chosen operations, pass by pass and stage by stage.\n"
                 "It shows what was matched, read, written and decided; the run stays the same.")
      .arguments("CONFIG", 1, 1)
      .value("ops", "LIST", "which operations of the run, e.g. 17,40-45")
      .value("replication", "R", "of which replication, from 0 (default: 0)")
      .common();
}

sim::ExitCode trace_verb(const Parsed& parsed, Environment& environment) {
  const auto list = parsed.text("ops");
  if (!list) throw UsageError("recirc trace takes --ops LIST", "e.g. --ops 17,40-45");
  const std::string& path = parsed.all(arguments_name).front();
  const sim::config::Document document = config_with_overrides(path, parsed);
  refuse_page_caches(document, "trace");
  const auto config = model::read_config(document);
  const model::Inputs inputs =
      model::load_inputs(config.workload, document.folder_of(model::log_pointer));
  const std::uint64_t known = model::operations_of(config.workload, inputs);
  const auto operations = operations_in(*list, known == 0 ? model::endless : known);
  const std::uint64_t replication = replication_of(parsed, config.run.replications);
  const std::string log = document.text_at(model::log_pointer);
  std::vector<std::string> read;
  if (!log.empty()) read.push_back(model::find_log(log, document.folder_of(model::log_pointer)));
  const auto out = open_file(parsed, "out", read);
  model::Simulation simulation(config, inputs, replication);
  model::Walk walk(simulation.scheduler(), *simulation.workload().tree, operations);
  const InterruptHandler handler(environment.control, environment.catch_signals);
  simulation.follow(walk, environment.control);
  if (!walk.done() && !parsed.has("quiet")) {
    environment.err << "note: some of the operations were never sent: too many were in flight, "
                       "or the workload's duration was over\n";
  }
  deliver(steps_document(walk.steps()), parsed, out.get(), environment);
  if (!parsed.has("json")) environment.out << model::text_of(walk.steps());
  return sim::ExitCode::fine;
}

}  // namespace recirc::app
