#include "model/fletch/eviction.h"

#include "model/fletch/records.h"

namespace recirc::model::fletch {

std::vector<CacheEntry::Index> Eviction::subtree(const CacheDirectory& directory,
                                                 CacheEntry::Index top) {
  // Parents before children, then turned round.
  std::vector<CacheEntry::Index> found{top};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (CacheEntry::Index child = directory[found[i]].first_child; child != CacheEntry::none;
         child = directory[child].next) {
      found.push_back(child);
    }
  }
  if (directory[top].parent == CacheEntry::none) found.erase(found.begin());
  return {found.rbegin(), found.rend()};
}

std::vector<CacheEntry::Index> Eviction::everything(const CacheDirectory& directory) {
  std::vector<CacheEntry::Index> all;
  std::vector<CacheEntry::Index> roots;
  for (std::uint8_t pipe = 0; pipe < directory.pipes(); ++pipe) {
    const CacheEntry::Index root = directory.find(workloads::PathId{0}, pipe);
    if (root == CacheEntry::none) continue;  // frames are too short for any path
    const std::vector<CacheEntry::Index> below = subtree(directory, root);
    all.insert(all.end(), below.begin(), below.end());
    roots.push_back(root);
  }
  all.insert(all.end(), roots.begin(), roots.end());
  return all;
}

void Eviction::begin(const std::vector<CacheEntry::Index>& leaf_first, EvictionListener& listener) {
  listener_ = &listener;
  leaving_.clear();
  operations_.clear();
  looks_ = 0;
  for (const CacheEntry::Index index : leaf_first) {
    desk_.leaves.removing(index);
    if (!desk_.mutants.skip_evicting) {
      desk_.log.write(ActiveLog::Event::evicting, desk_.directory[index]);
    }
    leaving_.push_back(desk_.directory.remove(index));
    const CacheEntry& entry = leaving_.back();
    append_removal(operations_, entry, desk_.directory.copies(entry.path));
  }
  batch_ = desk_.world.control.submit(operations_, *this, Kind::lookups_removed);
}

void Eviction::handle(const sim::Event& event) {
  if (life_ != desk_.life) return;
  switch (static_cast<Kind>(event.kind)) {
    case Kind::lookups_removed:
      desk_.world.control.release(batch_);
      tell_servers();
      desk_.world.scheduler.after(desk_.settings.grace, *this, Kind::grace_over);
      return;
    case Kind::grace_over:
      // The root goes only when a crash has cut its replay short; it has no counter.
      if (leaving_.back().depth == 0) {
        release(leaving_.back());
        leaving_.pop_back();
      }
      if (leaving_.empty()) return all_released();
      return read_locks();
    case Kind::locks_read:
      return look_at_locks(batch_);
  }
}

void Eviction::tell_servers() {
  desk_.counters.evictions += leaving_.size();
  for (const CacheEntry& entry : leaving_) desk_.tell_owner(Ask::uncached, entry.path);
  if (desk_.sweeps) desk_.left.insert(desk_.left.end(), leaving_.begin(), leaving_.end());
}

void Eviction::read_locks() {
  operations_.clear();
  for (const CacheEntry& entry : leaving_) {
    operations_.push_back(
        read_lock(desk_.world.topology.server_pipe, desk_.locks, desk_.world.tree, entry));
  }
  batch_ = desk_.world.control.submit(operations_, *this, Kind::locks_read);
}

void Eviction::look_at_locks(pipeline::ControlPort::Batch batch) {
  const auto locks = desk_.world.control.values(batch);
  ++looks_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < leaving_.size(); ++i) {
    if (locks[i].low == 0) {
      release(leaving_[i]);
    } else {
      leaving_[kept++] = leaving_[i];
    }
  }
  leaving_.resize(kept);
  desk_.world.control.release(batch);
  if (leaving_.empty()) return all_released();
  if (looks_ < desk_.settings.lock_reads) {
    desk_.world.scheduler.after(desk_.settings.grace, *this, Kind::grace_over);
    return;
  }
  // Other paths share the counter and keep it raised. No packet has the row: grace times ago was
  // the last that could find it.
  desk_.counters.rows_reused_raised += leaving_.size();
  release_all();
}

/// The log hears of it when all are released: it must not lose a path before what is below it.
void Eviction::release(const CacheEntry& entry) {
  desk_.directory.release(entry);
  released_.push_back(entry);
}

void Eviction::all_released() {
  for (const CacheEntry& entry : released_) desk_.log.write(ActiveLog::Event::released, entry);
  released_.clear();
  listener_->released();
}

void Eviction::release_all() {
  for (const CacheEntry& entry : leaving_) release(entry);
  leaving_.clear();
  all_released();
}

}  // namespace recirc::model::fletch
