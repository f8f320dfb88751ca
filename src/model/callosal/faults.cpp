#include "model/callosal/faults.h"

#include <string>

namespace recirc::model::callosal {

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
