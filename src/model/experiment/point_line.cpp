#include <limits>
#include <nlohmann/json.hpp>

#include "model/experiment/point_file.h"
#include "model/experiment/result_document.h"
#include "sim/error.h"

namespace recirc::model::experiment {
namespace {

constexpr const char* kind = "recirc points";

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Sorted members, so that the order they were written in does not matter.
nlohmann::json sorted(const Json& json) { return nlohmann::json::parse(text_of(json)); }

Json series_of(const ReplicationResult& result) {
  Json all = Json::array();
  for (const NamedSeries& series : result.series) {
    all.push_back({{"name", series.name},
                   {"unit", series.unit},
                   {"window_s", series.window_s},
                   {"values", series.values}});
  }
  return all;
}

std::vector<NamedSeries> read_series(const Json& all) {
  std::vector<NamedSeries> result;
  for (const Json& entry : all) {
    NamedSeries& series = result.emplace_back();
    series.name = entry.at("name").get<std::string>();
    series.unit = entry.at("unit").get<std::string>();
    series.window_s = entry.at("window_s").get<double>();
    for (const Json& value : entry.at("values")) {
      series.values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                              : value.get<double>());
    }
  }
  return result;
}

}  // namespace

std::string line_of(const PointRecord& record) {
  Json phases = Json::array();
  for (const PhaseResult& phase : record.result.phases) {
    phases.push_back({{"name", phase.name}, {"summary", figures_document(phase.figures)}});
  }
  Json line = {{"point", Json::parse(record.parameters)},
               {"replication", record.result.replication},
               {"seed", record.seed},
               {"build", record.build},
               {"summary", figures_document(record.result.summary)},
               {"phases", phases},
               {"config", Json::parse(record.config)}};
  if (!record.result.series.empty()) line["series"] = series_of(record.result);
  return text_of(line) + "\n";
}

PointRecord record_of(const std::string& line) {
  try {
    const Json json = Json::parse(line);
    PointRecord record;
    record.config = text_of(json.at("config"));
    record.parameters = text_of(json.at("point"));
    record.seed = json.at("seed").get<std::uint64_t>();
    record.build = json.at("build").get<std::string>();
    record.result.replication = json.at("replication").get<std::uint64_t>();
    record.result.summary = figures_of(json.at("summary"));
    for (const Json& phase : json.at("phases")) {
      record.result.phases.push_back(
          {phase.at("name").get<std::string>(), figures_of(phase.at("summary"))});
    }
    if (json.contains("series")) record.result.series = read_series(json["series"]);
    return record;
  } catch (const Json::exception&) {
    throw sim::InputOutputError("no record of a point");
  }
}

std::string identity_of(const std::string& config) {
  Json json = Json::parse(config);
  if (json.contains("run") && json["run"].is_object()) json["run"].erase("replications");
  return text_of(json);
}

std::string header_of(const Json& sweep) {
  return text_of({{"kind", kind}, {"schema_version", schema_version}, {"sweep", sweep}});
}

std::string header_of(const Sweep& sweep) { return header_of(document_of(sweep)); }

bool same_grid(const std::string& one, const std::string& other) {
  const auto grid_of = [](const std::string& header) {
    Json sweep = Json::parse(header).at("sweep");
    sweep.erase("baseline");
    if (sweep["base"].contains("run") && sweep["base"]["run"].is_object()) {
      sweep["base"]["run"].erase("replications");
      if (sweep["base"]["run"].empty()) sweep["base"].erase("run");
    }
    return sorted(sweep);
  };
  try {
    return grid_of(one) == grid_of(other);
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

bool is_header(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  return json.is_object() && json.contains("kind") && json["kind"] == kind &&
         json.contains("sweep") && json["sweep"].is_object();
}

}  // namespace recirc::model::experiment
