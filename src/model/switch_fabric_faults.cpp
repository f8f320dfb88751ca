#include <cstring>

#include "model/switch_fabric.h"
#include "pipeline/programs/addresses.h"

// What SwitchFabric does where links lose, double and delay messages.
namespace recirc::model {

using faults::Direction;
using faults::Fate;
using faults::LinkKind;
using pipeline::programs::Addresses;

Fate SwitchFabric::fate_of(EndpointId endpoint, Direction direction,
                           const pipeline::Packet& packet) {
  const std::size_t i = endpoint.value();
  const std::size_t clients = topology_.client_machines.size();
  LinkKind link = LinkKind::controller;
  if (i < clients) {
    link = LinkKind::client;
  } else if (i < clients + topology_.servers.size()) {
    link = LinkKind::server;
  }
  const std::uint64_t message =
      packet.payload.is_none() ? ~packet.id : payloads_->identity(packet.payload.value());
  return faults_->fate(link, direction, message);
}

void SwitchFabric::enter_with_faults(pipeline::PortId port, pipeline::PacketHandle packet,
                                     sim::Time arrival) {
  const EndpointId from{switch_->packet(packet).header_as<Addresses>().source};
  const Fate fate = fate_of(from, Direction::to_switch, switch_->packet(packet));
  if (fate.lost) return discard(packet);
  if (fate.duplicated) switch_->receive(port, duplicate(packet), arrival + fate.copy_late);
  switch_->receive(port, packet, arrival + fate.late);
}

void SwitchFabric::deliver_with_faults(pipeline::PacketHandle packet, sim::Time arrival) {
  const EndpointId to{switch_->packet(packet).header_as<Addresses>().destination};
  const Fate fate = fate_of(to, Direction::from_switch, switch_->packet(packet));
  if (fate.lost) return discard(packet);
  if (fate.duplicated) {
    scheduler_.at(arrival + fate.copy_late, *this, Kind::deliver, duplicate(packet).value());
  }
  scheduler_.at(arrival + fate.late, *this, Kind::deliver, packet.value());
}

pipeline::PacketHandle SwitchFabric::duplicate(pipeline::PacketHandle packet) {
  pipeline::Payload payload = switch_->packet(packet).payload;
  if (!payload.is_none()) payload = pipeline::Payload{payloads_->duplicated(payload.value())};
  const pipeline::ProtocolTag protocol = switch_->packet(packet).protocol;
  const pipeline::PacketHandle handle =
      switch_->make_packet(protocol, switch_->packet(packet).length, payload);
  const pipeline::Packet& original = switch_->packet(packet);
  pipeline::Packet& copy = switch_->packet(handle);
  copy.header = original.header;
  copy.queued = original.queued;
  copy.recirculating = original.recirculating;
  copy.waiting = original.waiting;
  return handle;
}

void SwitchFabric::switch_goes_down() {
  switch_is_down_ = true;
  switch_->lose_state();
  first_alive_ = switch_->packets_made();
}

void SwitchFabric::switch_comes_up() {
  switch_is_down_ = false;
  switch_->lose_state();
}

void SwitchFabric::discard(pipeline::PacketHandle packet) {
  const pipeline::Payload payload = switch_->packet(packet).payload;
  switch_->release(packet);
  if (!payload.is_none() && !had_other_holders(payload.value())) payloads_->lost(payload.value());
}

}  // namespace recirc::model
