#include "model/callosal/repairs.h"

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;
using pages::NodeId;

namespace {

/// Between a message's arrival in the switch and its effect, queues and passes included, and for
/// the control plane's way there. Far longer than it takes.
constexpr sim::Duration margin = sim::microseconds(50);

}  // namespace

void Repairs::complain(PageNumber page) {
  waiting_.push({page, scheduler_.now()});
  if (!busy_) begin();
}

void Repairs::begin() {
  busy_ = !waiting_.empty();
  if (!busy_) return;
  const Complaint complaint = waiting_.front();
  const directory::Region* const region = control_plane_.table().find(complaint.page);
  const sim::Time* const last = region == nullptr ? nullptr : last_.find(region->first);
  if (region == nullptr || (last != nullptr && *last >= complaint.at)) {
    waiting_.pop();
    return begin();
  }
  // Regions may be about to be split or joined.
  if (!control_plane_.control().hold(complaint.page))
    return scheduler_.after(margin, *this, Kind::begin);
  waiting_.pop();
}

void Repairs::held(const directory::Region& region) {
  region_ = PageRange::of(region.first, region.bits);
  asked_ = target_.nodes_up();
  for (std::uint16_t node = 0; node < 32; ++node) {
    if ((asked_ >> node & 1U) == 0) continue;
    scheduler_.at(target_.reaches(NodeId{node}) + margin, *this, Kind::reached, node);
  }
  if (asked_ == 0) answered(0);
}

void Repairs::recalled(NodeId node) {
  scheduler_.at(target_.answers(node) + margin, *this, Kind::answered, node.value());
}

void Repairs::answered(std::uint32_t node) {
  asked_ &= ~(1U << node);
  if (asked_ != 0) return;
  scheduler_.at(target_.memory_has_all() + margin, *this, Kind::memory_has_all);
}

void Repairs::changed(const directory::Region& region, bool /*done*/) {
  last_[region.first] = scheduler_.now();
  ++done_;
  begin();
}

void Repairs::handle(const sim::Event& event) {
  switch (static_cast<Kind>(event.kind)) {
    case Kind::begin:
      return begin();
    case Kind::reached:
      return target_.recall(NodeId{static_cast<NodeId::rep>(event.arg)}, region_);
    case Kind::answered:
      return answered(event.arg);
    case Kind::memory_has_all:
      target_.taken(region_);
      return control_plane_.control().release();
  }
}

}  // namespace recirc::model::callosal
