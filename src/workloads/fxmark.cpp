#include "workloads/fxmark.h"

namespace recirc::workloads {

std::vector<PageFile> Fxmark::files() const {
  const auto workers = static_cast<std::uint32_t>(calls_.size());
  switch (loop_.sharing) {
    case Sharing::low:
      return std::vector<PageFile>(workers, {loop_.writing == PageOpKind::append ? 0U : 1U, true});
    case Sharing::medium:
      return {{workers * region_pages, true}};
    case Sharing::high:
      break;
  }
  return {{1, true}};
}

bool Fxmark::writes(WorkerId worker) {
  if (loop_.write_ratio <= 0 || loop_.write_ratio >= 1) return loop_.write_ratio > 0;
  return rng_.at(worker.value()).at(calls_[worker.value()]++).next_unit() < loop_.write_ratio;
}

PageOp Fxmark::next(WorkerId worker, std::uint64_t /*word*/) {
  PageOp op;
  op.kind = writes(worker) ? loop_.writing : PageOpKind::read;
  op.first.file = FileId{loop_.sharing == Sharing::low ? worker.value() : 0};
  op.first.page = loop_.sharing == Sharing::medium ? worker.value() * region_pages : 0;
  return op;
}

}  // namespace recirc::workloads
