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
      last_(2 * (std::size_t{nodes} + settings.blades)),
      down_(std::size_t{nodes} + settings.blades) {}

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
  if (down_[machine] != 0) return receiver_.died_with(message, direction);
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
  on_the_way_[slot] = {message, static_cast<std::uint32_t>(machine), out, false};
  slots_ = std::max(slots_, slot + 1);
  scheduler_.at(at, *this, out ? EventKind::leaves : EventKind::arrives, slot);
}

/// At once: a repair that is about to be done must know what is gone.
void Transport::set_down(pages::NodeId node, bool down) {
  down_[node.value()] = down ? 1 : 0;
  for (std::uint32_t slot = 0; down && slot < slots_; ++slot) {
    OnTheWay& passing = on_the_way_[slot];
    if (passing.is_lost || passing.machine != node.value()) continue;
    passing.is_lost = true;
    receiver_.died_with(passing.message,
                        passing.leaves ? Direction::to_switch : Direction::from_switch);
  }
}

sim::Time Transport::memory_drained() const {
  sim::Time latest = scheduler_.now();
  for (std::size_t machine = nodes_; machine < last_.size() / 2; ++machine) {
    latest = std::max(latest, last_[place(machine, Direction::from_switch)]);
  }
  return latest;
}

void Transport::handle(const sim::Event& event) {
  const OnTheWay passing = on_the_way_[event.arg];
  on_the_way_.give_back(event.arg);
  const Message& message = passing.message;
  if (passing.is_lost) return;
  on_the_way_[event.arg].is_lost = true;  // nothing is in it any more
  if (passing.leaves) return fabric_.send(message);
  receiver_.arrived(message);
}

}  // namespace recirc::model::callosal
