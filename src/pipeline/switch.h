#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/ids.h"
#include "pipeline/packet.h"
#include "pipeline/pass_context.h"
#include "pipeline/program.h"
#include "pipeline/switch_spec.h"
#include "pipeline/traffic_manager.h"
#include "pipeline/wait_line.h"
#include "sim/scheduler.h"
#include "sim/slab.h"

namespace recirc::pipeline {

enum class DropReason : std::uint8_t { program, queue_full, recirculation_limit };
inline constexpr std::size_t drop_reasons = 3;

/// Hears what leaves a switch. Only transmitted() and digested() may make and send packets.
class SwitchSink {
 public:
  virtual ~SwitchSink() = default;

  /// A frame leaves by a front port; its last bit does so at `last_bit`, not earlier than now. The
  /// sink owns the packet from here on and gives it back with Switch::release.
  virtual void transmitted(PortId port, PacketHandle packet, sim::Time last_bit) = 0;
  /// A packet that holds a payload ends here, now. Its record is released after the call.
  virtual void dropped(const Packet& packet, DropReason reason) = 0;
  /// Multicast copies and mirrors with PayloadRule::share hold the payload too.
  virtual void shared(Payload /*payload*/, std::uint32_t /*more_holders*/) {}
  virtual void digested(PipeId /*pipe*/, ProtocolTag /*program*/, const Digest& /*digest*/) {}
};

struct SwitchCounters {
  std::uint64_t ingress_passes = 0;
  std::uint64_t egress_passes = 0;
  std::uint64_t recirculated_frames = 0;  ///< frames on loop ports
  std::uint64_t cable_frames = 0;
  std::uint64_t native_crossings = 0;
  std::uint64_t mirrored_frames = 0;
  std::uint64_t multicast_copies = 0;
  std::uint64_t digests = 0;
  std::array<std::uint64_t, drop_reasons> drops{};  ///< by DropReason
};

/// An RMT switch: parser, ingress, traffic manager, egress, deparser, for each pipe.
///
/// A full pass is two events. The event of a gress fires when the packet leaves it, and runs all
/// its stages then; since every packet is in a gress for the same time, their order is that of the
/// hardware. The traffic manager works at the ingress event; the egress event follows from the
/// departure. See PassMode for the mode that gives every stage an event.
class Switch final : public sim::Component {
 public:
  /// Throws ConstraintViolation when the programs' layouts do not fit the chip together. Programs
  /// are chosen by ProtocolTag, their index here, and must outlive the switch.
  Switch(sim::Scheduler& scheduler, SwitchSpec spec, std::vector<const Program*> programs,
         SwitchSink& sink);

  /// A packet of the caller's; it writes the wire header and hands it to receive().
  PacketHandle make_packet(ProtocolTag protocol, sim::Bytes length, Payload payload);
  /// References are invalid after the next make_packet() and the next event.
  [[nodiscard]] Packet& packet(PacketHandle handle) { return packets_[handle.value()]; }
  void release(PacketHandle handle) { packets_.give_back(handle.value()); }
  [[nodiscard]] std::size_t packets_in_use() const { return packets_.in_use(); }
  /// Packets that come in from now on have this number or a higher one.
  [[nodiscard]] std::uint64_t packets_made() const { return next_id_; }

  /// The last bit of the packet arrives at a front port at `arrival`, which may lie ahead: there
  /// is no event for an arrival.
  void receive(PortId port, PacketHandle handle, sim::Time arrival);

  void handle(const sim::Event& event) override;
  void inspect(sim::Inspector& inspector) const override;

  // The control plane's hands. ControlPort gives them their time; set-up code uses them directly.
  [[nodiscard]] MatchTable& table(ProtocolTag program, TableId table);
  [[nodiscard]] ArrayState& array(PipeId pipe, ProtocolTag program, ArrayId array);
  /// All tables are empty and all registers zero, as after a power cycle. Packets stay: whoever
  /// sends and receives them knows which are from before.
  void lose_state();
  /// False for a pipe that no port is in and no cable leads to: it has no arrays.
  [[nodiscard]] bool uses(PipeId pipe) const;

  [[nodiscard]] const SwitchSpec& spec() const { return spec_; }
  [[nodiscard]] const ChipTiming& timing() const { return timing_; }
  /// Passes of waiting packets are counted some microseconds late (PassContext::wait_for).
  [[nodiscard]] const SwitchCounters& counters() const { return counters_; }
  [[nodiscard]] const PortQueue& port(PortId port) const { return ports_[port.value()]; }
  [[nodiscard]] std::span<const Program* const> programs() const { return programs_; }
  [[nodiscard]] PipeId pipe_of(PortId port) const { return ports_[port.value()].spec().pipe; }

  /// Shows every pass to `observer`, or to nobody (null). Changes no result.
  void observe(PassObserver* observer);

 private:
  enum class Kind : std::uint16_t {
    leave_ingress,  ///< pass mode: run all stages, then the traffic manager
    leave_egress,
    enter_ingress,  ///< stage mode
    enter_egress,
    ingress_stage,
    egress_stage,
    finish_ingress,
    finish_egress,
    catch_up,  ///< book the passes of waiting packets
    wake,      ///< a waiting packet runs its pass
  };
  /// In Event::aux: the packet waited for its slot of the pipe and now has it.
  static constexpr std::uint16_t slot_granted = 1;

  struct Pipe {
    std::vector<RegisterBlock> registers;       ///< by program
    std::vector<PassEnvironment> environments;  ///< by program
    std::vector<PortId> cable_to;               ///< by pipe; none where there is no cable
    std::array<sim::Time, 2> next_slot{};       ///< by gress: one packet a clock
    bool used = false;                          ///< a port is in it, or a cable leads to it
  };

  void check_spec() const;
  void check_ports() const;
  void build_pipe(PipeId id);
  void inspect_arrays(sim::Inspector& inspector, std::size_t pipe, std::size_t program) const;

  // Passes (switch_passes.cpp). leave() is one function with all that every pass goes through; what
  // few passes come to stays out of it, so that it fits into the instruction cache.
  void enter(Gress gress, PacketHandle packet, sim::Time entry);
  bool claim_slot(Gress gress, Packet& packet, const sim::Event& event);
  [[gnu::noinline]] void wait_for_slot(Packet& packet, const sim::Event& event, sim::Time slot);
  void begin_pass(Packet& packet, Gress gress, const PassEnvironment& environment);
  [[nodiscard]] PassEnvironment& environment_of(const Packet& packet) {
    return pipes_[packet.pipe.value()].environments[packet.protocol.value()];
  }
  [[gnu::flatten]] void leave(Gress gress, const sim::Event& event);
  void start_stages(Gress gress, const sim::Event& event);
  void run_stage(Gress gress, const sim::Event& event);
  void finish(Gress gress, PacketHandle handle);
  void finish_ingress(PacketHandle handle);
  [[gnu::noinline]] void finish_side(PacketHandle handle);
  void finish_egress(PacketHandle handle);
  void deliver_digest(const Packet& packet);

  // What happens between passes (traffic_manager.cpp).
  void follow_verdict(PacketHandle handle);
  void queue_for(PacketHandle handle, PortId port);
  [[gnu::noinline]] void cross(PacketHandle handle, PipeId pipe);
  [[gnu::noinline]] void hand_over(PacketHandle handle, PipeId pipe);
  [[gnu::noinline]] void multicast(PacketHandle handle, GroupId group);
  void leave_by_port(PacketHandle handle);
  void return_from_loop(PacketHandle handle, Packet& packet, sim::Time arrival);
  // Waiting packets (switch_waits.cpp).
  [[nodiscard]] bool may_wait(sim::Time leaves_ingress, std::uint32_t recirculations) const;
  [[gnu::noinline]] void wait_in_line(PacketHandle handle, const Packet& packet,
                                      sim::Time leaves_ingress);
  void keep_line_moving();
  [[gnu::noinline]] void catch_up(sim::Time now, std::uint64_t order);
  [[gnu::always_inline]] void book_pass(sim::Time at, sim::Time now);
  PacketHandle leave_line();
  void control_plane_comes();

  [[gnu::noinline]] void mirror_from_ingress(PacketHandle handle);
  [[gnu::noinline]] bool mirror_from_egress(PacketHandle handle);
  void send_copy(PacketHandle handle, const PassState& wish, Origin origin);
  [[gnu::noinline]] void end(PacketHandle handle, DropReason reason);
  PacketHandle copy(PacketHandle handle, std::uint32_t number);
  [[nodiscard]] std::uint64_t id_of_copy(const Packet& packet, std::uint32_t number) const;
  [[noreturn]] void refuse(const Packet& packet, const char* what) const;

  sim::Scheduler& scheduler_;
  SwitchSpec spec_;
  ChipTiming timing_;
  std::vector<const Program*> programs_;
  SwitchSink& sink_;
  sim::Slab<Packet> packets_;
  sim::Slab<PassSide> sides_;
  std::vector<PortQueue> ports_;
  std::vector<std::vector<TableState>> tables_;  ///< by program; all pipes alike
  std::vector<Pipe> pipes_;
  std::vector<sim::Duration> stage_times_;  ///< from the entry into a gress, and its end
  WaitLine waits_;
  bool catch_up_is_due_ = false;
  PassObserver* observer_ = nullptr;
  std::uint32_t max_passes_ = 0;
  std::uint64_t next_id_ = 0;
  std::uint64_t passes_begun_ = 0;
  SwitchCounters counters_;
};

}  // namespace recirc::pipeline
