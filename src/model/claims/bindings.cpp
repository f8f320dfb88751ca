#include "model/claims/bindings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace recirc::model::claims {

using sim::config::Issues;
using sim::config::Visitor;

std::span<const sim::config::EnumName> names_of(Reduce) {
  static constexpr sim::config::EnumName names[] = {
      {"mean", Reduce::mean, "the figure"},
      {"ratio", Reduce::ratio, "over the other operand's"},
      {"gain", Reduce::gain, "the ratio less 1, in percent"},
      {"cut", Reduce::cut, "1 less the ratio, in percent"},
      {"difference", Reduce::difference, "less the other operand's"},
      {"dip", Reduce::dip, "of a series: the shallowest dip after a change, in percent"},
      {"recovery", Reduce::recovery, "of a series: how far from the period before it ends, in %"},
      {"programs", Reduce::programs, "what the switch's program declares"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(Combine) {
  static constexpr sim::config::EnumName names[] = {
      {"mean", Combine::mean, "their mean"},
      {"least", Combine::least, "the least"},
      {"most", Combine::most, "the most"},
      {"farthest", Combine::farthest, "the one farthest from the target"}};
  return names;
}

namespace {

/// Any JSON, kept as text: settings and the paper's values have no type of their own.
void text_field(Visitor& v, std::string_view name, std::string& text, std::string_view doc) {
  Json json = text.empty() ? Json() : Json::parse(text);
  v.field(name, json, {.doc = doc});
  text = json.is_null() ? "" : json.dump();
}

void object_field(Visitor& v, std::string_view name, std::string& text, std::string_view doc) {
  if (text.empty()) text = "{}";
  text_field(v, name, text, doc);
}

}  // namespace

void describe(Visitor& v, Acceptance& a) {
  v.field("target", a.target, {.doc = "The value that is expected.", .min = -1e300});
  v.field("least", a.least, {.doc = "At least this.", .min = -1e300});
  v.field("most", a.most, {.doc = "At most this.", .min = -1e300});
  v.field("relative", a.relative, {.doc = "Tolerance as a share of the value.", .min = 0.0});
  v.field("absolute", a.absolute, {.doc = "Tolerance in the claim's unit.", .min = 0.0});
}

void describe(Visitor& v, RunBinding& r) {
  v.field("name", r.name, {.doc = "What operands call it.", .required = true});
  v.field("file", r.file, {.doc = "A configuration or a sweep.", .required = true});
  object_field(v, "set", r.set, "Settings of all its points.");
  v.field("replications", r.replications, {.doc = "At full scale.", .min = 1, .max = 1000});
  v.field("scaled", r.scaled, {.doc = "Whether a scale changes its requests."});
  v.field("speed", r.speed,
          {.doc = "Operations a second and thread, to estimate the time.", .min = 1.0});
  v.field("takes_s", r.takes_s,
          {.doc = "What a replication takes that a duration ends, likewise.", .min = 0.0});
}

void describe(Visitor& v, Alternative& a) {
  v.field("name", a.name, {.doc = "Of its column.", .required = true});
  v.field("about", a.about, {.doc = "What it stands for."});
  object_field(v, "set", a.set, "Settings of the system that the claims are about.");
  v.field("fitted", a.fitted, {.doc = "Claims that its values were chosen for."});
}

void describe(Visitor& v, Operand& o) {
  v.field("run", o.run, {.doc = "Which run.", .required = true});
  v.field("figure", o.figure, {.doc = "Which figure of its summary, or series."});
  object_field(v, "select", o.select, "Settings of this operand.");
  v.field("saturate_at", o.saturate_at,
          {.doc = "Saturate it at the depth that this run's recirculations give."});
}

void describe(Visitor& v, Variation& c) {
  object_field(v, "select", c.select, "Settings of both operands.");
  v.field("minus", c.minus, {.doc = "Subtracted from what comes out.", .min = -1e300});
}

void describe(Visitor& v, Part& p) {
  v.field("label", p.label, {.doc = "Which part of the claim; empty when it is all of it."});
  v.field("reduce", p.reduce, {.doc = "What is made of the figures."});
  v.group("of", p.of, "What it is about.");
  v.field("to", p.to, {.doc = "What that is compared with."});
  v.field("over", p.over, {.doc = "Several settings."});
  v.field("combine", p.combine, {.doc = "What is made of theirs."});
  v.field("times", p.times, {.doc = "Into the claim's unit.", .min = -1e300});
  v.field("period_s", p.period_s, {.doc = "Time between two changes of a series.", .min = 0.0});
  v.field("beside", p.beside, {.doc = "Shown with the claim; decides nothing."});
  v.group("accept", p.accept, "Which values agree.");
}

void describe(Visitor& v, Claim& c) {
  std::string paper = "fletch";
  v.field("id", c.id, {.doc = "Its name.", .required = true});
  v.field("paper", paper, {.doc = "Whose claim."});
  v.field("where", c.where, {.doc = "Where it is made."});
  v.field("statement", c.statement, {.doc = "What it says.", .required = true});
  text_field(v, "value", c.value, "The paper's value; null when it is withheld.");
  v.field("unit", c.unit, {.doc = "Its unit."});
  v.field("tolerance", c.tolerance, {.doc = "The tolerance in words."});
  v.field("status", c.status, {.doc = "Whether the value is known.", .required = true});
  v.field("note", c.note, {.doc = "A remark."});
  v.field("role", c.role, {.doc = "What would make it worthless."});
  v.field("direction", c.direction, {.doc = "A bound on one side."});
  v.field("predicate", c.predicate, {.doc = "What a trend is, exactly."});
  v.field("mark", c.mark, {.doc = "\"input\": the model was given the value."});
  v.field("parts", c.parts, {.doc = "How it is computed.", .min_size = 1, .required = true});
}

void describe(Visitor& v, Bindings& b) {
  v.field("system", b.system, {.doc = "Whose claims.", .required = true});
  v.field("about", b.about, {.doc = "A remark."});
  v.field("runs", b.runs, {.doc = "What is run.", .required = true});
  v.field("alternatives", b.alternatives,
          {.doc = "Other settings, under which all rows are shown once more."});
  v.field("claims", b.claims, {.doc = "The claims.", .min_size = 1, .required = true});
}

namespace {

void check_operand(const Bindings& bindings, const Operand& operand, const std::string& where,
                   Issues& issues) {
  const auto check = [&](const std::string& run, const char* field) {
    if (bindings.find_run(run) == nullptr) {
      issues.add(where + field, "no run is called \"" + run + "\"");
    }
  };
  check(operand.run, "/run");
  if (operand.saturate_at) check(*operand.saturate_at, "/saturate_at");
}

void check_part(const Bindings& bindings, const Claim& claim, const Part& part,
                const std::string& where, Issues& issues) {
  check_operand(bindings, part.of, where + "/of", issues);
  if (part.to) check_operand(bindings, *part.to, where + "/to", issues);
  const bool two = part.reduce == Reduce::ratio || part.reduce == Reduce::gain ||
                   part.reduce == Reduce::cut || part.reduce == Reduce::difference;
  if (two != part.to.has_value()) {
    issues.add(where + "/to", two ? "is missing: nothing to compare with"
                                  : "has no meaning: this takes one operand");
  }
  const bool series = part.reduce == Reduce::dip || part.reduce == Reduce::recovery;
  if (series && part.period_s <= 0) issues.add(where + "/period_s", "is missing");
  if (part.beside) {
    if (part.accept.given()) issues.add(where + "/accept", "judges what only stands beside");
  } else if (claim.given() != part.accept.given()) {
    issues.add(where + "/accept", claim.given() ? "says nothing, but the paper's value is known"
                                                : "judges a value that is withheld");
  }
}

void check(const Bindings& bindings, Issues& issues) {
  std::set<std::string> names;
  for (const RunBinding& run : bindings.runs) {
    if (!names.insert(run.name).second) issues.add("/runs", "two are called " + run.name);
  }
  names.clear();
  for (const Alternative& other : bindings.alternatives) {
    if (!names.insert(other.name).second) {
      issues.add("/alternatives", "two are called " + other.name);
    }
  }
  names.clear();
  for (std::size_t i = 0; i < bindings.claims.size(); ++i) {
    const Claim& claim = bindings.claims[i];
    const std::string where = "/claims/" + std::to_string(i);
    if (!names.insert(claim.id).second) issues.add(where + "/id", "two are called " + claim.id);
    if (claim.status != "given" && claim.status != "withheld") {
      issues.add(where + "/status", "is neither given nor withheld");
    }
    if (claim.given() == claim.value.empty()) {
      issues.add(where + "/value", "does not fit the status");
    }
    for (std::size_t p = 0; p < claim.parts.size(); ++p) {
      check_part(bindings, claim, claim.parts[p], where + "/parts/" + std::to_string(p), issues);
    }
  }
  for (const Alternative& other : bindings.alternatives) {
    for (const std::string& id : other.fitted) {
      if (names.count(id) == 0) issues.add("/alternatives", "is fitted to no claim: " + id);
    }
  }
}

}  // namespace

const RunBinding* Bindings::find_run(const std::string& name) const {
  const auto found = std::find_if(runs.begin(), runs.end(),
                                  [&](const RunBinding& run) { return run.name == name; });
  return found == runs.end() ? nullptr : &*found;
}

Bindings load_bindings(const std::filesystem::path& path) {
  auto bindings = sim::config::read<Bindings>(sim::config::Document::load(path));
  bindings.folder = path.parent_path();
  Issues issues;
  check(bindings, issues);
  issues.throw_if_any();
  return bindings;
}

}  // namespace recirc::model::claims
