#include <utility>

#include "model/callosal/callosal.h"
#include "pipeline/programs/directory/layout.h"

// What the control plane's repairs want of the nodes and the links, and crashes of nodes.

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;

using faults::Direction;
using pages::NodeId;

void Callosal::complain(NodeId /*node*/, PageNumber page) { repairs_.complain(page); }

std::uint32_t Callosal::nodes_up() const {
  return static_cast<std::uint32_t>((std::uint64_t{1} << nodes_.size()) - 1) & ~down_;
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

/// Pages that only a crashed node had in their last version are what memory has.
void Callosal::taken(const PageRange& region) {
  if (lost_.size() == 0) return;
  for (PageNumber page = region.first; region.has(page); ++page) {
    const sim::Time* const crashed = lost_.find(page);
    if (crashed == nullptr) continue;
    const pages::PageRef ref{file_of(page), static_cast<std::uint32_t>(page)};
    const std::uint64_t version = blade_of(page).content(page).version;
    if (world_.workers.checks().newest(page) > version) ++pages_reverted_;
    world_.workers.reverted(ref, version, *crashed);
    lost_.erase(page);
  }
}

void Callosal::died_with(const Message& message, Direction direction) {
  if (message.payload == Message::no_payload) return;
  const auto header = message.header.get<Header>();
  payloads_.give_back(message.payload);
  if (direction == Direction::to_switch) lost_[header.page] = world_.scheduler.now();
}

void Callosal::crash(NodeId node) {
  const std::uint32_t bit = 1U << node.value();
  returning_ &= ~bit;
  releasing_ &= ~bit;
  if ((down_ & bit) != 0) return;
  down_ |= bit;
  nodes_[node.value()]->for_each_page([&](PageNumber page, verify::Access access, const Content&) {
    const pages::PageRef ref{file_of(page), static_cast<std::uint32_t>(page)};
    if (access == verify::Access::write) lost_[page] = world_.scheduler.now();
    if (access != verify::Access::none) world_.workers.holds(node, ref, verify::Access::none);
  });
  transport_.set_down(node, true);
  nodes_[node.value()]->die();
  dead_.push_back(std::exchange(nodes_[node.value()], make_node(node)));
  nodes_[node.value()]->begin_empty();
  world_.workers.crashed(node);
  repairs_.crashed(node);
}

/// The directory still has it as the owner of pages that it has not got any more: it hears of
/// nobody before that is over.
sim::Duration Callosal::restart(NodeId node) {
  returning_ |= 1U << node.value();
  up_since_[node.value()] = world_.scheduler.now();
  const pipeline::ControlSpec& control = control_plane_.spec();
  return 2 * control.latency + 2 * std::int64_t{control_plane_.table().size()} * control.per_read;
}

void Callosal::release(NodeId node) {
  if ((returning_ >> node.value() & 1U) == 0) return;  // has crashed again
  releasing_ |= 1U << node.value();
  for (const auto& [first, region] : control_plane_.table().all()) {
    const auto load = [&, entry = region.entry](pipeline::ArrayId array) {
      return switch_.array(directory_pipe, tag, array).load(entry).low;
    };
    const auto state = static_cast<directory::State>(load(directory::state_array));
    const bool is_listed = (load(directory::sharers_array) >> node.value() & 1U) != 0;
    const bool is_stable = state != directory::State::to_shared &&  //
                           state != directory::State::to_modified;
    if (is_listed || !is_stable) repairs_.complain(first);
  }
  if (!repairs_.busy()) all_repaired();
}

void Callosal::all_repaired() {
  for (std::uint16_t node = 0; node < nodes_.size(); ++node) {
    if ((releasing_ >> node & 1U) == 0) continue;
    transport_.set_down(NodeId{node}, false);
    releasing_time_ += world_.scheduler.now() - up_since_[node];
    ++released_;
    world_.workers.restarted(NodeId{node});
  }
  down_ &= ~releasing_;
  returning_ &= ~releasing_;
  releasing_ = 0;
}

std::unique_ptr<Node> Callosal::make_node(NodeId id) {
  Network& network = *this;  // a base that others cannot see
  return std::make_unique<Node>(id, world_, settings_, network, counters_, durability_);
}

}  // namespace recirc::model::callosal
