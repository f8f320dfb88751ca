#include "app/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/table.h"
#include "model/experiment/rounding.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

/// Shown of a configuration; the JSON has every figure that comparisons have.
constexpr const char* shown_figures[] = {"throughput_ops_per_s", "latency_mean_us",
                                         "latency_p99_us"};
constexpr const char* shown_names[] = {"throughput %", "mean latency %", "p99 latency %"};

const Move* find_move(const std::vector<Move>& moves, const std::string& name) {
  const auto at =
      std::find_if(moves.begin(), moves.end(), [&](const Move& move) { return move.name == name; });
  return at == moves.end() ? nullptr : &*at;
}

std::string text_of(const Move* move, double times) {
  if (move == nullptr) return "-";
  std::string text = fmt::format("{:.2f}", move->interval.mean * times);
  if (move->interval.half_width) {
    text += fmt::format(" ± {:.2f}", *move->interval.half_width * times);
  }
  return move->verdict.empty() || move->verdict == "-" ? text : text + "  " + move->verdict;
}

/// How far the first figure goes from where it was, at the end where that is farthest.
double reach(const Sensitivity& found, const Movement& movement) {
  double farthest = -1;
  for (const End& end : movement.ends) {
    if (end.moves.empty()) continue;
    const double before = found.middle.empty() ? 0 : found.middle.front().interval.mean;
    farthest = std::max(farthest, std::abs(end.moves.front().interval.mean - before));
  }
  return farthest;
}

std::vector<const Movement*> by_reach(const Sensitivity& found) {
  std::vector<const Movement*> order;
  for (const Movement& movement : found.movements) order.push_back(&movement);
  std::stable_sort(order.begin(), order.end(), [&](const Movement* a, const Movement* b) {
    return reach(found, *a) > reach(found, *b);
  });
  return order;
}

bool moves_nothing(const Sensitivity& found, const Movement& movement) {
  const bool ran = std::any_of(movement.ends.begin(), movement.ends.end(),
                               [](const End& end) { return !end.moves.empty(); });
  const auto still = [&](const End& end) {
    for (std::size_t i = 0; i < end.moves.size(); ++i) {
      const double before = found.middle.empty() ? 0 : found.middle[i].interval.mean;
      if (end.moves[i].interval.mean != before) return false;
    }
    return true;
  };
  return ran && std::all_of(movement.ends.begin(), movement.ends.end(), still);
}

std::string not_varied(const Sensitivity& found) {
  std::string text;
  for (const Movement& movement : found.movements) {
    if (!moves_nothing(found, movement)) continue;
    text += (text.empty() ? "changes nothing: " : ", ") + movement.field.pointer;
  }
  if (!text.empty()) text += '\n';
  for (const Movement& movement : found.movements) {
    if (movement.ends.empty()) {
      text += "not varied: " + movement.field.pointer + ", " + movement.field.from + '\n';
    }
    for (const End& end : movement.ends) {
      if (end.why_not.empty()) continue;
      text += "not run: " + movement.field.pointer + "=" + end.value + ": " + end.why_not + '\n';
    }
  }
  return text.empty() ? text : "\n" + text;
}

std::string config_table(const Sensitivity& found) {
  std::vector<std::string> header{"setting", "value", "tried"};
  header.insert(header.end(), std::begin(shown_names), std::end(shown_names));
  Table table(header);
  table.left(3);
  for (const Movement* movement : by_reach(found)) {
    if (moves_nothing(found, *movement)) continue;
    for (const End& end : movement->ends) {
      if (!end.why_not.empty()) continue;
      std::vector<std::string> row{movement->field.pointer, movement->field.value, end.value};
      for (const char* figure : shown_figures) {
        row.push_back(text_of(find_move(end.moves, figure), 100));
      }
      table.add(std::move(row));
    }
  }
  return table.text();
}

std::string claim_table(const Sensitivity& found) {
  std::vector<std::string> header{"setting", "value", "tried"};
  std::vector<std::string> middle{"(as it is)", "", ""};
  for (const Move& move : found.middle) {
    header.push_back(move.name);
    middle.push_back(text_of(&move, 1));
  }
  Table table(header);
  table.left(3);
  table.add(middle);
  for (const Movement* movement : by_reach(found)) {
    if (moves_nothing(found, *movement)) continue;
    for (const End& end : movement->ends) {
      if (!end.why_not.empty()) continue;
      std::vector<std::string> row{movement->field.pointer, movement->field.value, end.value};
      for (const Move& move : found.middle)
        row.push_back(text_of(find_move(end.moves, move.name), 1));
      table.add(std::move(row));
    }
  }
  return table.text();
}

Json moves_document(const std::vector<Move>& moves) {
  Json all = Json::array();
  for (const Move& move : moves) {
    Json entry = {{"name", move.name},
                  {"mean", model::experiment::nine_digits(move.interval.mean)},
                  {"interval95", nullptr}};
    if (move.interval.half_width) {
      entry["interval95"] = model::experiment::nine_digits(*move.interval.half_width);
    }
    if (!move.verdict.empty()) entry["verdict"] = move.verdict;
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace

std::string sensitivity_table(const Sensitivity& found) {
  return (found.claim ? claim_table(found) : config_table(found)) + not_varied(found);
}

Json sensitivity_document(const Sensitivity& found) {
  Json constants = Json::array();
  for (const Movement* movement : by_reach(found)) {
    Json ends = Json::array();
    for (const End& end : movement->ends) {
      Json entry = {{"value", Json::parse(end.value)}, {"moves", moves_document(end.moves)}};
      if (!end.why_not.empty()) entry["why_not"] = end.why_not;
      ends.push_back(std::move(entry));
    }
    constants.push_back({{"pointer", movement->field.pointer},
                         {"from", movement->field.from},
                         {"value", Json::parse(movement->field.value)},
                         {"ends", std::move(ends)}});
  }
  return {{"kind", "recirc sensitivity"},
          {"of", found.of},
          {"is_claim", found.claim},
          {"middle", moves_document(found.middle)},
          {"constants", std::move(constants)}};
}

}  // namespace recirc::app
