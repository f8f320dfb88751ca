#include <array>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/claims_file.h"
#include "app/claims_table.h"
#include "app/session.h"
#include "app/table.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/claims/bindings.h"
#include "model/metrics_catalogue.h"
#include "model/page_systems.h"
#include "model/systems.h"
#include "pipeline/chip.h"
#include "sim/config/suggestion.h"
#include "workloads/mix_choice.h"
#include "workloads/operation.h"
#include "workloads/trace/commands.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

/// What there is of one kind: a row each, under these headings.
struct Listing {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

Listing list_systems() {
  Listing listing{{"system", "what it is"}, {}};
  for (const model::System& system : model::systems()) {
    listing.rows.push_back({std::string(system.name), std::string(system.doc)});
  }
  for (const model::PageSystem& system : model::page_systems()) {
    listing.rows.push_back({std::string(system.name), std::string(system.doc)});
  }
  return listing;
}

Listing list_mixes() {
  Listing listing{{"mix", "what it is"}, {}};
  for (const workloads::Mix& mix : workloads::mixes()) {
    listing.rows.push_back({std::string(mix.name), std::string(mix.doc)});
  }
  // Those with settings of their own: {"kind": "single", "operation": "delete"}.
  const auto add = [&listing](const auto& mix) {
    using Mix = std::decay_t<decltype(mix)>;
    listing.rows.push_back({std::string(Mix::kind), std::string(Mix::kind_doc)});
  };
  add(workloads::SingleMix{});
  add(workloads::ChmodRatioMix{});
  add(workloads::WriteRatioMix{});
  add(workloads::CustomMix{});
  return listing;
}

Listing list_chips() {
  Listing listing{{"chip", "pipes", "stages", "what it is"}, {}};
  const auto add = [&listing](const auto& chip) {
    using Chip = std::decay_t<decltype(chip)>;
    listing.rows.push_back({std::string(Chip::kind), std::to_string(chip.pipes),
                            std::to_string(chip.stages), std::string(Chip::kind_doc)});
  };
  add(pipeline::Tofino1{});
  add(pipeline::Tofino2{});
  add(pipeline::Rmt2013{});
  return listing;
}

Listing list_commands() {
  Listing listing{{"command", "operation", "note"}, {}};
  for (const workloads::trace::Command& command : workloads::trace::commands()) {
    const std::string operation =
        command.operation ? std::string(workloads::name_of(*command.operation)) : "(ignored)";
    listing.rows.push_back({std::string(command.name), operation, std::string(command.note)});
  }
  return listing;
}

Listing list_metrics() {
  Listing listing{{"figure", "unit", "kind", "meaning"}, {}};
  for (const model::Metric& metric : model::metrics()) {
    listing.rows.push_back({std::string(metric.name), std::string(metric.unit),
                            std::string(name(metric.kind)), std::string(metric.doc)});
  }
  return listing;
}

Listing list_claims() {
  Listing listing{{"claim", "paper", "what it says"}, {}};
  for (const auto& path : all_bindings()) {
    for (const model::claims::Claim& claim : model::claims::load_bindings(path).claims) {
      listing.rows.push_back({claim.id, paper_value(claim), claim.statement});
    }
  }
  return listing;
}

struct Kind {
  std::string_view name;
  Listing (*list)();
};
constexpr std::array kinds{Kind{"systems", list_systems}, Kind{"mixes", list_mixes},
                           Kind{"chips", list_chips},     Kind{"commands", list_commands},
                           Kind{"metrics", list_metrics}, Kind{"claims", list_claims}};

Json listing_document(const Listing& listing) {
  Json all = Json::array();
  for (const auto& row : listing.rows) {
    Json entry = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) entry[listing.header[i]] = row[i];
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace

Options list_options() {
  return Options("list", "Lists what there is to choose from.")
      .arguments("systems|mixes|chips|commands|metrics|claims", 1, 1)
      .common();
}

sim::ExitCode list_verb(const Parsed& parsed, Environment& environment) {
  refuse_overrides(parsed, "list");
  const std::string& wanted = parsed.all(arguments_name).front();
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds) {
    names.push_back(kind.name);
    if (kind.name != wanted) continue;
    const Listing listing = kind.list();
    const auto out = open_file(parsed, "out");
    deliver(listing_document(listing), parsed, out.get(), environment);
    if (parsed.has("json")) return sim::ExitCode::fine;
    Table table(listing.header);
    table.left(listing.header.size());
    for (const auto& row : listing.rows) table.add(row);
    environment.out << table.text();
    return sim::ExitCode::fine;
  }
  throw UsageError("recirc list knows no '" + wanted + "'",
                   sim::config::suggest(wanted, names, "there are"));
}

}  // namespace recirc::app
