#include "model/local_fs/local_fs.h"

#include "sim/error.h"

namespace recirc::model::local_fs {

using pages::PageOp;
using pages::PageOpKind;
using pages::RwLock;
using pages::WorkerId;

LocalFs::LocalFs(const pages::PageWorld& world, const LocalFsSettings& settings)
    : world_(world), settings_(settings), inode_locks_(world.files.size()) {}

void LocalFs::call(WorkerId worker) {
  const PageOp& op = world_.workers.op(worker);
  if (op.kind == PageOpKind::read) return read(worker);
  if (inode_locks_[op.first.file.value()].acquire(worker, RwLock::Mode::exclusive)) {
    hold(worker, {});
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
  see(worker);
  world_.workers.returns(worker, ready + op.pages * world_.node.read_hit);
}

/// The semaphore is the worker's after `before`.
void LocalFs::hold(WorkerId worker, sim::Duration before) {
  const PageOp& op = world_.workers.op(worker);
  const sim::Duration page = op.kind == PageOpKind::append ? settings_.append : settings_.write;
  world_.scheduler.after(before + op.pages * page, *this, Kind::release, worker.value());
}

void LocalFs::see(WorkerId worker) {
  const PageOp& op = world_.workers.op(worker);
  for (std::uint32_t i = 0; i < op.pages; ++i) {
    const pages::PageRef page{op.first.file, op.first.page + i};
    Content& content = contents_[pages::number_of(page)];
    if (op.kind == PageOpKind::read) {
      world_.workers.saw(worker, page, content.version);
    } else {
      content = {world_.workers.write(worker, page), op.word};
    }
  }
}

void LocalFs::handle(const sim::Event& event) {
  const WorkerId worker{event.arg};
  see(worker);
  RwLock& lock = inode_locks_[world_.workers.op(worker).first.file.value()];
  lock.release(RwLock::Mode::exclusive,
               [this](WorkerId next) { hold(next, world_.node.lock_handoff); });
  world_.workers.returns(worker, event.at);
}

void LocalFs::check_idle() const {
  for (const RwLock& lock : inode_locks_) {
    if (!lock.free()) throw sim::InvariantBroken("an inode is locked by nobody");
  }
}

}  // namespace recirc::model::local_fs
