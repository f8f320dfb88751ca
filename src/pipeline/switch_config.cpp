#include "pipeline/control_port.h"
#include "pipeline/switch_spec.h"
#include "sim/config.h"

namespace recirc::pipeline {

using sim::config::EnumName;

std::span<const EnumName> names_of(PassMode /*mode*/) {
  static constexpr EnumName names[] = {
      {"pass", PassMode::pass, "one event for all stages of a gress"},
      {"stage", PassMode::stage, "every stage its own event: slow, the same results"}};
  return names;
}

std::span<const EnumName> names_of(ControlTiming /*timing*/) {
  static constexpr EnumName names[] = {
      {"like_a_packet", ControlTiming::like_a_packet,
       "a packet sees all of a control-plane write or nothing"},
      {"per_stage", ControlTiming::per_stage,
       "a write takes effect in all stages at once: shows what that breaks"}};
  return names;
}

std::span<const EnumName> names_of(CrossPipe /*way*/) {
  static constexpr EnumName names[] = {
      {"cable", CrossPipe::cable, "through a cable between two ports: one recirculation"},
      {"native", CrossPipe::native, "the traffic manager hands the packet over: none"},
      {"none", CrossPipe::none, "not at all: what must meet shares a pipe"}};
  return names;
}

void describe(sim::config::Visitor& v, ControlSpec& c) {
  v.field("latency", c.latency,
          {.doc = "Driver and bus between the controller and the chip, each way.",
           .from = sim::config::assumed("Mantis reports reaction loops of tens of microseconds",
                                        "5us..50us"),
           .max = sim::seconds(1),
           .example = "10us"});
  v.field("per_write", c.per_write,
          {.doc = "One table or register write; the control plane does one thing at a time.",
           .from = sim::config::assumed("10,000 updates a second are often quoted", "20us..2ms"),
           .max = sim::seconds(1),
           .example = "100us"});
  v.field("per_read", c.per_read,
          {.doc = "One register entry read.",
           .from = sim::config::assumed("cheaper than a write: reads of ranges are batched",
                                        "0.1us..50us"),
           .max = sim::seconds(1),
           .example = "1us"});
}

}  // namespace recirc::pipeline
