#include "model/cephfs/cephfs.h"

#include <algorithm>
#include <bit>

#include "sim/error.h"
#include "sim/rng.h"

namespace recirc::model::cephfs {

using pages::FileId;
using pages::PageOpKind;
using pages::PageRef;
using pages::RwLock;
using pages::WorkerId;

Cephfs::Cephfs(const pages::PageWorld& world, const CephfsSettings& settings)
    : world_(world),
      settings_(settings),
      files_(world.files.size()),
      holds_lock_(world.workers.count(), false),
      stores_(settings.stores, pages::Station(settings.store_threads)) {
  for (File& file : files_) file.inode_locks.resize(world.nodes.nodes);
}

/// A loner caches and buffers; several readers cache; any writer among several, and nobody does.
bool Cephfs::may_cache(const File& file, FileId id) const {
  return std::has_single_bit(file.holders) || !world_.files[id.value()].written;
}

/// A node's first call is its open.
void Cephfs::call(WorkerId worker) {
  File& of = file(worker);
  const std::uint32_t own = 1U << world_.workers.node(worker).value();
  const sim::Time now = world_.scheduler.now();
  if ((of.holders & own) == 0) {
    const bool could = of.holders != 0 && may_cache(of, op(worker).first.file);
    of.holders |= own;
    if (could && !may_cache(of, op(worker).first.file)) {
      ++revocations_;
      of.rights_at = now + settings_.revoke;
    }
  }
  if (of.rights_at > now)
    return world_.scheduler.at(of.rights_at, *this, Kind::opened, worker.value());
  opened(worker);
}

void Cephfs::opened(WorkerId worker) {
  File& of = file(worker);
  if (!may_cache(of, op(worker).first.file)) return at_store(worker);
  if (op(worker).kind == PageOpKind::read) return locked(worker);
  holds_lock_[worker.value()] = true;
  if (of.inode_locks[world_.workers.node(worker).value()].acquire(worker,
                                                                  RwLock::Mode::exclusive)) {
    locked(worker);
  }
}

/// In the node's page cache.
void Cephfs::locked(WorkerId worker) {
  const bool reads = op(worker).kind == PageOpKind::read;
  sim::Time ready = world_.scheduler.now();
  for (std::uint32_t i = 0; reads && i < op(worker).pages; ++i) {
    const PageRef page{op(worker).first.file, op(worker).first.page + i};
    ready = page_lines_[page].touch(worker.value(), ready, world_.node.line_transfer, 2);
  }
  const sim::Duration each = reads ? world_.node.read_hit : world_.node.write_hit;
  world_.scheduler.at(ready + op(worker).pages * each, *this, Kind::done, worker.value());
}

/// Calls for one object are carried out one after another; an object lies on one store.
void Cephfs::at_store(WorkerId worker) {
  const PageRef page = op(worker).first;
  const std::uint64_t object =
      (std::uint64_t{page.file.value()} << 32U) | page.page / settings_.object_pages;
  pages::Station& store = stores_[sim::mix64(object) % stores_.size()];
  const sim::Duration service =
      op(worker).kind == PageOpKind::read ? settings_.read : settings_.write;
  sim::Time& last = objects_[object];
  last = store.serve(std::max(world_.scheduler.now(), last), service);
  ++at_stores_;
  world_.scheduler.at(last, *this, Kind::done, worker.value());
}

void Cephfs::done(WorkerId worker) {
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < op(worker).pages; ++i) {
    const PageRef page{op(worker).first.file, op(worker).first.page + i};
    Content& content = contents_[pages::number_of(page)];
    if (op(worker).kind == PageOpKind::read) {
      world_.workers.saw(worker, page, content.version);
    } else {
      content = {world_.workers.write(worker, page), op(worker).word};
    }
    word = content.word;
  }
  if (holds_lock_[worker.value()]) {
    holds_lock_[worker.value()] = false;
    file(worker).inode_locks[world_.workers.node(worker).value()].release(
        RwLock::Mode::exclusive, [this](WorkerId next) {
          world_.scheduler.after(world_.node.lock_handoff, *this, Kind::locked, next.value());
        });
  }
  world_.workers.returns(worker, world_.scheduler.now(), word);
}

void Cephfs::handle(const sim::Event& event) {
  const WorkerId worker{event.arg};
  switch (static_cast<Kind>(event.kind)) {
    case Kind::opened:
      return opened(worker);
    case Kind::locked:
      return locked(worker);
    case Kind::done:
      return done(worker);
  }
}

void Cephfs::report(ReplicationResult& result) const {
  result.summary.push_back(count_figure("cephfs/calls_at_stores", at_stores_));
  result.summary.push_back(count_figure("cephfs/revocations", revocations_));
}

void Cephfs::check_idle() const {
  for (const File& file : files_) {
    for (const RwLock& lock : file.inode_locks) {
      if (!lock.free()) throw sim::InvariantBroken("an inode is locked by nobody");
    }
  }
}

}  // namespace recirc::model::cephfs
