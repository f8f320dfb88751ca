#include "model/callosal/faults.h"

#include <string>

namespace recirc::model::callosal {

void describe(sim::config::Visitor& v, FaultSettings& c) {
  v.group("node_links", c.node_links, "The links between nodes and switch.");
  v.group("blade_links", c.blade_links, "The links between memory blades and switch.");
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
