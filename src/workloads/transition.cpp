#include "workloads/transition.h"

namespace recirc::workloads {

std::span<const sim::config::EnumName> names_of(Before /*before*/) {
  static constexpr sim::config::EnumName names[] = {
      {"invalid", Before::invalid, "no node has the page"},
      {"shared", Before::shared, "nodes have read it"},
      {"modified", Before::modified, "a node has written it"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(Asked /*asked*/) {
  static constexpr sim::config::EnumName names[] = {{"read", Asked::read, "another node reads it"},
                                                    {"write", Asked::write, "another writes it"}};
  return names;
}

bool Transition::prepares(WorkerId worker) const {
  const std::uint32_t node = worker.value() / crew_.threads;
  switch (shape_.from) {
    case Before::shared:
      return node < shape_.sharers;
    case Before::modified:
      return node == 0;
    case Before::invalid:
      break;
  }
  return false;
}

bool Transition::has_next(WorkerId worker) const {
  const bool works = worker.value() % crew_.threads == 0 && (is_timed(worker) || prepares(worker));
  return works && calls_[worker.value()] < shape_.pages;
}

PageOp Transition::next(WorkerId worker, std::uint64_t /*word*/) {
  const std::uint32_t call = calls_[worker.value()]++;
  PageOp op;
  op.counts = is_timed(worker);
  const bool writes = op.counts ? shape_.to == Asked::write : shape_.from == Before::modified;
  op.kind = writes ? PageOpKind::write : PageOpKind::read;
  op.first = {FileId{0}, call * pages_apart};
  op.earliest = sim::Time{call * period + (op.counts ? period / 2 : sim::Duration{})};
  return op;
}

}  // namespace recirc::workloads
