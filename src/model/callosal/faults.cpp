#include "model/callosal/faults.h"

#include <string>

namespace recirc::model::callosal {

void describe(sim::config::Visitor& v, NodeCrash& c) {
  v.field("node", c.node, {.doc = "Which, from 0.", .max = 15});
  v.field("at", c.at,
          {.doc = "When, from the start of the run.",
           .max = sim::seconds(1'000'000),
           .example = "10ms"});
  v.field("down_for", c.down_for,
          {.doc = "How long until it is up again, with an empty page cache.",
           .from = sim::config::assumed("a restart; a reboot takes longer", "1ms..600s"),
           .min = sim::milliseconds(1),
           .max = sim::seconds(1'000'000),
           .example = "10ms"});
}

void describe(sim::config::Visitor& v, FaultSettings& c) {
  v.group("node_links", c.node_links, "The links between nodes and switch.");
  v.group("blade_links", c.blade_links, "The links between memory blades and switch.");
  const auto share = [&v](const char* name, double& value, const char* doc) {
    v.field(name, value,
            {.doc = doc,
             .from = sim::config::assumed("a switch that loses nothing", "0..0.1"),
             .min = 0.0,
             .max = 0.5,
             .example = "0.001"});
  };
  share("lost_claims", c.lost_claims,
        "Share of the requests, evictions and fin_acks that the switch loses while they have an "
        "entry of the directory claimed.");
  share("lost_fin_acks", c.lost_fin_acks, "Share of the fin_acks that it loses before.");
  v.field("crashes", c.crashes, {.doc = "Crashes of nodes, each with a restart."});
}

void validate(const FaultSettings& c, sim::config::Issues& issues) {
  const auto check = [&issues](const char* links, const faults::LinkFaultSettings& settings) {
    if (settings.duplication > 0) {
      issues.add(std::string(links) + "/duplication",
                 "has no effect: a queue pair's numbers tell a copy from the message", "0");
    }
  };
  check("/node_links", c.node_links);
  check("/blade_links", c.blade_links);
}

}  // namespace recirc::model::callosal
