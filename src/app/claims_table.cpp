#include "app/claims_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/table.h"
#include "model/experiment/rounding.h"

namespace recirc::app {
namespace {

using model::claims::ClaimOutcome;
using model::claims::Part;
using model::claims::PartOutcome;
using model::claims::Verdict;
using model::experiment::Json;

/// Three or four digits, as a table wants them.
std::string short_value(double value) {
  const double size = std::abs(value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  if (size >= 100) return fmt::format("{:.1f}", value);
  return size >= 0.1 || value == 0 ? fmt::format("{:.2f}", value) : fmt::format("{:.3g}", value);
}

std::string simulated(const PartOutcome& part) {
  if (part.verdict == Verdict::unavailable) return "not available";
  std::string text = short_value(part.interval.mean);
  if (part.interval.half_width) text += " ± " + short_value(*part.interval.half_width);
  return text;
}

/// What decides whether the verdict says anything about the model.
std::string standing(const ClaimOutcome& outcome) {
  if (!outcome.claim->mark.empty()) return outcome.claim->mark;
  std::string text;
  for (const std::string& pointer : outcome.fitted) {
    text += (text.empty() ? "calibrated: " : ", ") + pointer;
  }
  return text.empty() ? "no" : text;
}

/// A part under other settings, and what decides about it there.
std::string other_part(const PartOutcome& part, const PartOutcome& other) {
  const bool same = part.verdict == other.verdict && part.interval.mean == other.interval.mean;
  if (same) return "=";
  return simulated(other) + " " + std::string(model::claims::name(other.verdict));
}

/// The same of a claim: of one with several parts the verdict only.
std::string other_cell(const ClaimOutcome& outcome, const AlternativeOutcomes& alternative,
                       std::size_t row) {
  const ClaimOutcome& other = alternative.outcomes[row];
  const auto& fitted = alternative.settings->fitted;
  std::string text = outcome.parts.size() == 1
                         ? other_part(outcome.parts.front(), other.parts.front())
                         : std::string(model::claims::name(other.verdict));
  if (std::find(fitted.begin(), fitted.end(), other.claim->id) != fitted.end()) text += " (fitted)";
  return text;
}

/// Why what is not available is not: each reason once, with how many rows it stands for.
std::string reasons(const std::vector<ClaimOutcome>& outcomes) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  for (const ClaimOutcome& outcome : outcomes) {
    for (const PartOutcome& part : outcome.parts) {
      if (part.why_not.empty()) continue;
      const auto at = std::find_if(counted.begin(), counted.end(),
                                   [&](const auto& known) { return known.first == part.why_not; });
      if (at == counted.end()) {
        counted.emplace_back(part.why_not, 1);
      } else {
        ++at->second;
      }
    }
  }
  std::string text;
  for (const auto& [why_not, values] : counted) {
    text += fmt::format("not available ({}): {}\n", values, why_not);
  }
  return text.empty() ? text : "\n" + text;
}

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return model::experiment::nine_digits(value);
}

Json part_document(const Part& part, const PartOutcome& outcome) {
  Json document = {{"label", part.label}, {"verdict", model::claims::name(outcome.verdict)}};
  if (part.accept.given()) {
    const auto range = range_of(part.accept);
    document["accepted"] = Json::array({number(range.from), number(range.to)});
  }
  if (outcome.verdict == Verdict::unavailable) {
    document["why_not"] = outcome.why_not;
    return document;
  }
  document["mean"] = number(outcome.interval.mean);
  document["interval95"] =
      outcome.interval.half_width ? number(*outcome.interval.half_width) : Json();
  document["observations"] = outcome.interval.observations;
  return document;
}

}  // namespace

std::string paper_value(const model::claims::Claim& claim) {
  if (!claim.given()) return "withheld";
  const Json value = Json::parse(claim.value);
  std::string text;
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    for (const Json& item : value) text += (text.empty() ? "" : ", ") + item.dump();
  } else {
    text = value.dump();
  }
  const std::string bound = claim.direction.empty() ? "" : claim.direction + " ";
  return bound + text + " " + claim.unit;
}

std::string claims_table(const std::vector<ClaimOutcome>& outcomes,
                         const std::vector<AlternativeOutcomes>& alternatives) {
  std::vector<std::string> header{"claim", "paper", "simulated", "verdict", "fitted to it"};
  for (const AlternativeOutcomes& other : alternatives) header.push_back(other.settings->name);
  Table table(header);
  table.left(header.size());
  for (std::size_t row = 0; row < outcomes.size(); ++row) {
    const ClaimOutcome& outcome = outcomes[row];
    const std::size_t parts = outcome.parts.size();
    std::vector<std::string> cells{outcome.claim->id, paper_value(*outcome.claim),
                                   parts == 1 ? simulated(outcome.parts.front()) : "",
                                   std::string(model::claims::name(outcome.verdict)),
                                   standing(outcome)};
    for (const AlternativeOutcomes& other : alternatives) {
      cells.push_back(other_cell(outcome, other, row));
    }
    table.add(cells);
    for (std::size_t i = 0; i < parts && parts > 1; ++i) {
      cells = {"  " + outcome.claim->parts[i].label, "", simulated(outcome.parts[i]),
               std::string(model::claims::name(outcome.parts[i].verdict)), ""};
      for (const AlternativeOutcomes& other : alternatives) {
        cells.push_back(other_part(outcome.parts[i], other.outcomes[row].parts[i]));
      }
      table.add(cells);
    }
  }
  return table.text() + reasons(outcomes);
}

Json claims_document(const std::vector<ClaimOutcome>& outcomes) {
  Json rows = Json::array();
  for (const ClaimOutcome& outcome : outcomes) {
    const model::claims::Claim& claim = *outcome.claim;
    Json parts = Json::array();
    for (std::size_t i = 0; i < outcome.parts.size(); ++i) {
      parts.push_back(part_document(claim.parts[i], outcome.parts[i]));
    }
    rows.push_back({{"id", claim.id},
                    {"where", claim.where},
                    {"statement", claim.statement},
                    {"paper", claim.value.empty() ? Json() : Json::parse(claim.value)},
                    {"unit", claim.unit},
                    {"tolerance", claim.tolerance},
                    {"status", claim.status},
                    {"verdict", model::claims::name(outcome.verdict)},
                    {"mark", claim.mark},
                    {"fitted", outcome.fitted},
                    {"parts", std::move(parts)}});
  }
  return rows;
}

}  // namespace recirc::app
