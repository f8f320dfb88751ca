#include "model/callosal/transport.h"

#include <algorithm>

namespace recirc::model::callosal {

using faults::Direction;
using faults::Fate;
using faults::LinkKind;

namespace {

faults::FaultSettings links_of(const FaultSettings& settings) {
  faults::FaultSettings links;
  links.client_links = settings.node_links;
  links.server_links = settings.blade_links;
  return links;
}

}  // namespace

Transport::Transport(sim::Scheduler& scheduler, const CallosalSettings& settings,
                     std::uint32_t nodes, sim::CounterRng draws, Fabric& fabric, Receiver& receiver)
    : scheduler_(scheduler),
      settings_(settings),
      nodes_(nodes),
      active_(settings.faults.any()),
      links_(links_of(settings.faults)),
      faults_(links_, draws),
      fabric_(fabric),
      receiver_(receiver),
      last_(2 * (std::size_t{nodes} + settings.blades)) {}

bool Transport::ordered(Kind kind, LinkKind link) {
  if (link == LinkKind::server) return true;
  switch (kind) {
    case Kind::invalidation:
    case Kind::data:
    case Kind::dummy:
    case Kind::passthrough:
    case Kind::fin_ack:
    case Kind::evict:
    case Kind::sync:
      return true;
    default:
      return false;
  }
}

/// With go-back-N each loss costs a time-out, and what is behind a message waits for it.
sim::Duration Transport::time_lost(LinkKind link, Direction direction) {
  sim::Duration sum{};
  for (;;) {
    const Fate fate = faults_.fate(link, direction, ++messages_);
    if (!fate.lost) return sum + fate.late;
    sum += settings_.resend_after;
  }
}

void Transport::pass_on(const Message& message, Direction direction) {
  const bool out = direction == Direction::to_switch;
  const std::size_t machine = (out ? message.from : message.to).value();
  const LinkKind link = machine < nodes_ ? LinkKind::client : LinkKind::server;
  sim::Time at = scheduler_.now() + time_lost(link, direction);
  const Kind kind = message.header.get<pipeline::programs::directory::Header>().kind;
  // A page that another node has sent is an answer.
  const bool is_answer = !out && kind == Kind::data;
  if (ordered(kind, link) && !is_answer) {
    sim::Time& last = last_[place(machine, direction)];
    last = at = std::max(at, last);
  }
  const std::uint32_t slot = on_the_way_.take();
  on_the_way_[slot] = message;
  scheduler_.at(at, *this, out ? EventKind::leaves : EventKind::arrives, slot);
}

sim::Time Transport::memory_drained() const {
  sim::Time latest = scheduler_.now();
  for (std::size_t machine = nodes_; machine < last_.size() / 2; ++machine) {
    latest = std::max(latest, last_[place(machine, Direction::from_switch)]);
  }
  return latest;
}

void Transport::handle(const sim::Event& event) {
  const Message message = on_the_way_[event.arg];
  on_the_way_.give_back(event.arg);
  if (static_cast<EventKind>(event.kind) == EventKind::leaves) return fabric_.send(message);
  receiver_.arrived(message);
}

}  // namespace recirc::model::callosal
