#include "app/sweep_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/experiment/result_document.h"
#include "model/experiment/rounding.h"
#include "model/experiment/scale.h"

namespace recirc::app {
namespace {

using model::experiment::Estimate;
using model::experiment::Json;
using model::experiment::Scale;

/// A value as people read it: text without its quotes.
std::string plain(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> parameter_names(const SweepResult& result) {
  std::vector<std::string> names;
  const Json sweep = Json::parse(result.sweep);
  for (const auto& axis : sweep.at("grid").items()) names.push_back(axis.key());
  return names;
}

/// "/cluster/servers" is "servers" in a heading, unless another axis is too.
std::vector<std::string> short_names(const std::vector<std::string>& pointers) {
  std::vector<std::string> names;
  for (const std::string& pointer : pointers) {
    const std::string last = pointer.substr(pointer.rfind('/') + 1);
    const auto same = std::count_if(pointers.begin(), pointers.end(), [&](const auto& other) {
      return other.substr(other.rfind('/') + 1) == last;
    });
    names.push_back(same == 1 ? last : pointer);
  }
  return names;
}

/// The scale that a sweep was run at, if it was not its own.
const Scale* scale_of(const SweepResult& result) {
  const Json sweep = Json::parse(result.sweep);
  return sweep.contains("scale") ? model::experiment::find_scale(sweep["scale"].get<std::string>())
                                 : nullptr;
}

/// Quotes what CSV would take apart.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_number(double value) {
  return fmt::format("{}", model::experiment::nine_digits(value));
}

}  // namespace

void compare_with_baseline(SweepResult& result) {
  const Json baseline = Json::parse(result.sweep).at("baseline");
  if (baseline.empty()) return;
  std::map<std::string, std::size_t> index_of;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    index_of[result.points[i].parameters] = i;
  }
  for (SweepPoint& point : result.points) {
    Json wanted = Json::parse(point.parameters);
    for (const auto& [pointer, value] : baseline.items()) wanted[pointer] = value;
    const std::string key = wanted.dump();
    const auto found = index_of.find(key);
    if (key == point.parameters || found == index_of.end()) continue;
    point.gains = model::experiment::paired_gains(point.replications,
                                                  result.points[found->second].replications);
  }
}

std::vector<ReportEntry> entries_of(const SweepResult& result) {
  std::vector<ReportEntry> entries;
  for (const SweepPoint& point : result.points) {
    if (point.replications.empty()) continue;
    ReportEntry entry;
    const Json parameters = Json::parse(point.parameters);
    for (const auto& [pointer, value] : parameters.items()) {
      entry.parameters.push_back(plain(value));
      entry.label += (entry.label.empty() ? "" : " ") + plain(value);
    }
    entry.estimates = model::experiment::reduce_summaries(point.replications);
    entry.gains = point.gains;
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string table_of(const SweepResult& result) {
  const std::vector<ReportEntry> entries = entries_of(result);
  const Json baseline = Json::parse(result.sweep).at("baseline");
  const bool with_gain = !baseline.empty();
  std::string text =
      sweep_table(entries, short_names(parameter_names(result)), with_gain) + notes(entries);
  if (const Scale* scale = scale_of(result)) {
    text += "scale " + std::string(scale->name) + ": " + std::string(scale->doc) +
            "; a run with a duration keeps it\n";
  }
  if (with_gain) text += "gain over " + baseline.dump() + "\n";
  return text;
}

Json document_of(const SweepResult& result) {
  Json points = Json::array();
  for (const SweepPoint& point : result.points) {
    if (point.replications.empty()) continue;
    const std::vector<Estimate> estimates = model::experiment::reduce_summaries(point.replications);
    Json entry = {
        {"point", Json::parse(point.parameters)},        {"seed", point.seed},
        {"replications", point.replications.size()},     {"summary", means_document(estimates)},
        {"interval95", half_widths_document(estimates)}, {"config", Json::parse(point.config)}};
    if (!point.gains.empty()) entry["gains"] = gains_document(point.gains);
    Json series = model::experiment::series_document(point.replications);
    if (!series.empty()) entry["series"] = std::move(series);
    points.push_back(std::move(entry));
  }
  return {{"schema_version", model::experiment::schema_version},
          {"revision", result.build},
          {"kind", "sweep"},
          {"complete", result.complete},
          {"sweep", Json::parse(result.sweep)},
          {"points", points}};
}

std::string csv_of(const SweepResult& result) {
  std::string text;
  for (const std::string& name : parameter_names(result)) text += csv_field(name) + ",";
  text += "figure,mean,interval95,replications\n";
  for (const ReportEntry& entry : entries_of(result)) {
    std::string start;
    for (const std::string& parameter : entry.parameters) start += csv_field(parameter) + ",";
    // By name: a point file and a run that has just ended have figures in orders of their own.
    std::map<std::string, sim::Interval> lines;
    for (const Estimate& estimate : entry.estimates) lines[estimate.name] = estimate.interval;
    for (const auto& gain : entry.gains) lines["gain/" + gain.name] = gain.interval;
    for (const auto& [figure, interval] : lines) {
      text += start + csv_field(figure) + "," + csv_number(interval.mean) + ",";
      if (interval.half_width) text += csv_number(*interval.half_width);
      text += "," + std::to_string(interval.observations) + "\n";
    }
  }
  return text;
}

}  // namespace recirc::app
