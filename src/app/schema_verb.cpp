#include <nlohmann/json.hpp>
#include <ostream>

#include "app/schemas.h"
#include "app/session.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/experiment/grid.h"
#include "pipeline/chip.h"
#include "pipeline/program_spec.h"
#include "sim/config.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

Json chip_schema() { return sim::config::schema<pipeline::ChipFile>("A chip of recirc"); }

/// Of any file under configs/: which one it is shows in its members, so that an editor complains
/// about the right things.
Json any_schema(const Json& config) {
  const auto part = [](Json schema) {
    schema.erase("$schema");
    return schema;
  };
  const auto has = [](const char* member) { return Json{{"required", Json::array({member})}}; };
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "A configuration, sweep or chip of recirc"},
          {"type", "object"},
          {"if", has("grid")},
          {"then", part(model::experiment::sweep_schema(config))},
          {"else", {{"if", has("chip")}, {"then", part(chip_schema())}, {"else", part(config)}}}};
}

}  // namespace

Json schema_of(const std::string& what, const model::experiment::Engine& engine) {
  Json config = engine.schema();
  if (what == "any") return any_schema(config);
  if (what == "config") return config;
  if (what == "sweep") return model::experiment::sweep_schema(config);
  if (what == "chip") return chip_schema();
  if (what == "program") {
    return sim::config::schema<pipeline::spec::ProgramSpec>("A switch program of recirc");
  }
  throw UsageError("there is no schema of '" + what + "'",
                   "there are any (of every file in configs/), config, sweep, chip and program");
}

Options schema_options() {
  return Options("schema",
                 "Prints the JSON Schema of what can be configured.\n"
                 "Without an argument it is one that every file in configs/ satisfies:\n"
                 "configurations, sweeps and chips.")
      .arguments("[any|config|sweep|chip|program]", 0, 1)
      .common();
}

sim::ExitCode schema_verb(const Parsed& parsed, Environment& environment) {
  refuse_overrides(parsed, "schema");
  const auto& arguments = parsed.all(arguments_name);
  const Json schema = schema_of(arguments.empty() ? "any" : arguments.front(), environment.engine);
  const auto out = open_file(parsed, "out");
  const std::string text = model::experiment::document_text(schema);
  if (out) {
    out->commit(text);
  } else {
    environment.out << text;
  }
  return sim::ExitCode::fine;
}

}  // namespace recirc::app
