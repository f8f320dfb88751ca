#pragma once

#include <vector>

#include "model/fabric.h"
#include "model/link.h"
#include "sim/scheduler.h"
#include "sim/slab.h"

namespace recirc::model {

/// Endpoints joined by links without a switch program between them: every endpoint has one link
/// out of it, and all messages take the same time after it.
class DirectFabric final : public sim::Component, public Fabric {
 public:
  DirectFabric(sim::Scheduler& scheduler, std::size_t endpoints, sim::BitsPerSecond rate,
               sim::Duration latency);

  void connect(EndpointId id, Endpoint& endpoint) { endpoints_[id.value()] = &endpoint; }
  void send(const Message& message) override;
  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { deliver };

  sim::Scheduler& scheduler_;
  sim::Duration latency_;
  std::vector<Endpoint*> endpoints_;
  std::vector<Link> links_;
  sim::Slab<Message> on_the_way_;
};

}  // namespace recirc::model
