#pragma once

#include <vector>

#include "model/cluster_config.h"
#include "model/fabric.h"
#include "model/link.h"
#include "model/topology.h"
#include "pipeline/switch.h"
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
  void report_losses_to(LossListener& listener) { losses_ = &listener; }

  void send(const Message& message) override;
  void transmitted(pipeline::PortId port, pipeline::PacketHandle packet,
                   sim::Time last_bit) override;
  void dropped(const pipeline::Packet& packet, pipeline::DropReason reason) override;
  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { deliver };

  sim::Scheduler& scheduler_;
  const NetworkSettings& network_;
  const Topology& topology_;
  pipeline::Switch* switch_ = nullptr;
  LossListener* losses_ = nullptr;
  std::vector<Endpoint*> endpoints_;
  std::vector<Link> uplinks_;  ///< by port
};

}  // namespace recirc::model
