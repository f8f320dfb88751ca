#include "model/callosal/node.h"
#include "sim/error.h"

// What a node does when its memory runs out: one thread drops the pages that were used longest ago
// (MIND's has one for it), and threads that need room wait for it.

namespace recirc::model::callosal {

/// A page that is not here: the node may ask for it, unless it is an inode, when it has room for
/// it, and when the directory does not still expect to hear that the node has given up the page's
/// region.
bool Node::may_ask(std::uint32_t slot) {
  if (leaving_ && leaving_->has(pages_[slot].number)) {
    for_region_.push(slot);
    return false;
  }
  const bool has_room = !frames_.limited() || frames_.has(slot);
  if (has_room || is_inode(pages_[slot].number)) return true;
  if (frames_.full()) {
    ++counters_.waits_for_room;
    for_room_.push(slot);
    evict();
    return false;
  }
  frames_.take(slot);
  evict();
  return true;
}

void Node::drop_frame(std::uint32_t slot) {
  if (!frames_.limited() || !frames_.has(slot)) return;
  frames_.give_back(slot);
  if (for_room_.empty()) return;
  const std::uint32_t next = for_room_.front();
  for_room_.pop();
  frames_.take(next);
  due(next);
}

/// Begins with the next page that has to go, if one has to and the thread has nothing to do.
void Node::evict() {
  if (evicting_ || (!frames_.above_mark() && for_room_.empty())) return;
  const std::uint32_t victim = find_victim();
  found_no_victim_ = victim == nobody;
  if (found_no_victim_) return;
  evicting_ = true;
  pages_[victim].holder = evictor;
  world_.scheduler.after(settings_.serve, *this, Kind::dropped, victim);
}

std::uint32_t Node::find_victim() const {
  std::uint32_t slot = frames_.oldest();
  while (slot != nobody) {
    const Page& page = pages_[slot];
    const bool is_idle = page.holder == nobody && page.next == nobody && page.waiting.empty();
    if (page.state != State::invalid && is_idle && page.invalidation == nobody) break;
    slot = frames_.newer(slot);
  }
  return slot;
}

/// The page goes, and with a region's last page the region.
void Node::dropped(std::uint32_t slot) {
  Page& page = pages_[slot];
  ++counters_.evictions;
  if (page.state == State::modified) {
    ++counters_.evicted_changed;
    network_.put_back(id_, page.number, page.data, page.round);
    note_sent(slot);
  }
  set_state(page, State::invalid);
  ++page.changes;
  const bool leaves = has_nothing_of(page.region());
  if (leaves) {
    leaving_ = page.region();
    leaving_round_ = page.round;
    ++leaves_;
    network_.evict(id_, page.number, page.region_bits, page.round);
    if (settings_.faults.any() && settings_.repair_time_out > sim::Duration{}) {
      world_.scheduler.after(settings_.repair_time_out, *this, Kind::leave_overdue, 0, leaves_);
    }
  } else {
    evicting_ = false;
  }
  drop_frame(slot);
  unlock(slot);
  evict();
}

bool Node::has_nothing_of(const PageRange& region) const {
  for (std::uint64_t i = 0; i < region.pages; ++i) {
    const std::uint32_t* slot = slots_.find(region.first + i);
    if (slot == nullptr) continue;
    if (pages_[*slot].state != State::invalid || pages_[*slot].asked) return false;
  }
  return true;
}

void Node::left(PageNumber page, std::uint8_t round) {
  if (leaving_ && leaving_->has(page) && leaving_round_ == round) return end_leave();
  if (!settings_.faults.any()) {
    throw sim::InvariantBroken("a node has left a region that it did not leave");
  }
}

void Node::end_leave() {
  leaving_.reset();
  evicting_ = false;
  while (!for_region_.empty()) {
    const std::uint32_t slot = for_region_.front();
    for_region_.pop();
    due(slot);
  }
  evict();
}

}  // namespace recirc::model::callosal
