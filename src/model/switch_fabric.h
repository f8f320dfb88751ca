#pragma once

#include <vector>

#include "model/cluster_config.h"
#include "model/fabric.h"
#include "model/faults/link_faults.h"
#include "model/link.h"
#include "model/topology.h"
#include "pipeline/switch.h"
#include "sim/flat_map.h"
#include "sim/scheduler.h"

namespace recirc::model {

/// Machines with one link each to one RMT switch. A message spends the host delay in its sender,
/// waits for the sender's link, goes through the switch as its programs decide, and spends the
/// host delay again in its receiver.
class SwitchFabric final : public sim::Component, public Fabric, public pipeline::SwitchSink {
 public:
  SwitchFabric(sim::Scheduler& scheduler, const NetworkSettings& network, const Topology& topology);

  // Set up once, before the run: the switch needs a sink and the fabric a switch.
  void connect(pipeline::Switch& rmt_switch) { switch_ = &rmt_switch; }
  void connect(EndpointId id, Endpoint& endpoint) { endpoints_[id.value()] = &endpoint; }
  void keep_payloads_with(PayloadKeeper& keeper) { payloads_ = &keeper; }
  /// Neither sends nor receives: messages to and from it are lost.
  void set_down(EndpointId endpoint, bool down) {
    down_.resize(endpoints_.size(), 0);
    down_[endpoint.value()] = down ? 1 : 0;
  }
  /// The switch is off: whatever is in it, and comes to it until it is on again, is lost.
  void switch_goes_down();
  void switch_comes_up();
  void inject(faults::LinkFaults& link_faults) { faults_ = &link_faults; }

  void send(const Message& message) override;
  RequestHandle copy_payload(RequestHandle payload) override {
    return payloads_->duplicated(payload);
  }
  void transmitted(pipeline::PortId port, pipeline::PacketHandle packet,
                   sim::Time last_bit) override;
  void dropped(const pipeline::Packet& packet, pipeline::DropReason reason) override;
  void shared(pipeline::Payload payload, std::uint32_t more_holders) override;
  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { deliver };

  /// Where packets share a payload: is there another holder? From now on there is one less.
  bool had_other_holders(RequestHandle payload);

  // Faults (switch_fabric_faults.cpp).
  [[nodiscard]] faults::Fate fate_of(EndpointId endpoint, faults::Direction direction,
                                     const pipeline::Packet& packet);
  void enter_with_faults(pipeline::PortId port, pipeline::PacketHandle packet, sim::Time arrival);
  void deliver_with_faults(pipeline::PacketHandle packet, sim::Time arrival);
  pipeline::PacketHandle duplicate(pipeline::PacketHandle packet);
  void discard(pipeline::PacketHandle packet);
  [[nodiscard]] bool is_down(EndpointId endpoint) const {
    return !down_.empty() && down_[endpoint.value()] != 0;
  }

  sim::Scheduler& scheduler_;
  const NetworkSettings& network_;
  const Topology& topology_;
  pipeline::Switch* switch_ = nullptr;
  PayloadKeeper* payloads_ = nullptr;
  faults::LinkFaults* faults_ = nullptr;
  std::vector<char> down_;  ///< by endpoint; empty where nothing ever crashes
  bool switch_is_down_ = false;
  std::uint64_t first_alive_ = 0;  ///< packets with lower numbers were in a switch that went down
  std::vector<Endpoint*> endpoints_;
  std::vector<Link> uplinks_;                 ///< by port
  sim::FlatMap<std::uint32_t> more_holders_;  ///< of a payload, beside one
};

}  // namespace recirc::model
