#include "config_fixture.h"

namespace fixture {

using recirc::sim::nanoseconds;
using recirc::sim::seconds;

void describe(config::Visitor& /*v*/, Exponential& /*c*/) {}
void describe(config::Visitor& v, Lognormal& c) {
  v.field("sigma", c.sigma,
          {.doc = "Spread of the logarithm.",
           .from = config::assumed("the paper is silent", "0.1..1"),
           .min = 0.0,
           .max = 3.0});
}
void describe(config::Visitor& v, Trace& c) {
  v.field("file", c.file,
          {.doc = "Recorded times.", .min_size = 1, .max_size = 255, .required = true});
}

void describe(config::Visitor& v, Client& c) {
  v.field("window", c.window,
          {.doc = "Most requests in flight.",
           .from = config::paper("§1"),
           .min = 1,
           .max = 64,
           .limit = config::LimitKind::metric});
  v.field("in_flight", c.in_flight, {.doc = "Requests in flight."});
  v.field("timeout", c.timeout,
          {.doc = "Time before a client gives up.",
           .min = nanoseconds(1),
           .max = seconds(100),
           .limit = config::LimitKind::error});
}
void validate(const Client& c, config::Issues& issues) {
  if (c.in_flight > c.window) {
    issues.add("/in_flight",
               issues.given("/window") ? "exceeds /window" : "exceeds the default of /window");
  }
}

void describe(config::Visitor& v, World& c) {
  static constexpr std::string_view systems[] = {"fletch", "nocache"};
  v.field("system", c.system, {.doc = "The scheme.", .allowed = systems});
  v.field("verbose", c.verbose, {.doc = "More words."});
  v.field("offset", c.offset, {.doc = "A signed integer."});
  v.field("workers", c.workers,
          {.doc = "Front-end | threads.", .from = config::paper("§2"), .min = 1, .max = 4096});
  v.field("balance", c.balance, {.doc = "A long signed integer."});
  v.field("seed", c.seed, {.doc = "The seed."});
  v.count("files", c.files, {.doc = "Files.", .min = 1, .max = 1'000'000'000});
  v.field("zipf", c.zipf, {.doc = "Exponent.", .min = 0.0, .max = 2});
  v.field("store_time", c.store_time,
          {.doc = "Time of one operation.",
           .from = config::derived("23 kops/s a server"),
           .min = nanoseconds(1),
           .max = seconds(10),
           .example = "43us"});
  v.field("buffer", c.buffer, {.doc = "Memory."});
  v.field("rate", c.rate, {.doc = "Of a port.", .min = 1});
  v.field("loop", c.loop, {.doc = "How pipes are joined."});
  v.field("law", c.law, {.doc = "Of service times."});
  v.group("client", c.client, "A client.");
  v.field("more_clients", c.more_clients, {.doc = "More of them.", .max_size = 4});
  v.field("delays", c.delays, {.doc = "Delays, in order.", .max = seconds(1)});
  v.field("weights", c.weights, {.doc = "Of the three kinds.", .min = 0, .max = 1});
  v.count("cap", c.cap, {.doc = "At most so many."});
  v.field("spare", c.spare, {.doc = "One more client."});
  v.field("note", c.note, {.doc = "Free text."});
}

World world_of(const std::string& text, const std::vector<std::string>& overrides) {
  auto document = config::Document::parse(text, "test.json");
  for (const std::string& assignment : overrides) document.set(std::string_view(assignment));
  return config::read<World>(document);
}

std::vector<std::string> issues_of(const std::string& text,
                                   const std::vector<std::string>& overrides) {
  std::vector<std::string> lines;
  try {
    (void)world_of(text, overrides);
  } catch (const recirc::sim::ConfigError& error) {
    for (const auto& issue : error.issues()) {
      lines.push_back(issue.pointer + ": " + issue.message);
      if (!issue.suggestion.empty()) lines.back() += " (" + issue.suggestion + ")";
    }
  }
  return lines;
}

}  // namespace fixture
