#pragma once

#include <cstdint>

#include "pipeline/chip.h"
#include "pipeline/control_port.h"
#include "pipeline/switch_spec.h"
#include "sim/config.h"

namespace recirc::model {

/// `/switch`
struct SwitchSettings {
  pipeline::ChipChoice chip;
  pipeline::CrossPipe cross_pipe = pipeline::CrossPipe::cable;
  std::uint32_t server_pipes = 1;
  std::uint32_t max_recirculations = 4096;
  sim::Bytes queue{1 << 20};
  pipeline::ControlSpec control;
  pipeline::PassMode mode = pipeline::PassMode::pass;
  pipeline::ControlTiming control_timing = pipeline::ControlTiming::like_a_packet;
};

void describe(sim::config::Visitor& v, SwitchSettings& c);
void validate(const SwitchSettings& c, sim::config::Issues& issues);

}  // namespace recirc::model
