#include "model/local_fs/local_fs.h"

namespace recirc::model::local_fs {

using pages::PageOp;
using pages::PageOpKind;
using pages::RwLock;
using pages::WorkerId;

LocalFs::LocalFs(const pages::PageWorld& world, const LocalFsSettings& settings)
    : world_(world),
      settings_(settings),
      inode_locks_(world.files.size()),
      contents_(world.files) {}

void LocalFs::call(WorkerId worker) {
  const PageOp& op = world_.workers.op(worker);
  switch (op.kind) {
    case PageOpKind::read:
      return read(worker);
    case PageOpKind::fsync:
    case PageOpKind::reopen:
      return world_.workers.returns(worker, world_.scheduler.now() + time_of(op));
    case PageOpKind::write:
    case PageOpKind::append:
    case PageOpKind::truncate:
      if (inode_locks_[op.first.file.value()].acquire(worker, RwLock::Mode::exclusive)) {
        hold(worker, {});
      }
  }
}

void LocalFs::read(WorkerId worker) {
  const PageOp& op = world_.workers.op(worker);
  sim::Time ready = world_.scheduler.now();
  for (std::uint32_t i = 0; i < op.pages; ++i) {
    const pages::PageRef page{op.first.file, op.first.page + i};
    ready = page_lines_[page].touch(worker.value(), ready, world_.node.line_transfer,
                                    settings_.read_line_writes);
  }
  const std::uint64_t word = contents_.carry_out(world_.workers, worker);
  world_.workers.returns(worker, ready + time_of(op), word);
}

sim::Duration LocalFs::time_of(const PageOp& op) const {
  switch (op.kind) {
    case PageOpKind::read:
      return op.pages * world_.node.read_hit;
    case PageOpKind::write:
      return op.pages * settings_.write;
    case PageOpKind::append:
      return op.pages * settings_.append;
    case PageOpKind::truncate:
      return settings_.truncate;
    case PageOpKind::fsync:
      return settings_.fsync;
    case PageOpKind::reopen:
      break;
  }
  return world_.node.reopen;
}

/// The semaphore is the worker's after `before`.
void LocalFs::hold(WorkerId worker, sim::Duration before) {
  world_.scheduler.after(before + time_of(world_.workers.op(worker)), *this, Kind::release,
                         worker.value());
}

void LocalFs::handle(const sim::Event& event) {
  const WorkerId worker{event.arg};
  const std::uint64_t word = contents_.carry_out(world_.workers, worker);
  RwLock& lock = inode_locks_[world_.workers.op(worker).first.file.value()];
  lock.release(RwLock::Mode::exclusive,
               [this](WorkerId next) { hold(next, world_.node.lock_handoff); });
  world_.workers.returns(worker, event.at, word);
}

void LocalFs::check_idle() const {
  for (const RwLock& lock : inode_locks_) lock.check_idle();
}

}  // namespace recirc::model::local_fs
