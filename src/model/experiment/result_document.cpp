#include "model/experiment/result_document.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/experiment/rounding.h"
#include "sim/error.h"

namespace recirc::model::experiment {
namespace {

/// Puts `value` at `name`, creating the objects on the way.
void put(Json& root, const std::string& name, Json value) {
  Json* at = &root;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = name.find('/', begin);
    const std::string key = name.substr(begin, end == std::string::npos ? end : end - begin);
    Json& next = (*at)[key];
    if (end == std::string::npos) {
      if (!next.is_null()) throw sim::InvariantBroken("two figures are called " + name);
      next = std::move(value);
      return;
    }
    if (next.is_null()) next = Json::object();
    if (!next.is_object()) throw sim::InvariantBroken("a figure is a part of the name " + name);
    at = &next;
    begin = end + 1;
  }
}

Json value_of(const Figure& figure) {
  switch (figure.kind) {
    case Figure::Kind::flag:
      return figure.value != 0;
    case Figure::Kind::count:
      return static_cast<std::int64_t>(figure.value);
    case Figure::Kind::real:
      break;
  }
  return nine_digits(figure.value);
}

void collect(const Json& document, const std::string& prefix, std::vector<Figure>& figures) {
  for (const auto& [key, value] : document.items()) {
    const std::string name = prefix.empty() ? key : prefix + "/" + key;
    if (value.is_object()) {
      collect(value, name, figures);
    } else if (value.is_boolean()) {
      figures.push_back({name, value.get<bool>() ? 1.0 : 0.0, Figure::Kind::flag});
    } else if (value.is_number_integer()) {
      figures.push_back({name, value.get<double>(), Figure::Kind::count});
    } else if (value.is_number()) {
      figures.push_back({name, value.get<double>(), Figure::Kind::real});
    }
  }
}

Json replications_document(std::span<const ReplicationResult> replications) {
  Json all = Json::array();
  for (const ReplicationResult& replication : replications) {
    Json phases = Json::array();
    for (const PhaseResult& phase : replication.phases) {
      phases.push_back({{"name", phase.name}, {"summary", figures_document(phase.figures)}});
    }
    all.push_back({{"replication", replication.replication},
                   {"summary", figures_document(replication.summary)},
                   {"phases", phases}});
  }
  return all;
}

/// Names of the parts of all replications, in order of appearance.
template <typename Parts>
std::vector<std::string> names_of(std::span<const ReplicationResult> replications, Parts parts) {
  std::vector<std::string> names;
  for (const ReplicationResult& replication : replications) {
    for (const auto& part : parts(replication)) {
      if (std::find(names.begin(), names.end(), part.name) == names.end()) {
        names.push_back(part.name);
      }
    }
  }
  return names;
}

Json phases_document(std::span<const ReplicationResult> replications) {
  Json all = Json::array();
  const auto parts = [](const ReplicationResult& r) -> const auto& { return r.phases; };
  for (const std::string& name : names_of(replications, parts)) {
    std::vector<std::vector<Figure>> figures;
    for (const ReplicationResult& replication : replications) {
      for (const PhaseResult& phase : replication.phases) {
        if (phase.name == name) figures.push_back(phase.figures);
      }
    }
    const std::vector<Estimate> estimates = reduce(figures);
    all.push_back({{"name", name},
                   {"summary", means_document(estimates)},
                   {"interval95", half_widths_document(estimates)}});
  }
  return all;
}

Json histograms_document(std::span<const ReplicationResult> replications) {
  Json all = Json::object();
  const auto parts = [](const ReplicationResult& r) -> const auto& { return r.histograms; };
  for (const std::string& name : names_of(replications, parts)) {
    sim::Histogram merged;
    std::string unit;
    for (const ReplicationResult& replication : replications) {
      for (const NamedHistogram& one : replication.histograms) {
        if (one.name != name) continue;
        merged.merge(one.histogram);
        unit = one.unit;
      }
    }
    Json bins = Json::array();
    for (const sim::Histogram::Bin& bin : merged.bins()) {
      bins.push_back(Json::array({bin.low, bin.high, bin.count}));
    }
    all[name] = {{"unit", unit},
                 {"count", merged.count()},
                 {"min", merged.min()},
                 {"max", merged.max()},
                 {"mean", nine_digits(merged.mean())},
                 {"bins", bins}};
  }
  return all;
}

}  // namespace

Json figures_document(std::span<const Figure> figures) {
  Json document = Json::object();
  for (const Figure& figure : figures) put(document, figure.name, value_of(figure));
  return document;
}

std::vector<Figure> figures_of(const Json& document) {
  std::vector<Figure> figures;
  collect(document, "", figures);
  return figures;
}

Json means_document(std::span<const Estimate> estimates) {
  Json document = Json::object();
  for (const Estimate& estimate : estimates) {
    const double mean = estimate.interval.mean;
    const bool flag = estimate.kind == Figure::Kind::flag;
    put(document, estimate.name, flag ? Json(mean != 0) : Json(nine_digits(mean)));
  }
  return document;
}

Json half_widths_document(std::span<const Estimate> estimates) {
  Json document = Json::object();
  for (const Estimate& estimate : estimates) {
    if (estimate.kind == Figure::Kind::flag) continue;
    const auto& half_width = estimate.interval.half_width;
    put(document, estimate.name, half_width ? Json(nine_digits(*half_width)) : Json());
  }
  return document;
}

Json gains_document(std::span<const Gain> gains) {
  Json document = Json::object();
  for (const Gain& gain : gains) {
    const auto& half_width = gain.interval.half_width;
    document[gain.name] = {{"gain", nine_digits(gain.interval.mean)},
                           {"interval95", half_width ? Json(nine_digits(*half_width)) : Json()},
                           {"pairs", gain.interval.observations}};
  }
  return document;
}

Json series_document(std::span<const ReplicationResult> replications) {
  Json all = Json::object();
  for (const ReplicationResult& replication : replications) {
    for (const NamedSeries& series : replication.series) {
      Json& entry = all[series.name];
      if (entry.is_null()) {
        entry = {{"unit", series.unit}, {"window_s", series.window_s}, {"values", Json::array()}};
      }
      entry["values"].push_back(series.values);
    }
  }
  return all;
}

Json result_document(const RunResult& result, const std::string& revision) {
  const std::span<const ReplicationResult> replications = result.replications;
  const std::vector<Estimate> estimates = reduce_summaries(replications);
  return {{"schema_version", schema_version},
          {"revision", revision},
          {"system", result.run->system()},
          {"seed", result.run->seed()},
          {"complete", replications.size() == result.run->replications()},
          {"config", result.run->effective()},
          {"provenance", result.run->provenance()},
          {"summary", means_document(estimates)},
          {"interval95", half_widths_document(estimates)},
          {"replications", replications_document(replications)},
          {"phases", phases_document(replications)},
          {"histograms", histograms_document(replications)},
          {"series", series_document(replications)}};
}

std::string document_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

sim::config::Document load_config(const std::filesystem::path& path) {
  sim::config::Document document = sim::config::Document::load(path);
  const Json& root = document.root();
  const bool is_result = root.is_object() && root.contains("schema_version") &&
                         root.contains("config") && root["config"].is_object();
  if (is_result) {
    auto config = sim::config::Document::parse(root["config"].dump(), path.string() + ", config");
    config.set_folder(path.parent_path());
    config.mark_effective();
    return config;
  }
  if (root.is_object() && root.contains("schema_version") && root.contains("kind")) {
    throw sim::ConfigError("", path.string() + " is the result of several configurations",
                           "give one of their files, or one of those in its \"results\"");
  }
  return document;
}

}  // namespace recirc::model::experiment
