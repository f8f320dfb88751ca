#include "model/switch_config.h"

#include <string>

namespace recirc::model {

using sim::config::assumed;
using sim::config::paper;
using sim::config::Visitor;

void describe(Visitor& v, SwitchSettings& c) {
  v.field("chip", c.chip,
          {.doc = "The chip, with figures of your own where you give them.",
           .from = paper("Fletch §IX-A: a Tofino with two pipelines")});
  v.field("cross_pipe", c.cross_pipe,
          {.doc = "How a request gets from its client's pipe to the servers' pipe.",
           .from = paper("Fletch §IX-A: a physical wire")});
  v.field("server_pipes", c.server_pipes,
          {.doc = "Pipes that the servers' machines are on, in turn. Each has the values and flags "
                  "of what its servers own, and copies of the directories above; the first has the "
                  "lookup tables and lock counters for all.",
           .from = paper("Fletch §IX-A: one; §III-A and §V-A tell what is in which"),
           .min = 1,
           .max = 4});
  v.field("max_recirculations", c.max_recirculations,
          {.doc = "A packet that has been on loop and cable ports this often is dropped.",
           .from = assumed("the paper names no bound", "256..65536"),
           .min = 1,
           .max = 1'000'000,
           .limit = sim::config::LimitKind::metric});
  v.field("queue", c.queue,
          {.doc = "Bytes that may wait for one port; a frame that finds more is dropped.",
           .from = assumed("a share of the packet buffer", "256KiB..4MiB"),
           .min = sim::Bytes{1},
           .max = sim::Bytes{1 << 30},
           .example = "1MiB",
           .limit = sim::config::LimitKind::metric});
  v.group("control", c.control, "The control plane's port into the switch.");
  v.field("mode", c.mode,
          {.doc = "One event a gress, or one a stage: the same results, for checking."});
  v.field("control_timing", c.control_timing,
          {.doc = "Whether control-plane writes go through the stages as a packet does."});
}

void validate(const SwitchSettings& c, sim::config::Issues& issues) {
  if (c.cross_pipe != pipeline::CrossPipe::none && pipeline::chip_of(c.chip).pipes < 2) {
    issues.add("/cross_pipe", "clients and servers are on two pipes, but the chip has one",
               "set /switch/cross_pipe to \"none\"");
  }
  const pipeline::ChipSpec& chip = pipeline::chip_of(c.chip);
  if (c.server_pipes > chip.pipes) {
    issues.add("/server_pipes",
               "are more than the " + std::to_string(chip.pipes) + " of " + chip.name);
  }
  if (c.server_pipes > 1 && c.cross_pipe == pipeline::CrossPipe::none) {
    issues.add("/cross_pipe", "no way leads from one pipe of servers to another",
               "\"cable\" or \"native\"");
  }
}

}  // namespace recirc::model
