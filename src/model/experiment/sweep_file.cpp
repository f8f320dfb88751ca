#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "model/experiment/grid.h"
#include "model/experiment/result_document.h"
#include "sim/config.h"

namespace recirc::model::experiment {
namespace {

using sim::config::Issues;

/// The members of a sweep file, before they are looked at.
struct SweepFile {
  Json base;
  Json set = Json::object();
  Json grid;
  std::optional<std::uint64_t> replications;
  Json exclude = Json::array();
  Json baseline = Json::object();
  std::string scale = "full";
};

void describe(sim::config::Visitor& v, SweepFile& s) {
  v.field("base", s.base,
          {.doc = "The configuration every point starts from: a path, or the object itself.",
           .required = true});
  v.field("set", s.set, {.doc = "Settings of all points, by JSON pointer; they go into the base."});
  v.field("grid", s.grid,
          {.doc = "The settings that vary: JSON pointers with lists of values.", .required = true});
  v.field("replications", s.replications,
          {.doc = "Replications of each point; else /run/replications of the base.",
           .min = 1,
           .max = 10'000});
  v.field("exclude", s.exclude,
          {.doc = "Points left out: each entry maps pointers of the grid to lists of values."});
  v.field("baseline", s.baseline,
          {.doc = "Values of some axes: other points are compared with the one that has them."});
  v.field("scale", s.scale,
          {.doc = "How much of it is run: see sweep --scale.", .allowed = scale_names()});
}

std::string under(const std::string& where, const std::string& key) {
  return where + "/" + sim::config::escape_pointer(key);
}

/// The values of one axis: a list of distinct values, none a duplicate.
Axis read_axis(const std::string& where, const std::string& pointer, const Json& values,
               Issues& issues) {
  Axis axis{pointer, {}};
  if (!values.is_array() || values.empty()) {
    issues.add(where, "is not a list of values", "e.g. [16, 128]");
    return axis;
  }
  std::set<std::string> seen;
  for (const Json& value : values) {
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!seen.insert(text).second) issues.add(where, "has " + text + " twice");
    axis.values.push_back(std::move(text));
  }
  return axis;
}

std::vector<Axis> read_grid(const Json& grid, Issues& issues) {
  std::vector<Axis> axes;
  if (!grid.is_object() || grid.empty()) {
    issues.add("/grid", "is not an object with a setting to vary",
               R"(e.g. {"/cluster/servers": [16, 128]})");
    return axes;
  }
  for (const auto& [pointer, values] : grid.items()) {
    const std::string where = under("/grid", pointer);
    if (pointer.empty() || pointer.front() != '/') {
      issues.add(where, "is not a JSON pointer", "write /" + pointer);
    }
    axes.push_back(read_axis(where, pointer, values, issues));
  }
  std::uint64_t points = 1;
  for (const Axis& axis : axes) {
    points *= std::max<std::size_t>(1, axis.values.size());
    if (points > most_points) {
      issues.add("/grid", "has more than " + std::to_string(most_points) + " points");
      break;
    }
  }
  return axes;
}

/// Checks that `chosen` names an axis of the grid and only values that it has.
void check_on_grid(const std::string& where, const Axis& chosen, const std::vector<Axis>& axes,
                   Issues& issues) {
  for (const Axis& axis : axes) {
    if (axis.pointer != chosen.pointer) continue;
    for (const std::string& value : chosen.values) {
      if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
        issues.add(where, value + " is not a value of this axis in the grid");
      }
    }
    return;
  }
  issues.add(where, "is not an axis of the grid");
}

std::vector<std::vector<Axis>> read_exclude(const Json& exclude, const std::vector<Axis>& axes,
                                            Issues& issues) {
  std::vector<std::vector<Axis>> entries;
  if (!exclude.is_array()) {
    issues.add("/exclude", "is not a list", R"(e.g. [{"/system": ["nocache"]}])");
    return entries;
  }
  for (std::size_t i = 0; i < exclude.size(); ++i) {
    const std::string at = "/exclude/" + std::to_string(i);
    if (!exclude[i].is_object() || exclude[i].empty()) {
      issues.add(at, "is not an object with an axis in it");
      continue;
    }
    auto& entry = entries.emplace_back();
    for (const auto& [pointer, values] : exclude[i].items()) {
      const std::string where = under(at, pointer);
      const Json list = values.is_array() ? values : Json::array({values});
      entry.push_back(read_axis(where, pointer, list, issues));
      check_on_grid(where, entry.back(), axes, issues);
    }
  }
  return entries;
}

std::vector<Axis> read_baseline(const Json& baseline, const std::vector<Axis>& axes,
                                Issues& issues) {
  std::vector<Axis> chosen;
  if (!baseline.is_object()) {
    issues.add("/baseline", "is not an object", R"(e.g. {"/system": "nocache"})");
    return chosen;
  }
  for (const auto& [pointer, value] : baseline.items()) {
    const std::string where = under("/baseline", pointer);
    chosen.push_back(read_axis(where, pointer, Json::array({value}), issues));
    check_on_grid(where, chosen.back(), axes, issues);
  }
  return chosen;
}

sim::config::Document read_base(const Json& base, const std::string& name,
                                const std::filesystem::path& folder, Issues& issues) {
  if (base.is_string()) {
    return load_config(folder / base.get<std::string>());
  }
  if (base.is_object()) {
    auto document = sim::config::Document::parse(base.dump(), name + ", base");
    document.set_folder(folder);
    return document;
  }
  issues.add("/base", "is neither a path nor a configuration");
  return {};
}

void set_in_base(const Json& settings, Sweep& sweep, Issues& issues) {
  if (!settings.is_object()) {
    issues.add("/set", "is not an object", R"(e.g. {"/cluster/servers": 2})");
    return;
  }
  for (const auto& [pointer, value] : settings.items()) {
    const std::string where = under("/set", pointer);
    if (pointer.empty() || pointer.front() != '/') {
      issues.add(where, "is not a JSON pointer", "write /" + pointer);
      continue;
    }
    for (const Axis& axis : sweep.axes) {
      if (axis.pointer == pointer) issues.add(where, "is an axis of the grid, too");
    }
    sweep.base.set(pointer, value, sweep.folder);
  }
}

}  // namespace

bool is_sweep(const sim::config::Document& document) {
  const Json& root = document.root();
  return root.is_object() && (root.contains("grid") || root.contains("base"));
}

Sweep read_sweep(const sim::config::Document& document, const std::filesystem::path& folder,
                 const std::vector<std::string>& overrides) {
  auto file = sim::config::read<SweepFile>(document);
  Issues issues;
  Sweep sweep;
  sweep.folder = folder;
  sweep.axes = read_grid(file.grid, issues);
  sweep.exclude = read_exclude(file.exclude, sweep.axes, issues);
  sweep.baseline = read_baseline(file.baseline, sweep.axes, issues);
  sweep.scale = *find_scale(file.scale);
  sweep.base = read_base(file.base, document.name(), folder, issues);
  set_in_base(file.set, sweep, issues);
  if (file.replications) sweep.base.set("/run/replications", Json(*file.replications));
  for (const std::string& override_text : overrides) {
    const std::string pointer = override_text.substr(0, override_text.find('='));
    for (const Axis& axis : sweep.axes) {
      if (axis.pointer == pointer) issues.add(pointer, "is set, but it is an axis of the grid");
    }
    sweep.base.set(override_text);
  }
  issues.throw_if_any();
  return sweep;
}

Json document_of(const Sweep& sweep) {
  const auto object_of = [](const std::vector<Axis>& axes) {
    Json object = Json::object();
    for (const Axis& axis : axes) {
      Json& values = object[axis.pointer] = Json::array();
      for (const std::string& value : axis.values) values.push_back(Json::parse(value));
    }
    return object;
  };
  Json exclude = Json::array();
  for (const auto& entry : sweep.exclude) exclude.push_back(object_of(entry));
  Json baseline = Json::object();
  for (const Axis& axis : sweep.baseline) {
    baseline[axis.pointer] = Json::parse(axis.values.front());
  }
  Json document = {{"base", sweep.base.root()},
                   {"grid", object_of(sweep.axes)},
                   {"exclude", exclude},
                   {"baseline", baseline}};
  if (sweep.scale.changes()) document["scale"] = sweep.scale.name;
  return document;
}

Json sweep_schema(const Json& config_schema) {
  Json config = config_schema;
  config.erase("$schema");
  const Json values = {{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}};
  const Json pointer = {{"pattern", "^/"}};
  return {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "A sweep of recirc"},
      {"type", "object"},
      {"required", {"base", "grid"}},
      {"additionalProperties", false},
      {"properties",
       {{"$schema", {{"type", "string"}}},
        {"base",
         {{"description", "The configuration every point starts from: a path, or the object."},
          {"anyOf", Json::array({Json{{"type", "string"}}, config})}}},
        {"set",
         {{"description", "Settings of all points, by JSON pointer; they go into the base."},
          {"type", "object"},
          {"propertyNames", pointer}}},
        {"grid",
         {{"description", "The settings that vary: JSON pointers with lists of values."},
          {"type", "object"},
          {"minProperties", 1},
          {"propertyNames", pointer},
          {"additionalProperties", values}}},
        {"replications",
         {{"description", "Replications of each point; else /run/replications of the base."},
          {"type", "integer"},
          {"minimum", 1},
          {"maximum", 10'000}}},
        {"exclude",
         {{"description", "Points left out: those that match every axis of one entry."},
          {"type", "array"},
          {"items", {{"type", "object"}, {"minProperties", 1}, {"propertyNames", pointer}}}}},
        {"baseline",
         {{"description", "Values of some axes: points are compared with the one that has them."},
          {"type", "object"},
          {"propertyNames", pointer}}},
        {"scale",
         {{"description", "How much of it is run: see recirc sweep --scale."},
          {"enum", scale_names()}}}}}};
}

}  // namespace recirc::model::experiment
