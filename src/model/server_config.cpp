#include "model/server_config.h"

namespace recirc::model {

using sim::config::assumed;
using sim::config::derived;
using sim::config::FieldInfo;
using sim::config::fitted;
using sim::config::paper;
using sim::config::Visitor;
using workloads::OpKind;

CostSettings::CostSettings() {
  by_kind.fill(1.0);
  const auto set = [this](OpKind kind, double cost) {
    by_kind[static_cast<std::size_t>(kind)] = cost;
  };
  set(OpKind::create, 1.2);
  set(OpKind::mkdir, 1.2);
  set(OpKind::remove, 1.95);
  set(OpKind::rmdir, 1.95);
  set(OpKind::rename, 18.0);
}

ServerConfig ServerSettings::station() const {
  ServerConfig config;
  config.workers = workers;
  config.front_end_time = front_end_time;
  config.service_time = service_time;
  if (std::holds_alternative<ConstantLaw>(law)) config.law.kind = sim::LawKind::constant;
  if (const auto* lognormal = std::get_if<LognormalLaw>(&law)) {
    config.law = {sim::LawKind::lognormal, lognormal->sigma};
  }
  config.costs = costs.by_kind;
  config.existing_cost = costs.existing_cost;
  config.missing_cost = costs.missing_cost;
  return config;
}

void describe(Visitor& /*v*/, ExponentialLaw& /*c*/) {}
void describe(Visitor& /*v*/, ConstantLaw& /*c*/) {}

void describe(Visitor& v, LognormalLaw& c) {
  v.field("sigma", c.sigma,
          {.doc = "Standard deviation of the logarithm of a service time.",
           .from = assumed("no measured law is published", "0.3..1.5"),
           .min = 0.0,
           .max = 4.0});
}

void describe(Visitor& v, CostSettings& c) {
  constexpr double most = 1000.0;
  for (std::size_t k = 0; k < c.by_kind.size(); ++k) {
    const auto kind = static_cast<OpKind>(k);
    FieldInfo info{.doc = "Store time of this operation, in reads.", .min = 0.0, .max = most};
    info.from = assumed("one read is one; no cost of other operations is published", "0.5..2");
    if (kind == OpKind::rename) info.from = assumed("a lease and two directories", "5..50");
    if (kind == OpKind::create || kind == OpKind::mkdir) {
      info.from = assumed("an entry and an edit-log record", "0.6..2.4");
    }
    if (kind == OpKind::remove || kind == OpKind::rmdir) {
      info.from = assumed("an entry, its blocks and an edit-log record", "1..3.9");
    }
    v.field(workloads::name_of(kind), c.by_kind[k], info);
  }
  v.field("existing", c.existing_cost,
          {.doc = "Store time of a create or mkdir of a path that exists, in reads.",
           .from = assumed("an existence check, as in the authors' load generator", "0.5..1.2"),
           .min = 0.0,
           .max = most});
  v.field("missing", c.missing_cost,
          {.doc = "Store time of an operation on a path that is gone, in reads; without it, what "
                  "the operation costs when it succeeds.",
           .from = assumed("the paper is silent", "1..the operation's own"),
           .min = 0.0,
           .max = most});
}

void describe(Visitor& v, ServerSettings& c) {
  v.field("workers", c.workers,
          {.doc = "Front-end threads of a server; a request holds one until it is answered.",
           .from = paper("Fletch prototype: 20 threads a simulated server"),
           .min = 1,
           .max = 65'536});
  v.field("front_end_time", c.front_end_time,
          {.doc = "Time a worker takes before it asks the store.",
           .from = assumed("counted in the network's host delay", "0us..10us"),
           .max = sim::seconds(1),
           .example = "2us"});
  v.field("service_time", c.service_time,
          {.doc = "Mean store time of a read: one HDFS handler, about 23,000 operations a second.",
           .from = fitted("fletch.switch.over_nocache128"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(10),
           .example = "43us"});
  v.field("law", c.law,
          {.doc = "Law of the store's service times.",
           .from = assumed("the paper is silent", "constant..lognormal")});
  v.group("costs", c.costs, "Store time of each operation, in units of one read.");
}

}  // namespace recirc::model
