#include "model/experiment/grid.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace recirc::model::experiment {

std::string name_of(const Sweep& sweep, const Point& point) {
  std::string name;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    const Axis& axis = sweep.axes[i];
    name += (i == 0 ? "" : ", ") + axis.pointer + "=" + axis.values[point.choice[i]];
  }
  return name;
}

namespace {

using Choice = std::vector<std::size_t>;

const std::string& value_of(const Sweep& sweep, const Choice& choice, std::size_t axis) {
  return sweep.axes[axis].values[choice[axis]];
}

/// Does the point match every axis of `entry`?
bool matches(const Sweep& sweep, const Choice& choice, const std::vector<Axis>& entry) {
  return std::all_of(entry.begin(), entry.end(), [&](const Axis& wanted) {
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
      if (sweep.axes[i].pointer != wanted.pointer) continue;
      const std::string& value = value_of(sweep, choice, i);
      return std::find(wanted.values.begin(), wanted.values.end(), value) != wanted.values.end();
    }
    return false;
  });
}

/// Steps to the next choice, the last axis fastest; false after the last.
bool advance(const Sweep& sweep, Choice& choice) {
  for (std::size_t i = choice.size(); i-- > 0;) {
    if (++choice[i] < sweep.axes[i].values.size()) return true;
    choice[i] = 0;
  }
  return false;
}

std::vector<Choice> choices_of(const Sweep& sweep) {
  std::vector<Choice> choices;
  Choice choice(sweep.axes.size());
  do {
    const bool left_out =
        std::any_of(sweep.exclude.begin(), sweep.exclude.end(),
                    [&](const auto& entry) { return matches(sweep, choice, entry); });
    if (!left_out) choices.push_back(choice);
  } while (advance(sweep, choice));
  if (choices.empty()) throw sim::ConfigError("/exclude", "leaves no point of the grid");
  return choices;
}

/// The choice that `choice` is compared with: the same but for the baseline's axes.
Choice baseline_of(const Sweep& sweep, Choice choice) {
  for (const Axis& wanted : sweep.baseline) {
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
      const Axis& axis = sweep.axes[i];
      if (axis.pointer != wanted.pointer) continue;
      const auto at = std::find(axis.values.begin(), axis.values.end(), wanted.values.front());
      choice[i] = static_cast<std::size_t>(at - axis.values.begin());
    }
  }
  return choice;
}

std::shared_ptr<const PreparedRun> prepare(const Sweep& sweep, const Choice& choice,
                                           const Engine& engine) {
  sim::config::Document config = sweep.base;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    config.set(sweep.axes[i].pointer, Json::parse(value_of(sweep, choice, i)), sweep.folder);
  }
  std::shared_ptr<const PreparedRun> run = engine.prepare(config);
  if (!sweep.scale.changes()) return run;
  rescale(config, *run, sweep.scale);
  return engine.prepare(config);
}

/// Two points with one effective configuration would be one run counted twice.
void refuse_twins(const Sweep& sweep, const std::vector<Point>& points,
                  std::vector<sim::Issue>& issues) {
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [first, fresh] = known.emplace(points[i].run->effective().dump(), i);
    if (fresh) continue;
    issues.push_back({"/grid",
                      "two points are the same configuration: " + name_of(sweep, points[i]) +
                          " and " + name_of(sweep, points[first->second]),
                      ""});
  }
}

}  // namespace

std::size_t points_in(const Sweep& sweep) { return choices_of(sweep).size(); }

std::vector<Point> expand(const Sweep& sweep, const Engine& engine) {
  const std::vector<Choice> choices = choices_of(sweep);
  std::map<Choice, std::size_t> index_of;
  for (std::size_t i = 0; i < choices.size(); ++i) index_of[choices[i]] = i;
  std::vector<Point> points;
  std::vector<sim::Issue> issues;
  std::set<std::pair<std::string, std::string>> known;  // a mistake of the base is said once
  for (const Choice& choice : choices) {
    Point point{choice, std::nullopt, nullptr};
    if (!sweep.baseline.empty()) {
      const auto found = index_of.find(baseline_of(sweep, choice));
      if (found != index_of.end() && found->first != choice) point.baseline = found->second;
    }
    try {
      point.run = prepare(sweep, choice, engine);
    } catch (const sim::ConfigError& error) {
      for (const sim::Issue& issue : error.issues()) {
        if (!known.emplace(issue.pointer, issue.message).second) continue;
        issues.push_back(issue);
        issues.back().message += " [at " + name_of(sweep, point) + "]";
      }
    }
    points.push_back(std::move(point));
  }
  if (issues.empty()) refuse_twins(sweep, points, issues);
  if (!issues.empty()) throw sim::ConfigError(std::move(issues));
  return points;
}

}  // namespace recirc::model::experiment
