#include "model/callosal/callosal.h"

// What the control plane's repairs want of the nodes and the links.

namespace recirc::model::callosal {

using faults::Direction;
using pages::NodeId;

void Callosal::complain(NodeId /*node*/, PageNumber page) { repairs_.complain(page); }

std::uint32_t Callosal::nodes_up() const {
  return static_cast<std::uint32_t>((std::uint64_t{1} << nodes_.size()) - 1);
}

sim::Time Callosal::reaches(NodeId node) const {
  return transport_.drained(node, Direction::from_switch) + settings_.host_delay;
}

sim::Time Callosal::answers(NodeId node) const {
  return transport_.drained(node, Direction::to_switch) + settings_.host_delay;
}

void Callosal::recall(NodeId node, const PageRange& region) {
  nodes_[node.value()]->recall(region);
}

void Callosal::taken(const PageRange& /*region*/) {}

}  // namespace recirc::model::callosal
