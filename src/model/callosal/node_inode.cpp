#include <algorithm>

#include "model/callosal/node.h"

// Sizes of files and who may change them. A file has a lock of each node, as Linux has it, and a
// shadow inode: a page that nodes share through the directory. Who holds that page to read keeps
// others from changing the size, and who holds it to write keeps them from reading it. The order is
// lock of the node, inode, then one page of the file after another; a thread that waits for a lock
// or an inode has no page.

namespace recirc::model::callosal {

using pages::PageOpKind;
using pages::RwLock;
using pages::WorkerId;

/// The page that was kept for this writer would be kept long, and for ever if whoever wants it has
/// the inode.
void Node::give_up_kept(WorkerId worker) {
  const pages::PageRef first = op(worker).first;
  const std::uint32_t* const slot = slots_.find(pages::number_of(first));
  if (slot == nullptr || pages_[*slot].invalidation == nobody) return;
  const Page& inode = pages_[page_of(pages::number_of(inode_of(first.file)))];
  const bool is_here = inode.state != State::invalid && inode.holder == nobody;
  if (is_here || pages_[*slot].holder != nobody) return;
  pages_[*slot].passed = settings_.local_batch;
  unlock(*slot);
}

void Node::begin_empty() {
  began_empty_ = true;
  for (std::uint32_t file = 0; file < inodes_.size(); ++file) {
    page_of(pages::number_of(inode_of(pages::FileId{file})));
  }
}

/// The lock of the node is the worker's.
void Node::lock_inode(WorkerId worker) {
  give_up_kept(worker);
  Task& own = task(worker);
  own.at_inode = true;
  own.changes_inode = op(worker).kind != PageOpKind::write || settings_.mtime == sim::Duration{};
  lock_page(worker);
}

/// So is the inode, and it is here.
void Node::inode_locked(WorkerId worker, std::uint32_t slot) {
  Task& own = task(worker);
  const Content inode = pages_[slot].data;
  own.at_inode = own.locked = false;
  if (reads(worker)) {
    unlock(slot);
    return read_within(worker, inode);
  }
  const bool grows = own.first + own.pages > size_in(inode);
  if (!own.changes_inode && (grows || is_out_of_date(inode))) {
    own.at_inode = own.changes_inode = true;
    return page_locked(worker);
  }
  own.has_inode = true;
  if (own.changes_inode) set_time(slot);
  if (op(worker).kind == PageOpKind::truncate) return truncate(worker, slot);
  if (op(worker).kind == PageOpKind::append) own.first = size_in(inode);
  visit(worker);
}

/// The new size first, then page after page, so that nobody has any of them.
void Node::truncate(WorkerId worker, std::uint32_t inode) {
  Task& own = task(worker);
  const std::uint32_t size = size_in(pages_[inode].data);
  own.pages = size - std::min(size, own.first);
  if (size != own.first) set_size(worker, inode, own.first);
  if (own.pages == 0) return finish(worker, world_.node.system_call);
  visit(worker);
}

void Node::set_size(WorkerId worker, std::uint32_t inode, std::uint32_t pages) {
  Page& page = pages_[inode];
  page.data = {world_.workers.write(worker, inode_of(op(worker).first.file)),
               tick_in(page.data) << 32U | pages};
  ++page.changes;
  note_changed(inode);
}

std::uint64_t Node::tick() const {
  const auto now = static_cast<std::uint64_t>(world_.scheduler.now().time_since_epoch().count());
  return settings_.mtime->count() == 0
             ? 0
             : (now / static_cast<std::uint64_t>(settings_.mtime->count())) & ~std::uint32_t{0};
}

/// Linux: file_update_time(), before the data.
bool Node::is_out_of_date(const Content& inode) const {
  return settings_.mtime && (settings_.mtime->count() == 0 || tick_in(inode) != tick());
}

void Node::set_time(std::uint32_t inode) {
  if (!settings_.mtime) return;
  Page& page = pages_[inode];
  page.data.word = tick() << 32U | size_in(page.data);
  ++page.changes;
  note_changed(inode);
}

/// The page at hand has been written: readers may go so far, before it is unlocked (Linux).
void Node::grow(WorkerId worker) {
  const std::uint32_t end = page_ref(worker).page + 1;
  const std::uint32_t inode = inodes_[op(worker).first.file.value()];
  if (end > size_in(pages_[inode].data)) set_size(worker, inode, end);
}

/// The size is looked at before each page; beyond the end there is nothing to read.
void Node::read(WorkerId worker) {
  const std::uint32_t file = op(worker).first.file.value();
  const std::uint32_t inode = inodes_[file];
  if (inode == nobody) return read_within(worker, {0, world_.files[file].pages});
  const Page& page = pages_[inode];
  if (page.state != State::invalid && page.invalidation == nobody) {
    return read_within(worker, page.data);
  }
  task(worker).at_inode = true;
  lock_page(worker);
}

/// A page that is to be given up is not read any more, so that a read sees all writes that were
/// over when it began: it waits behind whoever has the page's lock.
void Node::read_within(WorkerId worker, const Content& size) {
  const pages::PageRef ref = page_ref(worker);
  const bool is_beyond = ref.page >= size_in(size);
  if (is_beyond || size.version != 0) {
    world_.workers.saw(worker, inode_of(ref.file), size.version);
  }
  if (is_beyond) {
    task(worker).word = 0;
    return finish(worker, world_.node.system_call);
  }
  const std::uint32_t slot = page_of(pages::number_of(ref));
  const Page& page = pages_[slot];
  if (page.state == State::invalid || page.invalidation != nobody) return lock_page(worker);
  copy(worker, slot);
}

void Node::finish(WorkerId worker, sim::Duration after) {
  Task& own = task(worker);
  const std::uint32_t file = op(worker).first.file.value();
  if (own.has_inode) unlock(inodes_[file]);
  if (!reads(worker) && settings_.inode_locks) {
    inode_locks_[file].release(RwLock::Mode::exclusive, [this](WorkerId next) {
      world_.scheduler.after(world_.node.lock_handoff, *this, Kind::inode_locked, next.value());
    });
  }
  if (!reads(worker)) {
    write_back();
    if (must_wait()) {
      ++counters_.held_back;
      return held_back_.push(worker);
    }
  }
  world_.workers.returns(worker, world_.scheduler.now() + after, own.word);
}

}  // namespace recirc::model::callosal
