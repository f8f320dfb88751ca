#include "model/cephfs/cephfs.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/error.h"

namespace recirc::model::cephfs {

using pages::FileId;
using pages::PageOpKind;
using pages::PageRef;
using pages::RwLock;
using pages::WorkerId;

namespace {

/// Jobs at the stores are workers' calls, and flushes of files.
constexpr std::uint64_t flush_job = std::uint64_t{1} << 32U;

}  // namespace

Cephfs::Cephfs(const pages::PageWorld& world, const CephfsSettings& settings)
    : world_(world),
      settings_(settings),
      stores_(world.scheduler, settings, *this),
      mds_(1),
      contents_(world.files),
      files_(world.files.size()),
      tasks_(world.workers.count()),
      caches_(world.nodes.nodes),
      page_lines_(world.nodes.nodes) {
  for (File& file : files_) file.inode_locks.resize(world.nodes.nodes);
}

/// A loner caches and buffers; several readers cache; any writer among several, and nobody does.
bool Cephfs::may_cache(FileId id) const {
  const std::uint32_t holders = files_[id.value()].holders;
  const workloads::PageFile& file = world_.files[id.value()];
  return std::has_single_bit(holders) || !file.written || (holders & file.writers) == 0;
}

/// A node's first call is its open. It takes others' rights to cache, if they had any.
void Cephfs::open(WorkerId worker) {
  const FileId id = file_id(worker);
  File& of = file(worker);
  const std::uint32_t own = 1U << world_.workers.node(worker).value();
  if ((of.holders & own) != 0) return;
  const bool could = of.holders != 0 && may_cache(id);
  of.holders |= own;
  if (could && !may_cache(id)) {
    ++revocations_;
    of.revoking = true;
    world_.scheduler.after(settings_.revoke, *this, Kind::revoked, id.value());
  }
}

void Cephfs::call(WorkerId worker) {
  Task& own = task(worker);
  own = Task{};
  own.first = op(worker).first.page;
  open(worker);
  if (file(worker).revoking) return file(worker).opening.push_back(worker);
  opened(worker);
}

void Cephfs::opened(WorkerId worker) {
  const sim::Time now = world_.scheduler.now();
  switch (op(worker).kind) {
    case PageOpKind::reopen:  // rights outlive a close
      return world_.workers.returns(worker, now + world_.node.reopen);
    case PageOpKind::fsync:
      if (flush(file_id(worker))) return file(worker).after_flush.push_back(worker);
      return world_.workers.returns(worker, now + world_.node.system_call);
    case PageOpKind::read:
      return may_cache(file_id(worker)) ? visit(worker) : at_store(worker);
    case PageOpKind::write:
      return may_cache(file_id(worker)) ? lock(worker) : at_store(worker);
    case PageOpKind::append:
    case PageOpKind::truncate:
      return lock(worker);
  }
}

void Cephfs::lock(WorkerId worker) {
  task(worker).locked = true;
  if (file(worker).inode_locks[world_.workers.node(worker).value()].acquire(
          worker, RwLock::Mode::exclusive)) {
    locked(worker);
  }
}

/// Rights may have gone while the worker waited for the lock.
void Cephfs::locked(WorkerId worker) {
  const bool alone = may_cache(file_id(worker));
  switch (op(worker).kind) {
    case PageOpKind::truncate:
      if (flush(file_id(worker))) return file(worker).after_flush.push_back(worker);
      return after_flush(worker);
    case PageOpKind::append:
      if (!alone) return ask_mds(worker);
      task(worker).first = contents_.size(file_id(worker));
      return visit(worker);
    default:
      if (alone) return visit(worker);
      unlock(worker);
      return at_store(worker);
  }
}

void Cephfs::unlock(WorkerId worker) {
  task(worker).locked = false;
  file(worker).inode_locks[world_.workers.node(worker).value()].release(
      RwLock::Mode::exclusive, [this](WorkerId next) {
        world_.scheduler.after(world_.node.lock_handoff, *this, Kind::locked, next.value());
      });
}

/// In the node's page cache, once all pages are there that the call needs.
void Cephfs::visit(WorkerId worker) {
  const PageOpKind kind = op(worker).kind;
  const std::uint32_t epoch = file(worker).epoch;
  const std::uint32_t size = contents_.size(file_id(worker));
  for (std::uint32_t i = 0; i < op(worker).pages; ++i) {
    const bool needed = reads(worker) || (!op(worker).whole && page_of(worker, i).page < size);
    const Page& page = cached(worker, i);
    if (!needed || page.epoch == epoch) continue;
    if (!page.fetching) return fetch(worker, i);
    return waiters_.push_back({pages::number_of(page_of(worker, i)), worker});
  }
  sim::Time ready = world_.scheduler.now();
  for (std::uint32_t i = 0; reads(worker) && i < op(worker).pages; ++i) {
    ready = page_lines_[world_.workers.node(worker).value()][page_of(worker, i)].touch(
        worker.value(), ready, world_.node.line_transfer, 2);
  }
  const sim::Duration each = reads(worker)                ? world_.node.read_hit
                             : kind == PageOpKind::append ? settings_.append
                                                          : world_.node.write_hit;
  world_.scheduler.at(ready + op(worker).pages * each, *this, Kind::done, worker.value());
}

/// One read of the page and those behind it that lie in the same object.
void Cephfs::fetch(WorkerId worker, std::uint32_t index) {
  Task& own = task(worker);
  own.fetches = true;
  own.epoch = file(worker).epoch;
  own.index = index;
  const PageRef first = page_of(worker, index);
  const std::uint32_t most = std::min(op(worker).pages - index, stores_.left_in_object(first.page));
  for (own.run = 0; own.run < most; ++own.run) {
    Page& page = cached(worker, index + own.run);
    if (page.fetching || page.epoch == own.epoch) break;
    page.fetching = true;
  }
  stores_.read(first, own.run, worker.value());
}

void Cephfs::fetched(WorkerId worker) {
  Task& own = task(worker);
  own.fetches = false;
  auto& cache = caches_[world_.workers.node(worker).value()];
  for (std::uint32_t i = 0; i < own.run; ++i) {
    Page& page = cached(worker, own.index + i);
    page.fetching = false;
    page.epoch = own.epoch;
  }
  std::vector<WorkerId> woken;
  std::erase_if(waiters_, [&](const Waiter& waiter) {
    const bool came = world_.workers.node(waiter.worker) == world_.workers.node(worker) &&
                      !cache[waiter.page].fetching;
    if (came) woken.push_back(waiter.worker);
    return came;
  });
  own.index = 0;
  woken.push_back(worker);
  for (const WorkerId each : woken) {
    // What was read is of use once, even when the right to keep it has gone.
    if (may_cache(file_id(each))) {
      visit(each);
    } else {
      if (task(each).locked) unlock(each);
      at_store(each);
    }
  }
}

/// Part by part, an object each.
void Cephfs::at_store(WorkerId worker) {
  Task& own = task(worker);
  if (own.index == 0) ++at_stores_;
  const PageRef first = page_of(worker, own.index);
  own.run = std::min(op(worker).pages - own.index, stores_.left_in_object(first.page));
  if (reads(worker)) {
    stores_.read(first, own.run, worker.value());
  } else {
    stores_.write(first, own.run, worker.value());
  }
}

void Cephfs::stored(std::uint64_t job) {
  if ((job & flush_job) != 0) {
    const FileId id{static_cast<FileId::rep>(job & ~flush_job)};
    if (--files_[id.value()].flushing == 0) flushed(id);
    return;
  }
  const WorkerId worker{static_cast<WorkerId::rep>(job)};
  Task& own = task(worker);
  if (own.fetches) return fetched(worker);
  own.index += own.run;
  if (own.index < op(worker).pages) return at_store(worker);
  done(worker);
}

void Cephfs::done(WorkerId worker) {
  std::uint64_t word = 0;
  File& of = file(worker);
  const bool keeps = may_cache(file_id(worker)) && !of.revoking;
  for (std::uint32_t i = 0; i < op(worker).pages; ++i) {
    const PageRef at = page_of(worker, i);
    if (reads(worker)) {
      const pages::Content content = contents_.at(at);
      world_.workers.saw(worker, at, content.version);
      word = content.word;
      continue;
    }
    contents_.write(world_.workers, worker, at);
    if (!keeps) continue;
    Page& page = cached(worker, i);
    page.epoch = of.epoch;
    of.buffered_by = world_.workers.node(worker);
    if (!page.dirty) of.dirty.push_back(at.page);
    page.dirty = true;
  }
  if (task(worker).locked) unlock(worker);
  world_.workers.returns(worker, world_.scheduler.now(), word);
}

void Cephfs::ask_mds(WorkerId worker, sim::Duration more) {
  const sim::Duration way = settings_.mds_round_trip / 2;
  const sim::Time served = mds_.serve(world_.scheduler.now() + way, settings_.mds_time);
  world_.scheduler.at(served + way + more, *this, Kind::mds_answered, worker.value());
}

/// Who appends takes its place in the file before the lock goes to the next one.
void Cephfs::mds_answered(WorkerId worker) {
  std::uint32_t& size = contents_.size(file_id(worker));
  switch (op(worker).kind) {
    case PageOpKind::append:
      task(worker).first = size;
      size += op(worker).pages;
      unlock(worker);
      return at_store(worker);
    case PageOpKind::truncate:
      contents_.cut(world_.workers, worker, op(worker).first);
      unlock(worker);
      break;
    default:
      break;
  }
  world_.workers.returns(worker, world_.scheduler.now());
}

/// Everything that a loner has changed, an object at a time.
bool Cephfs::flush(FileId id) {
  File& of = files_[id.value()];
  std::ranges::sort(of.dirty);
  auto& cache = caches_[of.buffered_by.value()];
  for (std::size_t i = 0; i < of.dirty.size();) {
    const PageRef first{id, of.dirty[i]};
    const std::uint32_t end = first.page + stores_.left_in_object(first.page);
    std::uint32_t together = 0;
    for (; i < of.dirty.size() && of.dirty[i] < end; ++i, ++together) {
      cache[pages::number_of({id, of.dirty[i]})].dirty = false;
    }
    ++of.flushing;
    stores_.write(first, together, flush_job | id.value());
  }
  of.dirty.clear();
  return of.flushing > 0;
}

void Cephfs::flushed(FileId id) {
  File& of = files_[id.value()];
  for (const WorkerId worker : std::exchange(of.after_flush, {})) after_flush(worker);
  if (of.revoking && of.flushing == 0) take_rights(id);
}

/// The metadata server hears of the new size, or of the one that is wanted; for that it takes back
/// what rights others have.
void Cephfs::after_flush(WorkerId worker) {
  const bool cuts = op(worker).kind == PageOpKind::truncate;
  ask_mds(worker,
          cuts && !std::has_single_bit(file(worker).holders) ? settings_.revoke : sim::Duration{});
}

/// The holders have been told; whoever was alone still has to write what it has changed.
void Cephfs::revoked(FileId id) {
  if (!flush(id)) take_rights(id);
}

void Cephfs::take_rights(FileId id) {
  File& of = files_[id.value()];
  of.revoking = false;
  ++of.epoch;
  for (const WorkerId worker : std::exchange(of.opening, {})) opened(worker);
}

void Cephfs::handle(const sim::Event& event) {
  const WorkerId worker{event.arg};
  switch (static_cast<Kind>(event.kind)) {
    case Kind::locked:
      return locked(worker);
    case Kind::mds_answered:
      return mds_answered(worker);
    case Kind::done:
      return done(worker);
    case Kind::revoked:
      return revoked(FileId{event.arg});
  }
}

void Cephfs::report(ReplicationResult& result) const {
  result.summary.push_back(count_figure("cephfs/calls_at_stores", at_stores_));
  result.summary.push_back(count_figure("cephfs/revocations", revocations_));
  result.summary.push_back(count_figure("cephfs/metadata_requests", mds_.served()));
  const double length = sim::as_seconds(world_.scheduler.now() - sim::Time{});
  const double threads = static_cast<double>(settings_.stores) * settings_.store_threads;
  const auto share = [&](sim::Duration busy, double of) {
    return length > 0 ? sim::as_seconds(busy) / length / of : 0.0;
  };
  result.summary.push_back({"cephfs/stores_busy", share(stores_.busy(), threads)});
  result.summary.push_back({"cephfs/metadata_server_busy", share(mds_.busy(), 1)});
}

void Cephfs::check_idle() const {
  for (const File& file : files_) {
    for (const RwLock& lock : file.inode_locks) lock.check_idle();
    if (file.revoking || file.flushing != 0 || !file.after_flush.empty()) {
      throw sim::InvariantBroken("a file of CephFS waits for stores that owe nothing");
    }
  }
  if (!waiters_.empty()) throw sim::InvariantBroken("a CephFS client waits for pages that came");
}

}  // namespace recirc::model::cephfs
