#include <algorithm>

#include "model/callosal/node.h"
#include "sim/error.h"

// What a node does when it is told to give up a region.

namespace recirc::model::callosal {

void Node::invalidate(const Invalidation& invalidation) {
  ++counters_.invalidations;
  const std::uint32_t number = giving_up_.take();
  giving_up_[number] = GivingUp{invalidation, {}, 0};
  if (is_inode(invalidation.page)) page_of(invalidation.page);  // all nodes begin with it
  std::vector<std::uint32_t> locked;
  for (std::uint32_t i = 0; i < invalidation.pages; ++i) {
    const std::uint32_t* slot = slots_.find(invalidation.first + i);
    if (slot == nullptr) continue;
    Page& page = pages_[*slot];
    const bool waits_in_switch = !may_be_granted(page);
    if (page.state == State::invalid && (page.holder == nobody || waits_in_switch)) continue;
    if (page.invalidation != nobody) {
      throw sim::InvariantBroken("a region is to be given up twice at once");
    }
    page.invalidation = number;
    page.passed = 0;
    giving_up_[number].pages.push_back(*slot);
    ++giving_up_[number].not_locked;
    if (page.holder == nobody || waits_in_switch || settings_.mutants.no_deferral) {
      locked.push_back(*slot);
    }
  }
  if (settings_.mutants.no_drain) network_.gave_up(id_, invalidation);
  if (giving_up_[number].pages.empty()) {
    ready_.push(number);
    return serve();
  }
  for (const std::uint32_t slot : locked) lock_for_handler(slot);
}

/// A request that waits in the switch for this region will be granted after this node has given the
/// region up, and so must not keep it from doing so: its thread stays the page's holder. Grants and
/// invalidations come in the order in which the directory decided.
bool Node::may_be_granted(const Page& page) const {
  return is_refused_when_late() || !page.asked || page.has_grant;
}

/// Else a request would wait for this node's fin_ack, and must not be made while that waits for the
/// page's lock.
bool Node::is_refused_when_late() const {
  using pipeline::programs::directory::ConflictPolicy;
  return settings_.conflict == ConflictPolicy::nack_backoff;
}

void Node::lock_for_handler(std::uint32_t slot) {
  Page& page = pages_[slot];
  if (page.holder == nobody) page.holder = handler;
  GivingUp& giving_up = giving_up_[page.invalidation];
  if (--giving_up.not_locked != 0) return;
  ready_.push(page.invalidation);
  serve();
}

/// One thread a node.
void Node::serve() {
  if (serving_ || ready_.empty()) return;
  serving_ = true;
  const std::size_t pages = std::max<std::size_t>(giving_up_[ready_.front()].pages.size(), 1);
  world_.scheduler.after(settings_.pick_up + static_cast<std::int64_t>(pages) * settings_.serve,
                         *this, Kind::served);
}

void Node::served() {
  const std::uint32_t number = ready_.front();
  ready_.pop();
  const GivingUp giving_up = giving_up_[number];
  giving_up_[number].pages.clear();
  giving_up_.give_back(number);
  const Invalidation& invalidation = giving_up.invalidation;
  bool had_it = false;
  for (const std::uint32_t slot : giving_up.pages) {
    Page& page = pages_[slot];
    const bool wanted = page.number == invalidation.page;
    if (!wanted && page.state != State::invalid) ++counters_.falsely_invalidated;
    if (page.state == State::modified) {
      if (wanted && invalidation.wants_data) {
        had_it = true;
        network_.push(id_, invalidation, &page.data);
      } else {
        network_.put_back(id_, page.number, page.data, page.round);
      }
      note_sent(slot);
    }
    const bool was_here = page.state != State::invalid;
    const bool stays = invalidation.what == GiveUp::writing && was_here;
    set_state(page, stays ? State::shared : State::invalid);
    if (!stays) ++page.changes;
    if (was_here && !stays && page.holder == handler) drop_frame(slot);
    page.invalidation = nobody;
  }
  if (invalidation.wants_data && !had_it) network_.push(id_, invalidation, nullptr);
  if (invalidation.is_recall) {
    network_.recalled(id_, invalidation.page);
  } else if (!settings_.mutants.no_drain) {
    network_.gave_up(id_, invalidation);
  }
  for (const std::uint32_t slot : giving_up.pages) {
    if (pages_[slot].holder == handler) unlock(slot);
  }
  serving_ = false;
  serve();
  for (std::optional<PageRange>& recalled : recalled_) begin_recall(recalled);
}

void Node::recall(const PageRange& region) {
  for (std::uint64_t i = 0; i < region.pages; ++i) {
    const std::uint32_t* slot = slots_.find(region.first + i);
    if (slot != nullptr && pages_[*slot].asked) ask_again(*slot);
  }
  if (leaving_ && (leaving_->has(region.first) || region.has(leaving_->first))) end_leave();
  std::optional<PageRange>& recalled = recalled_[is_inode(region.first) ? 1 : 0];
  recalled = region;
  begin_recall(recalled);
}

/// An invalidation that has come before is served first.
void Node::begin_recall(std::optional<PageRange>& recalled) {
  if (!recalled) return;
  Invalidation told;
  told.page = told.first = recalled->first;
  told.pages = static_cast<std::uint32_t>(recalled->pages);
  told.is_recall = true;
  for (std::uint32_t i = 0; i < told.pages; ++i) {
    const std::uint32_t* slot = slots_.find(told.first + i);
    if (slot != nullptr && pages_[*slot].invalidation != nobody) return;
  }
  recalled.reset();
  invalidate(told);
}

/// Somebody begins to want the page.
void Node::watch(std::uint32_t slot) {
  Page& page = pages_[slot];
  const bool repairs = settings_.faults.any() && settings_.repair_time_out > sim::Duration{};
  if (!repairs || page.is_watched) return;
  page.is_watched = true;
  world_.scheduler.after(settings_.repair_time_out, *this, Kind::overdue, slot, page.wanted);
}

void Node::overdue(std::uint32_t slot, std::uint16_t wanted) {
  const Page& page = pages_[slot];
  if (!page.is_watched || page.wanted != wanted) return;
  network_.complain(id_, page.number);
  world_.scheduler.after(settings_.repair_time_out, *this, Kind::overdue, slot, wanted);
}

}  // namespace recirc::model::callosal
