#include "workloads/page_queue.h"

#include <algorithm>

namespace recirc::workloads {
namespace {

constexpr auto bytes_of_page = static_cast<std::uint32_t>(page_size.count());

}  // namespace

PageQueue::PageQueue(const QueueShape& shape, const PageCrew& crew)
    : shape_(shape),
      slots_per_page_(std::max(bytes_of_page / shape.slot_bytes, 1U)),
      pages_per_slot_((shape.slot_bytes + bytes_of_page - 1) / bytes_of_page),
      reopen_(crew.must_reopen),
      sides_(crew.workers()) {}

std::vector<PageFile> PageQueue::files() const {
  const std::uint32_t pages =
      (shape_.slots + slots_per_page_ - 1) / slots_per_page_ * pages_per_slot_;
  return std::vector<PageFile>(sides_.size() / 2, {first_slot_page + pages, true});
}

void PageQueue::aim_at_slot(PageOp& op, std::uint64_t item) const {
  const auto slot = static_cast<std::uint32_t>(item % shape_.slots);
  op.first.page = first_slot_page + slot / slots_per_page_ * pages_per_slot_;
  op.pages = pages_per_slot_;
  op.whole = shape_.slot_bytes % bytes_of_page == 0;
}

PageQueue::Step PageQueue::step_after(const Side& side, bool producer) const {
  if (side.step == Step::reopen) return Step::look;
  const bool must_tell = side.own != side.told;
  if (must_tell && !shape_.batch) return Step::publish;
  const bool may_go = producer ? side.own - side.other < shape_.slots : side.own < side.other;
  if (may_go) return Step::slot;
  if (must_tell) return Step::publish;
  return reopen_ ? Step::reopen : Step::look;
}

PageOp PageQueue::next(WorkerId worker, std::uint64_t word) {
  Side& side = sides_[worker.value()];
  const bool producer = produces(worker);
  if (side.step == Step::look) side.other = word;
  side.step = step_after(side, producer);
  PageOp op;
  op.counts = false;
  op.first.file = queue(worker);
  switch (side.step) {
    case Step::slot:
      op.kind = producer ? PageOpKind::write : PageOpKind::read;
      op.counts = !producer;
      aim_at_slot(op, side.own++);
      break;
    case Step::publish:
      op.kind = PageOpKind::write;
      op.first.page = producer ? put_page : taken_page;
      op.word = side.told = side.own;
      break;
    case Step::reopen:
      op.kind = PageOpKind::reopen;
      break;
    case Step::look:
      op.first.page = producer ? taken_page : put_page;
      break;
  }
  return op;
}

}  // namespace recirc::workloads
