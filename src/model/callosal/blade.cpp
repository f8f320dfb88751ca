#include "model/callosal/blade.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::model::callosal {

void Blade::fetch(PageNumber page, pages::NodeId requester, std::uint16_t ask) {
  under_read_.push({page, requester, ask});
  const sim::Time start = std::max(free_at_, scheduler_.now());
  free_at_ = start + reads_.time_of(workloads::page_size);
  scheduler_.at(std::max(start + latency_, free_at_), *this, Kind::done);
}

void Blade::handle(const sim::Event& /*event*/) {
  const Wanted wanted = under_read_.front();
  under_read_.pop();
  if (!is_absent(wanted.page)) {
    return reader_.read(number_, wanted.page, wanted.requester, wanted.ask, content(wanted.page));
  }
  const bool is_asked = std::any_of(loading_.begin(), loading_.end(),
                                    [&](const Wanted& other) { return other.page == wanted.page; });
  loading_.push_back(wanted);
  if (!is_asked) store_->read(wanted.page, *this);
}

void Blade::store(PageNumber page, const Content& data) {
  contents_[page] = data;
  if (durability_ == nullptr) return;
  bool& changed = changed_[page];
  if (changed) return;
  changed = true;
  durability_->came();
  changed_of_[file_of(page).value()].push_back(page);
}

/// Waits also for writes of the file that are under way already.
void Blade::sync(PageNumber page, pages::NodeId node, std::uint32_t number) {
  const std::uint32_t sync = syncs_.take();
  syncs_[sync] = Sync{page, node, number, 1};
  for (const std::uint32_t write : under_way_) {
    if (writes_[write].file != file_of(page)) continue;
    writes_[write].syncs.push_back(sync);
    ++syncs_[sync].left;
  }
  std::vector<PageNumber> pages;
  pages.swap(changed_of_[file_of(page).value()]);
  for (const PageNumber changed : pages) {
    changed_[changed] = false;
    write(changed, sync);
  }
  done_for(sync);
}

void Blade::write(PageNumber page, std::uint32_t sync) {
  ++syncs_[sync].left;
  const std::uint32_t number = writes_.take();
  writes_[number].file = file_of(page);
  writes_[number].syncs.assign(1, sync);
  under_way_.push_back(number);
  store_->write(number, *this);
}

void Blade::written(std::uint32_t number) {
  durability_->written();
  under_way_.erase(std::find(under_way_.begin(), under_way_.end(), number));
  const std::vector<std::uint32_t> syncs = writes_[number].syncs;
  writes_.give_back(number);
  for (const std::uint32_t sync : syncs) done_for(sync);
}

void Blade::done_for(std::uint32_t sync) {
  if (--syncs_[sync].left != 0) return;
  const Sync done = syncs_[sync];
  syncs_.give_back(sync);
  reader_.synced(number_, done.page, done.node, done.number);
}

bool Blade::is_absent(PageNumber page) const {
  if (absent_ == nullptr || is_inode(page) || contents_.find(page) != nullptr) return false;
  return static_cast<std::uint32_t>(page) < (*absent_)[file_of(page).value()].pages;
}

void Blade::loaded(PageNumber page) {
  if (contents_.find(page) == nullptr) contents_[page] = Content{};
  std::vector<Wanted> others;
  std::vector<Wanted> ready;
  for (const Wanted& wanted : loading_) (wanted.page == page ? ready : others).push_back(wanted);
  loading_ = std::move(others);
  for (const Wanted& wanted : ready) {
    reader_.read(number_, page, wanted.requester, wanted.ask, content(page));
  }
}

void Blade::check_idle() const {
  if (!under_read_.empty() || !loading_.empty() || syncs_.in_use() != 0)
    throw sim::InvariantBroken("a memory blade waits for a page");
}

}  // namespace recirc::model::callosal
