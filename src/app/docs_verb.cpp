#include <ostream>

#include "app/session.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/metrics_catalogue.h"

namespace recirc::app {

Options docs_options() {
  return Options("docs", "Prints a generated page of the documentation.")
      .arguments("config|metrics", 1, 1)
      .common();
}

sim::ExitCode docs_verb(const Parsed& parsed, Environment& environment) {
  refuse_overrides(parsed, "docs");
  if (parsed.has("json")) throw UsageError("a page of the documentation is Markdown, not JSON");
  const std::string& page = parsed.all(arguments_name).front();
  if (page != "config" && page != "metrics") {
    throw UsageError("there is no generated page '" + page + "'", "there are config and metrics");
  }
  const auto out = open_file(parsed, "out");
  const std::string text =
      page == "config" ? environment.engine.reference() : model::metrics_reference();
  if (out) {
    out->commit(text);
  } else {
    environment.out << text;
  }
  return sim::ExitCode::fine;
}

}  // namespace recirc::app
