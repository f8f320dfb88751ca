#include "pipeline/switch.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/diagnostics.h"
#include "sim/error.h"
#include "sim/inspector.h"

namespace recirc::pipeline {

Switch::Switch(sim::Scheduler& scheduler, SwitchSpec spec, std::vector<const Program*> programs,
               SwitchSink& sink)
    : scheduler_(scheduler),
      spec_(std::move(spec)),
      timing_(spec_.chip),
      programs_(std::move(programs)),
      sink_(sink),
      waits_(scheduler, *this, static_cast<std::uint16_t>(Kind::wake)),
      max_passes_(2 * spec_.max_recirculations + 2) {
  check_spec();
  check_ports();
  require_fit(spec_.chip, programs_);
  for (const PortSpec& port : spec_.ports) ports_.emplace_back(port, spec_.chip.frame_overhead);
  for (std::int64_t stage = 0; stage < spec_.chip.stages; ++stage) {
    stage_times_.push_back(timing_.until_stage(stage));
  }
  stage_times_.push_back(timing_.gress());
  for (const Program* program : programs_) {
    std::vector<TableState>& tables = tables_.emplace_back();
    for (const TableSpec& table : program->layout().tables) tables.emplace_back(table);
  }
  for (std::int64_t pipe = 0; pipe < spec_.chip.pipes; ++pipe) {
    build_pipe(PipeId{static_cast<std::uint8_t>(pipe)});
  }
}

void Switch::check_spec() const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw sim::InvariantBroken(what);
  };
  const auto port_exists = [&](PortId port) { return port.value() < spec_.ports.size(); };
  for (const PortSpec& port : spec_.ports) {
    require(port.pipe.value() < spec_.chip.pipes, "a port lies in a pipe that the chip lacks");
    require(port.rate.count() > 0, "a port has no rate");
    require(port.kind != PortKind::cable || port.peer.value() < spec_.chip.pipes,
            "a cable leads to a pipe that the chip lacks");
  }
  for (const PortId port : spec_.sessions) {
    require(port_exists(port), "a mirror session names a port that is not set up");
  }
  for (const auto& group : spec_.groups) {
    require(!group.empty(), "a multicast group has no member");
    for (const PortId port : group) {
      require(port_exists(port), "a multicast group names a port that is not set up");
    }
  }
}

/// What a user may have written: more or faster ports than the chip has.
void Switch::check_ports() const {
  const ChipSpec& chip = spec_.chip;
  std::vector<std::int64_t> loops(static_cast<std::size_t>(chip.pipes));
  for (const PortSpec& port : spec_.ports) {
    const bool front = port.kind == PortKind::front;
    if (port.rate > (front ? chip.port_rate : chip.recirculation_rate)) {
      throw sim::ConfigError(
          "", fmt::format("a {} port of {} bits per second is faster than those "
                          "of {}",
                          front ? "front" : "loop or cable", port.rate.count(), chip.name));
    }
    if (port.kind == PortKind::loop && ++loops[port.pipe.value()] > chip.recirculation_ports) {
      throw sim::ConfigError("", fmt::format("{} has {} recirculation ports a pipe, which are too "
                                             "few",
                                             chip.name, chip.recirculation_ports));
    }
  }
}

void Switch::build_pipe(PipeId id) {
  Pipe& pipe = pipes_.emplace_back();
  pipe.cable_to.resize(static_cast<std::size_t>(spec_.chip.pipes));
  PortId loop;
  for (std::size_t i = 0; i < spec_.ports.size(); ++i) {
    const PortSpec& port = spec_.ports[i];
    pipe.used = pipe.used || port.pipe == id || port.peer == id;
    if (port.pipe != id) continue;
    const PortId port_id{static_cast<std::uint16_t>(i)};
    if (port.kind == PortKind::loop && loop.is_none()) loop = port_id;
    if (port.kind == PortKind::cable) pipe.cable_to[port.peer.value()] = port_id;
  }
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    const Layout& layout = programs_[i]->layout();
    // A pipe that nothing leads to takes no memory for register arrays.
    RegisterBlock& block = pipe.registers.emplace_back(pipe.used ? layout : Layout{});
    PassEnvironment& environment = pipe.environments.emplace_back();
    environment.layout = &layout;
    environment.arrays = block.arrays();
    environment.tables = tables_[i].data();
    environment.array_count = static_cast<std::uint16_t>(block.size());
    environment.table_count = static_cast<std::uint16_t>(tables_[i].size());
    environment.port_count = static_cast<std::uint16_t>(spec_.ports.size());
    environment.group_count = static_cast<std::uint16_t>(spec_.groups.size());
    environment.session_count = static_cast<std::uint16_t>(spec_.sessions.size());
    environment.pipe = id;
    environment.loop_port = loop;
    environment.seed = spec_.seed;
    environment.sides = &sides_;
    environment.waits = &waits_;
    environment.ingress_mirror = layout.ingress_mirror;
  }
}

PacketHandle Switch::make_packet(ProtocolTag protocol, sim::Bytes length, Payload payload) {
  if (protocol.value() >= programs_.size()) {
    throw sim::InvariantBroken("a packet of a protocol that no program of the switch speaks");
  }
  const PacketHandle handle{packets_.take()};
  Packet& packet = packets_[handle.value()];
  packet = Packet{};
  packet.id = packet.original = next_id_++;
  packet.payload = payload;
  packet.protocol = protocol;
  packet.length = length;
  return handle;
}

void Switch::receive(PortId port, PacketHandle handle, sim::Time arrival) {
  if (!waits_.empty()) catch_up(scheduler_.now(), 0);
  Packet& packet = packets_[handle.value()];
  packet.ingress_port = port;
  packet.pipe = pipe_of(port);
  enter(Gress::ingress, handle, arrival);
}

MatchTable& Switch::table(ProtocolTag program, TableId table_id) {
  control_plane_comes();
  return tables_.at(program.value()).at(table_id.value()).table;
}

ArrayState& Switch::array(PipeId pipe, ProtocolTag program, ArrayId array_id) {
  control_plane_comes();
  RegisterBlock& block = pipes_.at(pipe.value()).registers.at(program.value());
  if (array_id.value() >= block.size()) {
    throw sim::InvariantBroken("no such register array in a pipe that is in use");
  }
  return block[array_id];
}

bool Switch::uses(PipeId pipe) const { return pipes_[pipe.value()].used; }

void Switch::lose_state() {
  control_plane_comes();
  for (auto& of_program : tables_) {
    for (TableState& state : of_program) state.table.clear();
  }
  for (Pipe& pipe : pipes_) {
    for (RegisterBlock& block : pipe.registers) block.clear();
  }
}

void Switch::observe(PassObserver* observer) {
  control_plane_comes();
  observer_ = observer;
  for (Pipe& pipe : pipes_) {
    for (PassEnvironment& environment : pipe.environments) environment.observer = observer;
  }
}

void Switch::inspect(sim::Inspector& inspector) const {
  const auto count = [&](std::string_view name, std::uint64_t value) {
    inspector.value(name, static_cast<std::int64_t>(value));
  };
  inspector.begin("switch");
  count("packets_in_use", packets_.in_use());
  count("ingress_passes", counters_.ingress_passes);
  count("egress_passes", counters_.egress_passes);
  count("recirculated_frames", counters_.recirculated_frames);
  count("cable_frames", counters_.cable_frames);
  count("native_crossings", counters_.native_crossings);
  count("mirrored_frames", counters_.mirrored_frames);
  count("multicast_copies", counters_.multicast_copies);
  count("digests", counters_.digests);
  count("dropped_by_program", counters_.drops[0]);
  count("dropped_queue_full", counters_.drops[1]);
  count("dropped_recirculation_limit", counters_.drops[2]);
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const PortQueue& port = ports_[i];
    inspector.begin("port_" + std::to_string(i));
    count("pipe", port.spec().pipe.value());
    count("frames", port.counters().frames);
    count("bytes", port.counters().bytes);
    count("drops", port.counters().drops);
    count("queue_peak_bytes", static_cast<std::uint64_t>(port.peak().count()));
    inspector.end();
  }
  for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe) {
    if (!pipes_[pipe].used) continue;
    inspector.begin("pipe_" + std::to_string(pipe));
    for (std::size_t i = 0; i < programs_.size(); ++i) inspect_arrays(inspector, pipe, i);
    inspector.end();
  }
  inspector.end();
}

/// Every array that holds anything: how many entries do, and their sum.
void Switch::inspect_arrays(sim::Inspector& inspector, std::size_t pipe,
                            std::size_t program) const {
  const Layout& layout = programs_[program]->layout();
  for (std::size_t i = 0; i < layout.arrays.size(); ++i) {
    const ArrayId id{static_cast<std::uint16_t>(i)};
    const ArrayState& array = pipes_[pipe].registers[program][id];
    std::int64_t held = 0;
    std::int64_t sum = 0;
    for (std::uint32_t entry = 0; entry < array.entries; ++entry) {
      const Words words = array.load(entry);
      held += words == Words{} ? 0 : 1;
      sum += words.low;
    }
    if (held == 0) continue;
    inspector.begin(layout.program + "." + layout.arrays[i].name);
    inspector.value("entries_not_zero", held);
    inspector.value("sum_of_low_words", sum);
    inspector.end();
  }
}

}  // namespace recirc::pipeline
