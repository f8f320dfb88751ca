#include "model/callosal/node.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::model::callosal {

using pages::PageOp;
using pages::PageOpKind;
using pages::RwLock;
using pages::WorkerId;

namespace {

std::uint32_t mark_of(const CallosalSettings& settings) {
  return static_cast<std::uint32_t>(std::uint64_t{settings.cache_pages} * settings.evict_above /
                                    100);
}

}  // namespace

Node::Node(pages::NodeId id, const pages::PageWorld& world, const CallosalSettings& settings,
           Network& network, NodeCounters& counters, Durability& durability)
    : id_(id),
      world_(world),
      settings_(settings),
      network_(network),
      counters_(counters),
      durability_(durability),
      rng_(world.rng.stream("callosal/back_off").at(id.value())),
      first_worker_(id.value() * world.nodes.threads),
      tasks_(world.nodes.threads),
      inode_locks_(world.files.size()),
      inodes_(world.files.size(), nobody),
      frames_(settings.cache_pages, mark_of(settings)),
      unsynced_(world.files.size()) {}

pages::PageRef Node::page_ref(WorkerId worker) {
  const Task& own = task(worker);
  const pages::FileId file = op(worker).first.file;
  return own.at_inode ? inode_of(file) : pages::PageRef{file, own.first + own.index};
}

PageNumber Node::number(WorkerId worker) { return pages::number_of(page_ref(worker)); }

bool Node::to_write(WorkerId worker) {
  const Task& own = task(worker);
  return own.at_inode ? own.changes_inode : !reads(worker);
}

/// All nodes have a file open when a run begins, so they have its inode.
std::uint32_t Node::page_of(PageNumber number) {
  if (const std::uint32_t* known = slots_.find(number)) return *known;
  const std::uint32_t slot = pages_.take();
  pages_[slot] = Page{};
  pages_[slot].number = number;
  slots_[number] = slot;
  if (is_inode(number)) {
    const std::uint32_t file = file_of(number).value();
    inodes_[file] = slot;
    if (began_empty_) return slot;
    set_state(pages_[slot], State::shared);
    pages_[slot].data.word = world_.files[file].pages;
  }
  return slot;
}

void Node::call(WorkerId worker) {
  const PageOp& call = op(worker);
  Task& own = task(worker);
  own = Task{};
  own.first = call.first.page;
  own.pages = call.pages;
  switch (call.kind) {
    case PageOpKind::read:
      return read(worker);
    case PageOpKind::fsync:
      if (settings_.write_back) return sync(call.first.file, worker.value());
      return world_.workers.returns(worker, world_.scheduler.now() + world_.node.system_call);
    case PageOpKind::reopen:
      return world_.workers.returns(worker, world_.scheduler.now() + world_.node.reopen);
    case PageOpKind::write:
    case PageOpKind::append:
    case PageOpKind::truncate:
      if (!settings_.inode_locks) return visit(worker);
      if (inode_locks_[call.first.file.value()].acquire(worker, RwLock::Mode::exclusive)) {
        lock_inode(worker);
      }
  }
}

void Node::visit(WorkerId worker) {
  if (reads(worker)) {
    read(worker);
  } else {
    lock_page(worker);
  }
}

void Node::copy(WorkerId worker, std::uint32_t slot) {
  const Page& page = pages_[slot];
  Task& own = task(worker);
  frames_.use(slot);
  own.changes = page.changes;
  own.version = page.data.version;
  const bool is_read = reads(worker);
  const sim::Time ready =
      is_read ? lines_[page_ref(worker)].touch(worker.value(), world_.scheduler.now(),
                                               world_.node.line_transfer, 2)
              : world_.scheduler.now();
  const sim::Duration time =
      is_read ? world_.node.read_hit + settings_.version_check : world_.node.write_hit;
  world_.scheduler.at(ready + time, *this, Kind::copied, worker.value());
}

void Node::copied(WorkerId worker) {
  Task& own = task(worker);
  const std::uint32_t slot = page_of(number(worker));
  Page& page = pages_[slot];
  if (!reads(worker)) {
    const bool cut = op(worker).kind == PageOpKind::truncate;
    page.data = {world_.workers.write(worker, page_ref(worker)), cut ? 0 : op(worker).word};
    ++page.changes;
    note_changed(slot);
    if (own.changes_inode && !cut) grow(worker);
  } else if (!own.locked && own.changes != page.changes && !settings_.mutants.no_version_check) {
    ++counters_.version_retries;
    return read(worker);
  }
  own.word = page.data.word;
  if (reads(worker)) {
    ++counters_.reads;
    world_.workers.saw(worker, page_ref(worker), page.data.version);
    if (own.version != page.data.version) world_.workers.saw_torn();
  }
  if (own.locked) {
    own.locked = false;
    if (page.invalidation != nobody) ++page.passed;
    if (follows(worker, page)) {
      page.holder = nobody;
    } else {
      unlock(slot);
    }
  }
  if (++own.index < own.pages) return visit(worker);
  finish(worker);
}

/// Does the invalidation of a page let another writer pass, who has the file's lock next and then
/// writes this page? Nobody else may come between: the worker has that lock.
bool Node::follows(WorkerId worker, const Page& page) {
  if (page.invalidation == nobody || page.passed >= settings_.local_batch) return false;
  const bool goes_on = task(worker).index + 1 < task(worker).pages;
  if (reads(worker) || goes_on || !settings_.inode_locks || settings_.mtime) return false;
  const auto next = inode_locks_[op(worker).first.file.value()].first_waiting();
  if (!next || !page.waiting.empty() || page.next != nobody) return false;
  const PageOp& call = op(*next);
  return call.kind == PageOpKind::write && pages::number_of(call.first) == page.number;
}

void Node::lock_page(WorkerId worker) {
  Page& page = pages_[page_of(number(worker))];
  if (page.holder != nobody || page.next != nobody) {
    page.waiting.push(worker);
    return;
  }
  page.holder = worker.value();
  page_locked(worker);
}

void Node::page_locked(WorkerId worker) {
  task(worker).locked = true;
  const std::uint32_t slot = page_of(number(worker));
  Page& page = pages_[slot];
  const bool writes = to_write(worker);
  if (page.state == State::modified || (page.state == State::shared && !writes)) {
    return task(worker).at_inode ? inode_locked(worker, slot) : copy(worker, slot);
  }
  if (page.state == State::invalid && !may_ask(slot)) return put_off(slot);
  if (page.invalidation != nobody && !is_refused_when_late()) {
    put_off(slot);
    pages_[slot].is_due = true;
    return;
  }
  page.asked = true;
  page.asked_to_write = writes;
  page.has_data = page.has_grant = false;
  page.ask = ++asks_;
  watch(slot);
  ++(writes ? counters_.asks_to_write : counters_.asks_to_read);
  world_.scheduler.after(settings_.post, *this, Kind::ask, worker.value());
}

void Node::send_ask(WorkerId worker) {
  const Page& page = pages_[page_of(number(worker))];
  if (!page.asked || page.holder != worker.value()) return;  // the region is taken back
  network_.ask(id_, page.number, to_write(worker), page.ask);
}

/// An answer may be to a request that was given up.
bool Node::awaits(const Page& page, std::uint16_t ask) {
  if (page.asked && page.ask == ask) return true;
  if (!settings_.faults.any()) {
    throw sim::InvariantBroken("a page or a grant came that nobody had asked for");
  }
  ++counters_.late_answers;
  return false;
}

void Node::data_came(PageNumber number, const Content& data, std::uint16_t ask) {
  const std::uint32_t slot = page_of(number);
  Page& page = pages_[slot];
  if (!awaits(page, ask)) return;
  page.has_data = true;
  page.data = data;
  came(slot);
}

void Node::granted(PageNumber number, std::uint8_t region_bits, std::uint8_t round,
                   std::uint16_t ask) {
  const std::uint32_t slot = page_of(number);
  if (!awaits(pages_[slot], ask)) return;
  pages_[slot].round = round;
  pages_[slot].has_grant = true;
  pages_[slot].region_bits = region_bits;
  came(slot);
}

void Node::came(std::uint32_t slot) {
  Page& page = pages_[slot];
  if (!page.has_data || !page.has_grant) return;
  page.asked = page.is_watched = false;
  ++page.wanted;
  page.tries = 0;
  set_state(page, page.asked_to_write ? State::modified : State::shared);
  ++page.changes;
  world_.scheduler.after(settings_.install, *this, Kind::page_locked, page.holder);
}

/// `/verify/swmr` is told.
void Node::set_state(Page& page, State state) {
  page.state = state;
  const pages::PageRef ref{file_of(page.number), static_cast<std::uint32_t>(page.number)};
  world_.workers.holds(id_, ref, access_of(state));
}

void Node::refused(PageNumber number, std::uint16_t ask) {
  const std::uint32_t slot = page_of(number);
  if (!awaits(pages_[slot], ask)) return;
  ++counters_.refusals;
  ask_again(slot);
}

void Node::ask_again(std::uint32_t slot) {
  Page& page = pages_[slot];
  page.asked = false;
  page.tries = std::min(page.tries + 1, settings_.longest_back_off);
  page.passed = settings_.local_batch;
  world_.scheduler.after(back_off(page.tries), *this, Kind::due, slot);
  if (page.state == State::invalid) drop_frame(slot);
  put_off(slot);
}

/// The page's holder waits, and has the lock again once it is due. An invalidation may have it
/// meanwhile. Other threads may not: they would ask for the same page, be refused as well and leave
/// the first one behind.
void Node::put_off(std::uint32_t slot) {
  Page& page = pages_[slot];
  page.next = page.holder;
  page.is_due = false;
  task(WorkerId{page.holder}).locked = false;
  unlock(slot);
}

sim::Duration Node::back_off(std::uint32_t tries) {
  const auto most = static_cast<std::uint64_t>(settings_.back_off_jitter.count());
  const std::uint64_t jitter = most == 0 ? 0 : rng_.next() % most;
  return tries * settings_.back_off + sim::picoseconds(static_cast<std::int64_t>(jitter));
}

void Node::due(std::uint32_t slot) {
  pages_[slot].is_due = true;
  if (pages_[slot].holder == nobody) unlock(slot);
}

/// An invalidation stands first in the queue once it has let as many threads pass as it must; then
/// comes a thread that was put off.
void Node::unlock(std::uint32_t slot) {
  Page& page = pages_[slot];
  page.holder = nobody;
  const bool has_waited = page.passed >= settings_.local_batch || page.waiting.empty() ||
                          page.state != State::modified || is_inode(page.number);
  if (page.invalidation != nobody && has_waited) return lock_for_handler(slot);
  if (page.next != nobody) {
    if (!page.is_due) return;
    page.holder = page.next;
    page.next = nobody;
    return page_locked(WorkerId{page.holder});
  }
  if (page.waiting.empty()) {
    if (found_no_victim_) evict();
    return;
  }
  const WorkerId next = page.waiting.front();
  page.waiting.pop();
  page.holder = next.value();
  world_.scheduler.after(world_.node.lock_handoff, *this, Kind::page_locked, next.value());
}

void Node::handle(const sim::Event& event) {
  if (is_dead_) return;
  const WorkerId worker{event.arg};
  switch (static_cast<Kind>(event.kind)) {
    case Kind::copied:
      return copied(worker);
    case Kind::inode_locked:
      return lock_inode(worker);
    case Kind::page_locked:
      return page_locked(worker);
    case Kind::ask:
      return send_ask(worker);
    case Kind::due:
      return due(event.arg);
    case Kind::flushed:
      return flushed(event.arg);
    case Kind::dropped:
      return dropped(event.arg);
    case Kind::served:
      return served();
    case Kind::overdue:
      return overdue(event.arg, event.aux);
    case Kind::leave_overdue:
      if (!leaving_ || event.aux != leaves_) return;
      network_.complain(id_, leaving_->first);
      return world_.scheduler.after(settings_.repair_time_out, *this, Kind::leave_overdue, 0,
                                    leaves_);
  }
}

void Node::check_idle() const {
  for (const RwLock& lock : inode_locks_) lock.check_idle();
  check_synced();
  if (leaving_ || evicting_ || !for_room_.empty() || !for_region_.empty()) {
    throw sim::InvariantBroken("a node has not done with an eviction");
  }
  if (giving_up_.in_use() != 0) {
    throw sim::InvariantBroken("a node has not given up what it was told to");
  }
}

}  // namespace recirc::model::callosal
