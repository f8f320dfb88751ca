#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/callosal/config.h"
#include "model/callosal/network.h"
#include "model/fabric.h"
#include "model/faults/link_faults.h"
#include "pipeline/programs/directory/wire.h"
#include "sim/component.h"
#include "sim/rng.h"
#include "sim/scheduler.h"
#include "sim/slab.h"

namespace recirc::model::callosal {

/// What links do to messages, between machines and the switch.
///
/// Messages of one queue pair arrive in their order. A node's requests have one for each thread,
/// with one request outstanding, and so have the answers: they are free of one another. What its
/// handler and its evicting thread send shares one, as pages must be at memory before anybody is
/// told that they are; so do invalidations for it, and, each way, all messages of a memory blade.
class Transport final : public sim::Component {
 public:
  class Receiver {
   public:
    virtual ~Receiver() = default;
    virtual void arrived(const Message& message) = 0;
    /// The node that was to send or to get it has crashed.
    virtual void died_with(const Message& message, faults::Direction direction) = 0;
  };

  /// The first `nodes` endpoints are nodes.
  Transport(sim::Scheduler& scheduler, const CallosalSettings& settings, std::uint32_t nodes,
            sim::CounterRng draws, Fabric& fabric, Receiver& receiver);

  void send(const Message& message) {
    if (!active_) return fabric_.send(message);
    pass_on(message, faults::Direction::to_switch);
  }
  void receive(const Message& message) {
    if (!active_) return receiver_.arrived(message);
    pass_on(message, faults::Direction::from_switch);
  }

  /// When all is there that a node has sent to the switch in order by now, or is to get from it.
  [[nodiscard]] sim::Time drained(pages::NodeId node, faults::Direction direction) const {
    return std::max(scheduler_.now(), last_[place(node.value(), direction)]);
  }
  /// The same of what is on its way to memory.
  [[nodiscard]] sim::Time memory_drained() const;

  /// What is on its way between the node and the switch is lost, and so is what comes until it is
  /// up again.
  void set_down(pages::NodeId node, bool down);

  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] const faults::LinkFaults& faults() const { return faults_; }

  void handle(const sim::Event& event) override;

 private:
  using Kind = pipeline::programs::directory::Kind;
  enum class EventKind : std::uint16_t { leaves, arrives };

  static std::size_t place(std::size_t machine, faults::Direction direction) {
    return 2 * machine + (direction == faults::Direction::to_switch ? 0 : 1);
  }
  void pass_on(const Message& message, faults::Direction direction);
  [[nodiscard]] sim::Duration time_lost(faults::LinkKind link, faults::Direction direction);
  [[nodiscard]] static bool ordered(Kind kind, faults::LinkKind link);

  sim::Scheduler& scheduler_;
  const CallosalSettings& settings_;
  std::uint32_t nodes_;
  bool active_;
  faults::FaultSettings links_;
  faults::LinkFaults faults_;
  Fabric& fabric_;
  Receiver& receiver_;
  std::uint64_t messages_ = 0;
  std::vector<sim::Time> last_;  ///< of the ordered queue pairs: two for each endpoint
  struct OnTheWay {
    Message message;
    std::uint32_t machine = 0;
    bool leaves = false;
    bool is_lost = true;
  };
  sim::Slab<OnTheWay> on_the_way_;
  std::vector<char> down_;
  std::uint32_t slots_ = 0;  ///< that were ever used
};

}  // namespace recirc::model::callosal
