#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "pipeline/ids.h"
#include "pipeline/match_table.h"
#include "pipeline/packet.h"
#include "pipeline/register_array.h"
#include "pipeline/wait_line.h"
#include "sim/rng.h"
#include "sim/slab.h"

namespace recirc::pipeline {

/// At most 47 bytes to the control plane, one an ingress pass (TNA).
struct Digest {
  static constexpr std::size_t max_bytes = 47;
  std::array<std::byte, max_bytes> data{};
  std::uint8_t bytes = 0;
};

/// The parts of a pass that few passes have.
struct PassSide {
  Digest digest;
  std::array<std::byte, Packet::header_bytes> as_received{};
  sim::Bytes length_as_received;
};

enum class Visit : std::uint8_t { lookup, execute, verdict, mirror, digest };

/// What a pass did at one point, for traces: a table matched, an array read and written, a verdict.
struct PassEvent {
  Visit visit{};
  Gress gress{};
  unsigned stage = 0;
  std::uint16_t index_of_object = 0;  ///< TableId or ArrayId
  std::uint32_t entry = 0;            ///< of the array
  ActionId action;
  MatchKey key;
  bool hit = false;
  std::uint64_t result = 0;  ///< of the table, or the action's output
  Words before;
  Words after;
  Verdict verdict = Verdict::none;  ///< of ingress; in egress drop or none
  std::uint16_t target = 0;         ///< port, pipe, group or session
};

class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void entered(const Packet& packet, const Layout& layout, Gress gress, sim::Time at) = 0;
  virtual void visited(const Packet& packet, const Layout& layout, const PassEvent& event) = 0;
};

/// What is the same for all passes of one program in one pipe.
struct PassEnvironment {
  const Layout* layout = nullptr;
  ArrayState* arrays = nullptr;
  TableState* tables = nullptr;
  std::uint16_t array_count = 0;
  std::uint16_t table_count = 0;
  std::uint16_t port_count = 0;
  std::uint16_t group_count = 0;
  std::uint16_t session_count = 0;
  PipeId pipe;
  PortId loop_port;  ///< the first loop port of the pipe, if any
  std::uint64_t seed = 0;
  sim::Slab<PassSide>* sides = nullptr;
  WaitLine* waits = nullptr;
  PassObserver* observer = nullptr;
  bool ingress_mirror = false;  ///< the layout's
};

struct MirrorOptions {
  std::uint16_t truncate_to = 0;  ///< bytes of the frame, 0 for all of it
  PayloadRule payload = PayloadRule::keep;
};

template <class Derived>
class StepProgram;

/// Everything a program may do with one packet in one gress. It refuses, in every build, what the
/// chip would not compile or could not do: a register array or a table used twice in a pass or
/// from another gress or stage than its own, more than one verdict, a port chosen in egress.
class PassContext {
 public:
  PassContext(const PassEnvironment& environment, Packet& packet, Gress gress)
      : env_(environment),
        packet_(packet),
        stamp_(packet.pass.stamp),
        position_(position_of(gress, 0)) {}
  /// Stage mode: the packet is in this stage and in no other one.
  PassContext(const PassEnvironment& environment, Packet& packet, Gress gress, unsigned stage)
      : env_(environment),
        packet_(packet),
        stamp_(packet.pass.stamp),
        position_(position_of(gress, stage)),
        last_(position_) {}

  // The packet.
  template <class T>
  [[nodiscard]] T& header() {
    return packet_.header_as<T>();
  }
  template <class T>
  [[nodiscard]] T& metadata() {
    return packet_.metadata_as<T>();
  }
  [[nodiscard]] const Packet& packet() const { return packet_; }
  [[nodiscard]] PipeId pipe() const { return env_.pipe; }
  /// The first loop port of this pipe; none when it has none.
  [[nodiscard]] PortId loop_port() const { return env_.loop_port; }
  /// In egress: the ingress verdict that brought the packet here. Copies have their original's.
  [[nodiscard]] Verdict route() const { return packet_.route; }
  [[nodiscard]] Gress gress() const { return position_ < 0x100U ? Gress::ingress : Gress::egress; }
  [[nodiscard]] unsigned stage() const { return position_ & 0xffU; }
  /// A copy made by a mirror passes egress as any packet; programs usually leave it alone.
  [[nodiscard]] bool is_mirrored() const { return packet_.origin != Origin::port; }
  /// After pushing or popping headers.
  void set_length(sim::Bytes length) { packet_.length = length; }

  // Stages. StepProgram calls this before each step; refuses to go back.
  void enter_stage(unsigned stage) {
    const auto next = static_cast<std::uint16_t>((position_ & 0x100U) | stage);
    if (next < position_) [[unlikely]]
      refuse("goes back to an earlier stage");
    if (next > last_) [[unlikely]]
      refuse("goes to a stage where the packet is not yet");
    position_ = next;
  }
  /// No later step of this gress runs.
  void finish() { packet_.pass.finished = true; }
  [[nodiscard]] bool finished() const { return packet_.pass.finished; }

  // Tables and registers.
  [[nodiscard]] Match lookup(TableId id, MatchKey key) {
    if (id.value() >= env_.table_count) [[unlikely]]
      refuse("applies a table it did not declare");
    TableState& table = env_.tables[id.value()];
    if (table.position != position_ || table.last_pass == stamp_) [[unlikely]] {
      refuse_table(id);
    }
    table.last_pass = stamp_;
    const Match match = table.table.lookup(key);
    if (env_.observer != nullptr) [[unlikely]]
      observe_lookup(id, key, match);
    return match;
  }

  /// Runs a declared action on one entry and returns its output.
  std::uint32_t execute(ArrayId id, ActionId action, std::uint32_t index, std::uint32_t a = 0,
                        std::uint32_t b = 0) {
    if (id.value() >= env_.array_count) [[unlikely]]
      refuse("uses an array it did not declare");
    ArrayState& array = env_.arrays[id.value()];
    if (array.position != position_ || array.last_pass == stamp_ || index >= array.entries ||
        action.value() >= array.action_count) [[unlikely]] {
      refuse_array(id, action, index);
    }
    array.last_pass = stamp_;
    if (env_.observer != nullptr) [[unlikely]]
      return observe_execute(id, action, index, a, b);
    const std::uint32_t output = array.execute(action, index, a, b);
    if (array.watchers != 0) [[unlikely]]
      env_.waits->touched(array, index);
    return output;
  }

  // Ingress verdicts: exactly one a pass.
  void forward(PortId port) { decide(Verdict::forward, port.value(), env_.port_count); }
  /// To a loop port, and from there into the ingress of its pipe; or to a cable port of any pipe,
  /// and by way of that pipe's egress into the ingress at the other end.
  void recirculate(PortId loop, bool bypass_egress = false) {
    decide(Verdict::recirculate, loop.value(), env_.port_count);
    packet_.pass.bypass_egress = bypass_egress;
  }
  /// Round with the egress bypassed until `action`, which changes nothing, gives another output on
  /// this entry than now. All that this pass has seen but the entry is the header, which it left as
  /// it was, and tables: so would every repetition come out, and the switch may book the passes
  /// (slots, port, counters, times) without running them.
  void wait_for(PortId loop, ArrayId id, ActionId action, std::uint32_t index);
  /// Into the ingress of another pipe, the way the switch is set up for (CrossPipe).
  void cross_to(PipeId pipe) { decide(Verdict::cable, pipe.value(), 0xff); }
  void multicast(GroupId group) { decide(Verdict::multicast, group.value(), env_.group_count); }
  /// In ingress the verdict; in egress the packet goes no further.
  void drop() { decide_drop(); }

  /// A copy to the session's port, one a gress. In ingress it is of the packet as received (the
  /// layout must say ingress_mirror), in egress of the packet as this gress leaves it.
  void mirror(SessionId session, MirrorOptions options = {});
  /// Ingress only, once a pass, at most 47 bytes.
  void digest(std::span<const std::byte> bytes);

  /// Random bits as a pure function of (seed, packet, pass, site).
  [[nodiscard]] std::uint64_t random(std::uint32_t site) const {
    const std::uint64_t where =
        (std::uint64_t{packet_.passes} << 33U) | (std::uint64_t{position_ >= 0x100U} << 32U) | site;
    return sim::mix64(sim::mix64(env_.seed ^ sim::mix64(packet_.id + sim::golden_gamma)) + where);
  }

  /// Throws ConstraintViolation at the place where the pass is.
  [[noreturn]] void refuse(const char* what) const;

 private:
  template <class Derived>
  friend class StepProgram;
  /// For StepProgram alone, whose steps are known to be in order when it is compiled.
  template <Gress gress, unsigned stage>
  void enter() {
    position_ = position_of(gress, stage);
  }

  void decide(Verdict verdict, std::uint16_t target, std::uint16_t bound) {
    PassState& pass = packet_.pass;
    if (position_ >= 0x100U || pass.verdict != Verdict::none || target >= bound) [[unlikely]] {
      refuse_verdict(target >= bound);
    }
    pass.verdict = verdict;
    pass.target = target;
    if (env_.observer != nullptr) [[unlikely]]
      observe_verdict();
  }
  void decide_drop() {
    PassState& pass = packet_.pass;
    if (pass.verdict != Verdict::none) [[unlikely]]
      refuse_verdict(false);
    pass.verdict = Verdict::drop;
    if (env_.observer != nullptr) [[unlikely]]
      observe_verdict();
  }
  [[noreturn]] void refuse_table(TableId id) const;
  [[noreturn]] void refuse_array(ArrayId id, ActionId action, std::uint32_t index) const;
  [[noreturn]] void refuse_verdict(bool out_of_range) const;
  [[noreturn]] void refuse_at(const std::string& array, const std::string& what) const;
  [[nodiscard]] PassEvent here(Visit visit) const;
  void observe_lookup(TableId id, MatchKey key, const Match& match) const;
  std::uint32_t observe_execute(ArrayId id, ActionId action, std::uint32_t index, std::uint32_t a,
                                std::uint32_t b);
  void observe_verdict() const;
  PassSide& side();

  const PassEnvironment& env_;
  Packet& packet_;
  std::uint64_t stamp_;
  std::uint16_t position_;
  std::uint16_t last_ = 0xffff;  ///< no later position is open to the packet now
};

}  // namespace recirc::pipeline
