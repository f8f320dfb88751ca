#include "model/callosal/repairs.h"

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;
using pages::NodeId;

namespace {

/// Between a message's arrival in the switch and its effect, queues and passes included, and for
/// the control plane's way there. Far longer than it takes.
constexpr sim::Duration margin = sim::microseconds(50);

/// Of an event: a lane and a node.
constexpr std::uint32_t pack(std::uint32_t lane, std::uint32_t node) { return lane << 8U | node; }

}  // namespace

void Repairs::complain(PageNumber page) {
  const std::uint32_t lane = lane_of(page);
  lanes_[lane].waiting.push({page, scheduler_.now()});
  if (!lanes_[lane].busy) begin(lane);
}

void Repairs::begin(std::uint32_t number) {
  Lane& lane = lanes_[number];
  for (; !lane.waiting.empty(); lane.waiting.pop()) {
    const Complaint complaint = lane.waiting.front();
    const directory::Region* const region = control_plane_.table().find(complaint.page);
    const sim::Time* const last = region == nullptr ? nullptr : last_.find(region->first);
    if (region != nullptr && (last == nullptr || *last < complaint.at)) break;
  }
  lane.busy = !lane.waiting.empty();
  if (!lane.busy) {
    if (!busy()) target_.all_repaired();
    return;
  }
  // Another region may be about to be changed.
  if (!control_plane_.control().hold(lane.waiting.front().page)) {
    return scheduler_.after(margin, *this, Kind::begin, number);
  }
  lane.waiting.pop();
}

void Repairs::held(const directory::Region& region) {
  const std::uint32_t number = lane_of(region.first);
  Lane& lane = lanes_[number];
  control_plane_.control().park();
  lane.region = PageRange::of(region.first, region.bits);
  lane.asked = target_.nodes_up();
  ++lane.serial;
  for (std::uint16_t node = 0; node < 32; ++node) {
    if ((lane.asked >> node & 1U) == 0) continue;
    scheduler_.at(target_.reaches(NodeId{node}) + margin, *this, Kind::reached, pack(number, node),
                  lane.serial);
  }
  if (lane.asked == 0) scheduler_.after(margin, *this, Kind::conclude, pack(number, 0));
}

void Repairs::recalled(NodeId node, PageNumber page) {
  const std::uint32_t lane = lane_of(page);
  scheduler_.at(target_.answers(node) + margin, *this, Kind::answered, pack(lane, node.value()),
                lanes_[lane].serial);
}

void Repairs::crashed(NodeId node) {
  answered(0, node.value());
  answered(1, node.value());
}

void Repairs::answered(std::uint32_t number, std::uint32_t node) {
  Lane& lane = lanes_[number];
  if ((lane.asked >> node & 1U) == 0) return;
  lane.asked &= ~(1U << node);
  if (lane.asked != 0) return;
  scheduler_.at(target_.memory_has_all() + margin, *this, Kind::conclude, pack(number, 0));
}

void Repairs::conclude(std::uint32_t number) {
  const PageRange& region = lanes_[number].region;
  if (!control_plane_.control().resume(region.first)) {
    return scheduler_.after(margin, *this, Kind::conclude, pack(number, 0));
  }
  target_.taken(region);
  control_plane_.release();
}

void Repairs::changed(const directory::Region& region, bool /*done*/) {
  last_[region.first] = scheduler_.now();
  ++done_;
  begin(lane_of(region.first));
}

void Repairs::handle(const sim::Event& event) {
  const std::uint32_t number = event.arg >> 8U;
  const std::uint32_t node = event.arg & 0xffU;
  const Lane& lane = lanes_[number];
  switch (static_cast<Kind>(event.kind)) {
    case Kind::begin:
      return begin(event.arg);
    case Kind::reached:
      if (event.aux != lane.serial || (lane.asked >> node & 1U) == 0) return;
      return target_.recall(NodeId{static_cast<NodeId::rep>(node)}, lane.region);
    case Kind::answered:
      if (event.aux == lane.serial) answered(number, node);
      return;
    case Kind::conclude:
      return conclude(number);
  }
}

}  // namespace recirc::model::callosal
