#include "model/switch_fabric.h"

#include <cstring>

#include "pipeline/programs/addresses.h"
#include "sim/error.h"

namespace recirc::model {

using pipeline::programs::Addresses;

SwitchFabric::SwitchFabric(sim::Scheduler& scheduler, const NetworkSettings& network,
                           const Topology& topology)
    : scheduler_(scheduler),
      network_(network),
      topology_(topology),
      endpoints_(topology.endpoints(), nullptr) {
  const std::size_t ports = topology.controller.port.value() + std::size_t{1};
  for (std::size_t port = 0; port < ports; ++port) {
    const bool client = port < topology.client_machines.size();
    uplinks_.emplace_back(client ? network.client_rate : network.server_rate);
  }
}

void SwitchFabric::send(const Message& message) {
  const pipeline::PortId port = topology_.port(message.from);
  const Link::Passage passage =
      uplinks_[port.value()].send(message.length, scheduler_.now() + network_.host_delay);
  const pipeline::PacketHandle handle = switch_->make_packet(
      pipeline::ProtocolTag{message.protocol}, message.length, pipeline::Payload{message.payload});
  pipeline::Packet& packet = switch_->packet(handle);
  packet.queued = passage.waited;
  std::memcpy(packet.header.data(), message.header.bytes.data(), WireHeader::capacity);
  packet.header_as<Addresses>() = {message.from.value(), message.to.value()};
  const sim::Time arrival = passage.last_bit + network_.propagation;
  if (switch_is_down_ || is_down(message.from)) [[unlikely]]
    return discard(handle);
  if (faults_ != nullptr) [[unlikely]]
    return enter_with_faults(port, handle, arrival);
  switch_->receive(port, handle, arrival);
}

void SwitchFabric::transmitted(pipeline::PortId /*port*/, pipeline::PacketHandle packet,
                               sim::Time last_bit) {
  if (switch_->packet(packet).original < first_alive_) [[unlikely]]
    return discard(packet);
  const sim::Time arrival = last_bit + network_.propagation + network_.host_delay;
  if (faults_ != nullptr) [[unlikely]]
    return deliver_with_faults(packet, arrival);
  scheduler_.at(arrival, *this, Kind::deliver, packet.value());
}

void SwitchFabric::handle(const sim::Event& event) {
  const pipeline::PacketHandle handle{event.arg};
  const pipeline::Packet& packet = switch_->packet(handle);
  const Addresses addresses = packet.header_as<Addresses>();
  if (is_down(EndpointId{addresses.destination})) [[unlikely]]
    return discard(handle);
  Message message;
  message.from = EndpointId{addresses.source};
  message.to = EndpointId{addresses.destination};
  message.length = packet.length;
  message.protocol = packet.protocol.value();
  message.payload = packet.payload.value();
  message.parts.queues = packet.queued;
  message.parts.recirculation = packet.recirculating;
  message.parts.lock_wait = packet.waiting;
  std::memcpy(message.header.bytes.data(), packet.header.data(), WireHeader::capacity);
  switch_->release(handle);
  if (had_other_holders(message.payload)) message.payload = payloads_->duplicated(message.payload);
  Endpoint* to =
      addresses.destination < endpoints_.size() ? endpoints_[addresses.destination] : nullptr;
  if (to == nullptr) {
    throw sim::InvariantBroken("a frame was delivered to endpoint " +
                               std::to_string(addresses.destination) + ", which is not there");
  }
  to->receive(message);
}

void SwitchFabric::dropped(const pipeline::Packet& packet, pipeline::DropReason /*reason*/) {
  if (payloads_ == nullptr || packet.payload.is_none()) return;
  if (!had_other_holders(packet.payload.value())) payloads_->lost(packet.payload.value());
}

/// A program has had a packet copied, and both are messages that carry the request.
void SwitchFabric::shared(pipeline::Payload payload, std::uint32_t more_holders) {
  more_holders_[payload.value()] += more_holders;
}

bool SwitchFabric::had_other_holders(RequestHandle payload) {
  if (more_holders_.size() == 0) [[likely]]
    return false;
  std::uint32_t* more = more_holders_.find(payload);
  if (more == nullptr) return false;
  if (--*more == 0) more_holders_.erase(payload);
  return true;
}

}  // namespace recirc::model
