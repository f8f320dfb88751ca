#include "model/callosal/node.h"
#include "sim/error.h"

// Write-back. A file is made durable by sending the pages that this node has changed to memory, and
// then telling the blades to bring all that they have of the file to the store. Pages that went to
// other nodes have passed memory, so that all that this node's threads have written is among them.

namespace recirc::model::callosal {

using pages::FileId;
using pages::WorkerId;

void Node::note_changed(std::uint32_t slot) {
  if (!settings_.write_back) return;
  if (unsynced_.add(file_of(pages_[slot].number), slot)) durability_.changed();
}

/// The page is on its way to memory, from where the blade answers for it.
void Node::note_sent(std::uint32_t slot) {
  if (!unsynced_.remove(slot)) return;
  durability_.sent();
  let_writers_go();
}

/// `worker` waits, or nobody does.
void Node::sync(FileId file, std::uint32_t worker) {
  const std::uint32_t number = syncs_.take();
  syncs_[number] = Sync{file, worker, 0, 0};
  const std::int64_t pages = unsynced_.count(file);
  world_.scheduler.after(world_.node.system_call + pages * settings_.serve, *this, Kind::flushed,
                         number);
}

void Node::flushed(std::uint32_t number) {
  Sync& sync = syncs_[number];
  for (const std::uint32_t slot : unsynced_.take(sync.file)) {
    durability_.sent();
    const Page& page = pages_[slot];
    network_.put_back(id_, page.number, page.data, page.round);
    ++sync.pages;
  }
  syncing_ += sync.pages;
  sync.blades = settings_.blades;
  network_.sync(id_, sync.file, number);
}

void Node::synced(std::uint32_t number) {
  Sync& sync = syncs_[number];
  if (--sync.blades != 0) return;
  syncing_ -= sync.pages;
  const std::uint32_t worker = sync.worker;
  syncs_.give_back(number);
  if (worker != nobody) {
    world_.workers.returns(WorkerId{worker}, world_.scheduler.now());
  } else {
    writing_back_ = false;
  }
  let_writers_go();
  write_back();
}

/// Linux: the flusher works while more than a share of memory is dirty.
void Node::write_back() {
  if (writing_back_ || unsynced_.count() <= settings_.dirty_background) return;
  writing_back_ = true;
  sync(unsynced_.next_file(), nobody);
}

/// Linux: balance_dirty_pages(), at the end of a write.
bool Node::must_wait() const {
  return settings_.write_back && unsynced_.count() + syncing_ > settings_.dirty_limit;
}

void Node::let_writers_go() {
  while (!held_back_.empty() && !must_wait()) {
    const WorkerId worker = held_back_.front();
    held_back_.pop();
    world_.workers.returns(worker, world_.scheduler.now(), task(worker).word);
  }
}

void Node::check_synced() const {
  if (syncs_.in_use() != 0 || !held_back_.empty()) {
    throw sim::InvariantBroken("a node waits for a file to be durable");
  }
}

}  // namespace recirc::model::callosal
