#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/control_port.h"
#include "pipeline/switch.h"
#include "sim/scheduler.h"

namespace recirc::pipeline::testing {

/// A frame that left the switch by a front port.
struct Sent {
  PortId port;
  sim::Time last_bit;
  Packet packet;

  template <class T>
  [[nodiscard]] T header() const {
    return packet.header_as<T>();
  }
};

struct Dropped {
  sim::Time at;
  Packet packet;
  DropReason reason;
};

struct Reported {
  sim::Time at;
  PipeId pipe;
  Digest digest;
};

/// One switch with one program, in the words of tests: send a packet on a port, let it go its way,
/// look at what left, what was dropped and what the registers hold.
class ProgramUnderTest final : public SwitchSink {
 public:
  /// Two front ports on each of two pipes, a loop port on each and a cable between them.
  struct Ports {
    PortId front[2][2];
    PortId loop[2];
    PortId cable[2];
  };

  static SwitchSpec two_pipes(Ports& ports) {
    SwitchSpec spec;
    spec.chip.pipes = 2;
    for (std::uint8_t pipe = 0; pipe < 2; ++pipe) {
      for (auto& port : ports.front[pipe]) port = spec.add_port(port_of(PortKind::front, pipe));
      ports.loop[pipe] = spec.add_port(port_of(PortKind::loop, pipe));
      ports.cable[pipe] = spec.add_port(port_of(PortKind::cable, pipe));
    }
    return spec;
  }

  ProgramUnderTest(const Program& program, SwitchSpec spec, const ControlSpec& control_spec = {})
      : ProgramUnderTest(std::vector<const Program*>{&program}, std::move(spec), control_spec) {}
  ProgramUnderTest(std::vector<const Program*> programs, SwitchSpec spec,
                   const ControlSpec& control_spec = {})
      : rmt(scheduler, std::move(spec), std::move(programs), *this),
        control(scheduler, rmt, control_spec) {}

  /// Its last bit arrives at `at`, by default now.
  template <class Header>
  std::uint64_t send(PortId port, const Header& header, sim::Bytes length = sim::Bytes{100},
                     std::optional<sim::Time> at = std::nullopt,
                     ProtocolTag protocol = ProtocolTag{0}) {
    const PacketHandle handle = rmt.make_packet(protocol, length, Payload{next_payload_++});
    Packet& packet = rmt.packet(handle);
    std::memcpy(packet.header.data(), &header, sizeof header);
    const std::uint64_t id = packet.id;
    rmt.receive(port, handle, at.value_or(scheduler.now()));
    return id;
  }
  void run() { scheduler.run(); }

  [[nodiscard]] Words register_of(PipeId pipe, ArrayId array, std::uint32_t index,
                                  ProtocolTag program = ProtocolTag{0}) {
    return rmt.array(pipe, program, array).load(index);
  }
  void set_register(PipeId pipe, ArrayId array, std::uint32_t index, Words value,
                    ProtocolTag program = ProtocolTag{0}) {
    rmt.array(pipe, program, array).store(index, value);
  }

  void transmitted(PortId port, PacketHandle handle, sim::Time last_bit) override {
    sent.push_back({port, last_bit, rmt.packet(handle)});
    rmt.release(handle);
  }
  void dropped(const Packet& packet, DropReason reason) override {
    drops.push_back({scheduler.now(), packet, reason});
  }
  void shared(Payload payload, std::uint32_t more_holders) override {
    extra_holders[payload.value()] += more_holders;
  }
  void digested(PipeId pipe, ProtocolTag /*program*/, const Digest& digest) override {
    digests.push_back({scheduler.now(), pipe, digest});
  }

  sim::Scheduler scheduler;
  Switch rmt;
  ControlPort control;
  std::vector<Sent> sent;
  std::vector<Dropped> drops;
  std::vector<Reported> digests;
  std::map<std::uint32_t, std::uint32_t> extra_holders;

 private:
  static PortSpec port_of(PortKind kind, std::uint8_t pipe) {
    PortSpec port;
    port.kind = kind;
    port.pipe = PipeId{pipe};
    if (kind == PortKind::cable) port.peer = PipeId{static_cast<std::uint8_t>(1 - pipe)};
    return port;
  }

  std::uint32_t next_payload_ = 0;
};

}  // namespace recirc::pipeline::testing
