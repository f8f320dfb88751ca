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

std::span<const sim::config::EnumName> names_of(Component /*component*/) {
  static constexpr sim::config::EnumName names[] = {
      {"server", Component::server, "one metadata server"},
      {"controller", Component::controller, "the cache's controller"},
      {"switch", Component::rmt_switch, "the switch, with all that is in it"}};
  return names;
}

void describe(Visitor& v, CrashSettings& c) {
  v.field("component", c.component, {.doc = "What goes down.", .required = true});
  v.field("server", c.server, {.doc = "Which server, from 0.", .max = 4095});
  v.field("at", c.at,
          {.doc = "When, from the start of the run.",
           .max = sim::seconds(1'000'000),
           .example = "10ms"});
  v.field("down_for", c.down_for,
          {.doc = "How long until it is up again and its recovery begins; nothing that was on the "
                  "way when it went down is on the way then.",
           .from = assumed("a restart of the process; a reboot takes longer", "1ms..600s"),
           .min = sim::milliseconds(1),
           .max = sim::seconds(1'000'000),
           .example = "10ms"});
}

void describe(Visitor& v, FaultSettings& c) {
  v.group("client_links", c.client_links, "The links between client machines and switch.");
  v.group("server_links", c.server_links, "The links between server machines and switch.");
  v.group("controller_link", c.controller_link, "The link between controller and switch.");
  v.field("crashes", c.crashes, {.doc = "Crashes, each with a restart and a recovery."});
}

}  // namespace recirc::model::faults
