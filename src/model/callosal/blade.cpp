#include "model/callosal/blade.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::model::callosal {

void Blade::fetch(PageNumber page, pages::NodeId requester, std::uint16_t ask) {
  waiting_.push({page, requester, ask});
  if (waiting_.size() == 1) scheduler_.after(read_time_, *this, Kind::done);
}

void Blade::handle(const sim::Event& /*event*/) {
  const Wanted wanted = waiting_.front();
  waiting_.pop();
  if (!waiting_.empty()) scheduler_.after(read_time_, *this, Kind::done);
  if (!is_absent(wanted.page)) {
    return reader_.read(number_, wanted.page, wanted.requester, wanted.ask, content(wanted.page));
  }
  const bool is_asked = std::any_of(loading_.begin(), loading_.end(),
                                    [&](const Wanted& other) { return other.page == wanted.page; });
  loading_.push_back(wanted);
  if (!is_asked) store_->read(wanted.page, *this);
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
  if (!loading_.empty()) throw sim::InvariantBroken("a memory blade waits for a page");
}

}  // namespace recirc::model::callosal
