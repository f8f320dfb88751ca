#include "model/faults/config.h"

namespace recirc::model::faults {

using sim::config::assumed;
using sim::config::Visitor;

void describe(Visitor& v, LinkFaultSettings& c) {
  const auto share = [&v](const char* name, double& value, const char* doc) {
    v.field(name, value,
            {.doc = doc,
             .from = assumed("a wired network without faults", "0..0.2"),
             .min = 0.0,
             .max = 0.9,
             .example = "0.01"});
  };
  share("loss", c.loss, "Share of the messages that are lost.");
  share("duplication", c.duplication,
        "Share of the messages that arrive twice; the copy is late by up to `held_for`.");
  share("reordering", c.reordering,
        "Share of the messages that are held for `held_for`, so that later ones overtake them.");
  v.field("delay", c.delay,
          {.doc = "Every message is late by a random time up to this one.",
           .from = assumed("a wired network without faults", "0s..1ms"),
           .max = sim::seconds(100),
           .example = "20us"});
  v.field("held_for", c.held_for,
          {.doc = "How late a message that is overtaken comes, and at most its copy.",
           .from = assumed("several times a round trip through the switch", "10us..10ms"),
           .max = sim::seconds(100),
           .example = "100us"});
}

void describe(Visitor& v, FaultSettings& c) {
  v.group("client_links", c.client_links, "The links between client machines and switch.");
  v.group("server_links", c.server_links, "The links between server machines and switch.");
  v.group("controller_link", c.controller_link, "The link between controller and switch.");
}

}  // namespace recirc::model::faults
