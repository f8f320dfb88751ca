#include "model/nfs/client.h"

#include <algorithm>
#include <utility>

#include "sim/error.h"

namespace recirc::model::nfs {

using pages::FileId;
using pages::number_of;
using pages::PageOpKind;
using pages::PageRef;
using pages::RwLock;
using pages::WorkerId;

Client::Client(pages::NodeId id, const pages::PageWorld& world, const NfsSettings& settings,
               Server& server)
    : id_(id),
      world_(world),
      settings_(settings),
      server_(server),
      way_(settings.round_trip / 2),
      first_worker_(id.value() * world.nodes.threads),
      tasks_(world.nodes.threads),
      files_(world.files.size()) {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    files_[i].size = world.files[i].pages;
    files_[i].attributes_live = settings.attributes_min;
    files_[i].attributes_until = sim::Time{settings.attributes_min};
  }
}

/// A thread's first call for a file opens it: before the run, as it were.
void Client::open(WorkerId worker) {
  File& of = file(worker);
  if (of.open.empty()) of.open.resize(tasks_.size());
  if (of.open[worker.value() - first_worker_]) return;
  of.open[worker.value() - first_worker_] = true;
  ++of.openers;
}

void Client::call(WorkerId worker) {
  Task& own = task(worker);
  own.index = 0;
  own.first = op(worker).first.page;
  own.word = 0;
  open(worker);
  switch (op(worker).kind) {
    case PageOpKind::read:
    case PageOpKind::write:
    case PageOpKind::truncate:
      return lock(worker);
    case PageOpKind::append:
      return ask_attributes(worker);
    case PageOpKind::fsync:
    case PageOpKind::reopen:
      return flush(worker);
  }
}

void Client::lock(WorkerId worker) {
  const auto mode = reads(worker) ? RwLock::Mode::shared : RwLock::Mode::exclusive;
  if (file(worker).semaphore.acquire(worker, mode)) locked(worker);
}

void Client::locked(WorkerId worker) {
  File& of = file(worker);
  const sim::Time now = world_.scheduler.now();
  switch (op(worker).kind) {
    case PageOpKind::truncate:
      return flush(worker);
    case PageOpKind::append:
      task(worker).first = of.size;
      return visit(worker, now);
    case PageOpKind::read:
      break;
    default:
      return visit(worker, now);
  }
  // Readers hold the semaphore together, but each writes its word twice.
  const sim::Time ready = of.semaphore_line.touch(worker.value(), now, world_.node.line_transfer,
                                                  settings_.semaphore_line_writes);
  if (opened_to_write(op(worker).first.file) || now < of.attributes_until) {
    return visit(worker, ready);
  }
  if (of.revalidating) return of.attribute_waiters.push_back(worker);
  of.revalidating = true;
  ask_attributes(worker);
}

/// The page at hand: in the cache, or from the server first. What is overwritten whole, or lies
/// behind the end of the file, need not be read.
void Client::visit(WorkerId worker, sim::Time from) {
  const PageRef at = page_at_hand(worker);
  const Page& page = pages_[number_of(at)];
  const bool reading = reads(worker);
  const bool needs_it = reading || (!op(worker).whole && at.page < file(worker).size);
  if (needs_it && page.epoch != file(worker).epoch) {
    if (!page.fetching) return fetch(worker);
    return waiters_.push_back({number_of(at), worker});
  }
  if (reading) from = page_lines_[at].touch(worker.value(), from, world_.node.line_transfer, 2);
  const bool appends = op(worker).kind == PageOpKind::append;
  world_.scheduler.at(from + (reading   ? world_.node.read_hit
                              : appends ? settings_.append
                                        : world_.node.write_hit),
                      *this, Kind::copied, worker.value());
}

/// One READ for the page at hand and those behind it that the call wants, too.
void Client::fetch(WorkerId worker) {
  Task& own = task(worker);
  own.moved.clear();
  own.epoch = file(worker).epoch;
  PageRef at = page_at_hand(worker);
  const std::uint32_t end = own.first + op(worker).pages;
  for (; at.page < end && own.moved.size() < settings_.largest_request; ++at.page) {
    Page& page = pages_[number_of(at)];
    if (page.fetching || page.epoch == own.epoch) break;
    page.fetching = true;
    own.moved.push_back({at, {}});
  }
  ++server_.requests.reads;
  wait_for(worker, Rpc::read,
           server_.serve(arrives(), static_cast<std::uint32_t>(own.moved.size())));
}

void Client::fetched(WorkerId worker) {
  const Task& own = task(worker);
  for (const Moved& moved : own.moved) {
    Page& page = pages_[number_of(moved.page)];
    page.fetching = false;
    page.content = moved.content;
    page.epoch = own.epoch;
  }
  std::vector<WorkerId> woken;
  std::erase_if(waiters_, [&](const Waiter& waiter) {
    const bool came = !pages_[waiter.page].fetching;
    if (came) woken.push_back(waiter.worker);
    return came;
  });
  visit(worker, world_.scheduler.now());
  for (const WorkerId other : woken) visit(other, world_.scheduler.now());
}

void Client::copied(WorkerId worker) {
  Task& own = task(worker);
  File& of = file(worker);
  const PageRef at = page_at_hand(worker);
  Page& page = pages_[number_of(at)];
  if (reads(worker)) {
    world_.workers.saw(worker, at, page.content.version);
    own.word = page.content.word;
  } else {
    page.content = {world_.workers.write(worker, at), op(worker).word};
    page.epoch = of.epoch;
    if (!page.dirty) of.dirty.push_back(at.page);
    page.dirty = true;
    of.size = std::max(of.size, at.page + 1);
  }
  if (++own.index < op(worker).pages) return visit(worker, world_.scheduler.now());
  finish(worker);
}

/// The semaphore goes to whoever waits for it.
void Client::finish(WorkerId worker) {
  file(worker).semaphore.release(
      reads(worker) ? RwLock::Mode::shared : RwLock::Mode::exclusive, [this](WorkerId next) {
        world_.scheduler.after(world_.node.lock_handoff, *this, Kind::locked, next.value());
      });
  world_.workers.returns(worker, world_.scheduler.now(), task(worker).word);
}

void Client::ask_attributes(WorkerId worker) {
  ++server_.requests.attributes;
  wait_for(worker, Rpc::attributes, server_.serve(arrives(), 1));
}

/// A changed file loses its pages, but for those that the server has not got yet. A client that has
/// it open for writing takes the new number and keeps them.
void Client::note_attributes(WorkerId worker) {
  const Task& own = task(worker);
  const FileId id = op(worker).first.file;
  File& of = file(worker);
  const std::uint32_t others = of.openers - 1;
  const bool keeps = opened_to_write(id) && (op(worker).kind == PageOpKind::append || others > 0);
  const bool changed = own.after != of.change;
  if (changed && !keeps && of.flushes == 0) drop_pages(id);
  if (keeps || of.flushes == 0) of.change = own.after;
  of.attributes_live = changed ? settings_.attributes_min
                               : std::min(2 * of.attributes_live, settings_.attributes_max);
  of.attributes_until = world_.scheduler.now() + of.attributes_live;
  of.size = of.dirty.empty() && of.flushes == 0 ? own.size : std::max(of.size, own.size);
}

void Client::drop_pages(FileId id) {
  File& of = files_[id.value()];
  ++of.epoch;
  for (const std::uint32_t page : of.dirty) pages_[number_of({id, page})].epoch = of.epoch;
}

void Client::attributes_came(WorkerId worker) {
  note_attributes(worker);
  const sim::Time now = world_.scheduler.now();
  switch (op(worker).kind) {
    case PageOpKind::append:
      return lock(worker);
    case PageOpKind::reopen:
      return world_.workers.returns(worker, now + world_.node.reopen);
    default:
      break;
  }
  file(worker).revalidating = false;
  const std::vector<WorkerId> others = std::exchange(file(worker).attribute_waiters, {});
  visit(worker, now);
  for (const WorkerId other : others) visit(other, now);
}

/// All of the file's changed pages, in as few WRITEs as they fit in, and a COMMIT.
void Client::flush(WorkerId worker) {
  File& of = file(worker);
  if (of.dirty.empty()) return flushed(worker);
  Task& own = task(worker);
  own.moved.clear();
  std::ranges::sort(of.dirty);
  sim::Time served{};
  std::uint32_t together = 0;
  for (std::size_t i = 0; i < of.dirty.size(); ++i) {
    const PageRef at{op(worker).first.file, of.dirty[i]};
    Page& page = pages_[number_of(at)];
    page.dirty = false;
    own.moved.push_back({at, page.content});
    const bool next_is_behind = i + 1 < of.dirty.size() && of.dirty[i + 1] == at.page + 1;
    if (++together < settings_.largest_request && next_is_behind) continue;
    ++server_.requests.writes;
    served = std::max(served, server_.serve(arrives(), std::exchange(together, 0)));
  }
  of.dirty.clear();
  ++of.flushes;
  wait_for(worker, Rpc::write, served);
}

/// Our own changes are no reason to drop pages, if nobody else's came between.
void Client::note_own_change(WorkerId worker) {
  const Task& own = task(worker);
  if (file(worker).change == own.before) file(worker).change = own.after;
}

void Client::committed(WorkerId worker) {
  File& of = file(worker);
  if (--of.flushes == 0) {
    for (const WorkerId other : std::exchange(of.flush_waiters, {})) flushed(other);
  }
  flushed(worker);
}

/// The server has all that this call found changed, but perhaps not what others are sending.
void Client::flushed(WorkerId worker) {
  File& of = file(worker);
  if (of.flushes > 0) return of.flush_waiters.push_back(worker);
  switch (op(worker).kind) {
    case PageOpKind::reopen:
      return ask_attributes(worker);
    case PageOpKind::truncate:
      return wait_for(worker, Rpc::set_size, server_.commit(arrives()));
    default:
      return world_.workers.returns(worker, world_.scheduler.now() + world_.node.system_call);
  }
}

void Client::size_set(WorkerId worker) {
  File& of = file(worker);
  const FileId id = op(worker).first.file;
  for (std::uint32_t page = op(worker).first.page; page < of.size; ++page) {
    if (Page* const cached = pages_.find(number_of({id, page}))) cached->epoch = 0;
  }
  of.size = op(worker).first.page;
  note_own_change(worker);
  finish(worker);
}

void Client::wait_for(WorkerId worker, Rpc rpc, sim::Time at) {
  task(worker).rpc = rpc;
  world_.scheduler.at(at, *this, Kind::at_server, worker.value());
}

/// The server has carried out the request, and its answer leaves.
void Client::at_server(WorkerId worker) {
  Task& own = task(worker);
  const FileId id = op(worker).first.file;
  std::uint64_t& change = server_.changes[id.value()];
  own.before = change;
  switch (own.rpc) {
    case Rpc::read:
      for (Moved& moved : own.moved) moved.content = server_.contents.at(moved.page);
      break;
    case Rpc::write:
      for (const Moved& moved : own.moved) {
        server_.contents[moved.page] = moved.content;
        server_.contents.size(id) = std::max(server_.contents.size(id), moved.page.page + 1);
      }
      ++change;
      break;
    case Rpc::set_size:
      server_.contents.cut(world_.workers, worker, op(worker).first);
      ++change;
      break;
    case Rpc::attributes:
    case Rpc::commit:
      break;
  }
  own.after = change;
  own.size = server_.contents.size(id);
  world_.scheduler.after(way_, *this, Kind::answered, worker.value());
}

void Client::answered(WorkerId worker) {
  switch (task(worker).rpc) {
    case Rpc::read:
      return fetched(worker);
    case Rpc::attributes:
      return attributes_came(worker);
    case Rpc::write:
      note_own_change(worker);
      return wait_for(worker, Rpc::commit, server_.commit(arrives()));
    case Rpc::commit:
      return committed(worker);
    case Rpc::set_size:
      return size_set(worker);
  }
}

void Client::handle(const sim::Event& event) {
  const WorkerId worker{event.arg};
  switch (static_cast<Kind>(event.kind)) {
    case Kind::locked:
      return locked(worker);
    case Kind::at_server:
      return at_server(worker);
    case Kind::answered:
      return answered(worker);
    case Kind::copied:
      return copied(worker);
  }
}

void Client::check_idle() const {
  for (const File& file : files_) {
    file.semaphore.check_idle();
    if (file.flushes != 0 || !file.flush_waiters.empty() || !file.attribute_waiters.empty()) {
      throw sim::InvariantBroken("an NFS client waits for a server that owes nothing");
    }
  }
  if (!waiters_.empty()) throw sim::InvariantBroken("an NFS client waits for pages that came");
}

}  // namespace recirc::model::nfs
