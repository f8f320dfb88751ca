#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "app/numbers.h"
#include "app/session.h"
#include "app/spool.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/experiment/grid.h"
#include "pipeline/chip.h"
#include "sim/config.h"
#include "sim/error.h"
#include "workloads/trace/summary.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

/// What was found out about one file.
struct Finding {
  std::string file;
  std::string kind;  ///< "config", "sweep", "chip" or "trace"
  std::string text;  ///< for people, ends with a newline
  Json facts;
  Json issues = Json::array();
  sim::ExitCode code = sim::ExitCode::fine;
};

/// Adds an error to a finding, which may have some already; its exit code is the first one's.
void note_error(Finding& finding, const sim::ConfigError& error) {
  if (finding.code == sim::ExitCode::fine) {
    finding.code = sim::ExitCode::usage;
    finding.text = "the " + finding.kind + " cannot be used\n";
  }
  finding.text += std::string(error.what()) + "\n";
  for (const sim::Issue& issue : error.issues()) {
    finding.issues.push_back(
        {{"pointer", issue.pointer}, {"message", issue.message}, {"suggestion", issue.suggestion}});
  }
}

void note_error(Finding& finding, const sim::ConstraintViolation& error) {
  if (finding.code == sim::ExitCode::fine) finding.code = sim::ExitCode::constraint_violation;
  finding.text += std::string("constraint violation: ") + error.what() + "\n";
  finding.issues.push_back({{"pointer", ""}, {"message", error.what()}, {"suggestion", ""}});
}

/// Whatever is called so, or begins with a brace after space and comments, or a byte order mark; a
/// trace does neither.
bool looks_like_json(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".json") return true;
  constexpr std::string_view skipped = " \t\n\r\xEF\xBB\xBF";
  std::ifstream in(path, std::ios::binary);
  char c = 0;
  while (in.get(c)) {
    if (skipped.find(c) == std::string_view::npos) return c == '{' || c == '/';
  }
  return false;
}

void check_config(const sim::config::Document& document, const Parsed& parsed,
                  const Environment& environment, Finding& finding) {
  sim::config::Document complete = document;
  for (const std::string& assignment : parsed.all("set")) complete.set(assignment);
  const auto run = environment.engine.prepare(complete);
  run->build();
  finding.facts = {{"system", run->system()},
                   {"seed", run->seed()},
                   {"replications", run->replications()},
                   {"operations", run->operations()},
                   {"config", run->effective()}};
  finding.text =
      "a configuration of " + run->system() + ": " + std::to_string(run->replications()) +
      " replications of " +
      (run->operations() == 0 ? "the operations of their duration"
                              : grouped(static_cast<double>(run->operations())) + " operations") +
      "\n";
  if (parsed.has("print")) finding.text = run->effective().dump(2) + "\n";
}

/// Notes what a point cannot be run for, with the point's name; false if there is something.
bool can_be_built(const model::experiment::Sweep& sweep, const model::experiment::Point& point,
                  Finding& finding) {
  const std::string where = " [at " + name_of(sweep, point) + "]";
  try {
    point.run->build();
    return true;
  } catch (const sim::ConfigError& error) {
    std::vector<sim::Issue> issues = error.issues();
    for (sim::Issue& issue : issues) issue.message += where;
    note_error(finding, sim::ConfigError(std::move(issues)));
  } catch (const sim::ConstraintViolation& error) {
    note_error(finding, sim::ConstraintViolation(error, where));
  }
  return false;
}

/// Builds every point, and names the first few that cannot be.
void build_all(const model::experiment::Sweep& sweep,
               const std::vector<model::experiment::Point>& points, Finding& finding) {
  constexpr std::size_t most_named = 5;
  std::size_t refused = 0;
  for (const auto& point : points) {
    Finding one;
    one.kind = finding.kind;
    if (!can_be_built(sweep, point, refused < most_named ? finding : one)) ++refused;
  }
  if (refused <= most_named) return;
  const std::string more = std::to_string(refused - most_named) + " more of the " +
                           std::to_string(points.size()) + " points cannot be run";
  finding.text += more + "\n";
  finding.issues.push_back({{"pointer", ""}, {"message", more}, {"suggestion", ""}});
}

void check_sweep(const sim::config::Document& document, const Parsed& parsed,
                 const Environment& environment, Finding& finding) {
  const auto sweep = model::experiment::read_sweep(
      document, std::filesystem::path(finding.file).parent_path(), parsed.all("set"));
  const auto points = model::experiment::expand(sweep, environment.engine);
  std::uint64_t replications = 0;
  std::uint64_t operations = 0;
  build_all(sweep, points, finding);
  if (finding.code != sim::ExitCode::fine) return;
  for (const auto& point : points) {
    replications += point.run->replications();
    operations += point.run->replications() * point.run->operations();
  }
  finding.facts = {{"points", points.size()},
                   {"replications", replications},
                   {"operations", operations},
                   {"sweep", model::experiment::document_of(sweep)}};
  finding.text = "a sweep of " + std::to_string(points.size()) +
                 " points: " + std::to_string(replications) + " replications, " +
                 grouped(static_cast<double>(operations)) + " operations in all\n";
  if (parsed.has("print")) finding.text = finding.facts["sweep"].dump(2) + "\n";
}

/// A file of configs/chips, to take a chip's figures from.
bool is_chip(const sim::config::Document& document) {
  const Json& root = document.root();
  return root.is_object() && root.contains("chip") && !root.contains("system");
}

void check_chip(sim::config::Document document, const Parsed& parsed, Finding& finding) {
  for (const std::string& assignment : parsed.all("set")) document.set(assignment);
  const auto file = sim::config::read<pipeline::ChipFile>(document);
  finding.facts = sim::config::effective(file);
  finding.text = "the chip " + pipeline::chip_of(file.chip).name + "\n";
}

void check_trace(const std::string& path, const Parsed& parsed, Finding& finding) {
  if (parsed.has("set")) {
    throw UsageError(finding.file + " is a log, so --set changes nothing there");
  }
  workloads::trace::TraceSummary summary =
      workloads::trace::summarise(path, workloads::trace::Format::automatic, parsed.has("strict"));
  summary.file = finding.file;
  finding.facts = workloads::trace::json(summary);
  finding.text = workloads::trace::text(summary);
}

/// Looks at what stands in `path`, finding.file or its copy.
void check_content(const std::string& path, const Parsed& parsed, const Environment& environment,
                   Finding& finding) {
  if (!looks_like_json(path)) {
    finding.kind = "trace";
    check_trace(path, parsed, finding);
    return;
  }
  finding.kind = "config";
  const sim::config::Document document = model::experiment::load_config(path);
  if (is_chip(document)) {
    finding.kind = "chip";
    check_chip(document, parsed, finding);
  } else if (model::experiment::is_sweep(document)) {
    finding.kind = "sweep";
    check_sweep(document, parsed, environment, finding);
  } else {
    check_config(document, parsed, environment, finding);
  }
}

/// The error of a file or, under its name, of its copy.
void note_error(Finding& finding, std::string message, const std::string& copy) {
  if (const std::size_t at = message.find(copy); !copy.empty() && at != std::string::npos) {
    message.replace(at, copy.size(), finding.file);
  }
  finding.code = sim::ExitCode::input_output;
  finding.text = message + "\n";
  finding.issues.push_back({{"pointer", ""}, {"message", message}, {"suggestion", ""}});
}

Finding check_file(const std::string& path, const Parsed& parsed, const Environment& environment) {
  Finding finding;
  finding.file = path;
  finding.kind = "file";
  std::string copy;
  try {
    const Spool spool(path);
    if (spool.copied()) copy = spool.path();
    check_content(spool.path(), parsed, environment, finding);
  } catch (const sim::ConfigError& error) {
    note_error(finding, error);
  } catch (const sim::ConstraintViolation& error) {
    note_error(finding, error);
  } catch (const sim::InputOutputError& error) {
    note_error(finding, error.what(), copy);
  }
  return finding;
}

}  // namespace

Options check_options() {
  return Options("check",
                 "Reads configurations, sweeps and traces, builds what they would run, and runs "
                 "nothing.")
      .arguments("FILE...", 1, 10'000)
      .common()
      .flag("print", "print the effective configuration as plain JSON")
      .flag("strict", "unknown commands, broken lines and the like in a trace are errors");
}

sim::ExitCode check_verb(const Parsed& parsed, Environment& environment) {
  const auto& paths = parsed.all(arguments_name);
  if (parsed.has("print") && paths.size() > 1) throw UsageError("--print goes with one file");
  const auto out = open_file(parsed, "out");
  Json findings = Json::array();
  sim::ExitCode worst = sim::ExitCode::fine;
  for (const std::string& path : paths) {
    const Finding finding = check_file(path, parsed, environment);
    const bool fine = finding.code == sim::ExitCode::fine;
    if (worst == sim::ExitCode::fine) worst = finding.code;
    findings.push_back({{"file", path},
                        {"kind", finding.kind},
                        {"fine", fine},
                        {"issues", finding.issues},
                        {"facts", finding.facts}});
    if (parsed.has("json")) continue;
    const bool names_itself = finding.kind == "trace";
    const bool bare = fine && (parsed.has("print") || names_itself);
    (fine ? environment.out : environment.err) << (bare ? "" : path + ": ") << finding.text;
  }
  deliver(findings, parsed, out.get(), environment);
  return worst;
}

}  // namespace recirc::app
