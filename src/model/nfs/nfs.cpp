#include "model/nfs/nfs.h"

#include "sim/error.h"

namespace recirc::model::nfs {

using pages::PageOpKind;
using pages::PageRef;
using pages::RwLock;
using pages::WorkerId;

Nfs::Nfs(const pages::PageWorld& world, const NfsSettings& settings)
    : world_(world),
      settings_(settings),
      clients_(world.nodes.nodes),
      index_(world.workers.count(), 0),
      server_(settings.server_threads) {
  for (Client& client : clients_) {
    client.inode_locks.resize(world.files.size());
    client.inode_lines.resize(world.files.size());
  }
}

void Nfs::call(WorkerId worker) {
  index_[worker.value()] = 0;
  const std::uint32_t file = op(worker).first.file.value();
  const bool reads = op(worker).kind == PageOpKind::read;
  if (client(worker).inode_locks[file].acquire(
          worker, reads ? RwLock::Mode::shared : RwLock::Mode::exclusive)) {
    locked(worker);
  }
}

/// Readers hold the semaphore together, but each writes its word twice.
void Nfs::locked(WorkerId worker) {
  if (op(worker).kind != PageOpKind::read) return visit(worker);
  const sim::Time ready = client(worker).inode_lines[op(worker).first.file.value()].touch(
      worker.value(), world_.scheduler.now(), world_.node.line_transfer,
      settings_.semaphore_line_writes);
  world_.scheduler.at(ready, *this, Kind::answered, worker.value());
}

/// The page at hand: from the cache, or from the server first. A whole page that is overwritten
/// need not be read.
void Nfs::visit(WorkerId worker) {
  const PageRef page{op(worker).first.file, op(worker).first.page + index_[worker.value()]};
  Content& content = client(worker).pages[pages::number_of(page)];
  const bool reads = op(worker).kind == PageOpKind::read;
  if (reads && !content.cached) {
    content.cached = true;
    const sim::Duration way = settings_.round_trip / 2;
    content.comes = server_.serve(world_.scheduler.now() + way, settings_.server_time) + way;
  }
  if (reads && content.comes > world_.scheduler.now()) {
    return world_.scheduler.at(content.comes, *this, Kind::answered, worker.value());
  }
  content.cached = true;
  const sim::Time ready =
      reads ? client(worker).page_lines[page].touch(worker.value(), world_.scheduler.now(),
                                                    world_.node.line_transfer, 2)
            : world_.scheduler.now();
  world_.scheduler.at(ready + (reads ? world_.node.read_hit : world_.node.write_hit), *this,
                      Kind::copied, worker.value());
}

void Nfs::copied(WorkerId worker) {
  const std::uint32_t file = op(worker).first.file.value();
  const PageRef page{op(worker).first.file, op(worker).first.page + index_[worker.value()]};
  Content& content = client(worker).pages[pages::number_of(page)];
  const bool reads = op(worker).kind == PageOpKind::read;
  if (reads) {
    world_.workers.saw(worker, page, content.version);
  } else {
    content.version = world_.workers.write(worker, page);
    content.word = op(worker).word;
  }
  if (++index_[worker.value()] < op(worker).pages) return visit(worker);
  client(worker).inode_locks[file].release(
      reads ? RwLock::Mode::shared : RwLock::Mode::exclusive, [this](WorkerId next) {
        world_.scheduler.after(world_.node.lock_handoff, *this, Kind::locked, next.value());
      });
  world_.workers.returns(worker, world_.scheduler.now(), content.word);
}

void Nfs::handle(const sim::Event& event) {
  const WorkerId worker{event.arg};
  switch (static_cast<Kind>(event.kind)) {
    case Kind::locked:
      return locked(worker);
    case Kind::answered:
      return visit(worker);
    case Kind::copied:
      return copied(worker);
  }
}

void Nfs::report(ReplicationResult& result) const {
  result.summary.push_back(count_figure("server_requests", server_.served()));
}

void Nfs::check_idle() const {
  for (const Client& client : clients_) {
    for (const RwLock& lock : client.inode_locks) {
      if (!lock.free()) throw sim::InvariantBroken("an inode is locked by nobody");
    }
  }
}

}  // namespace recirc::model::nfs
