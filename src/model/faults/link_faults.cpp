#include "model/faults/link_faults.h"

namespace recirc::model::faults {
namespace {

sim::Duration part_of(sim::Duration most, double share) {
  return sim::Duration{static_cast<std::int64_t>(static_cast<double>(most.count()) * share)};
}

}  // namespace

Fate LinkFaults::fate(LinkKind link, Direction direction, std::uint64_t message) {
  const LinkFaultSettings& settings = settings_[static_cast<std::size_t>(link)];
  if (!settings.any()) return {};
  const std::uint64_t leg =
      2 * static_cast<std::uint64_t>(link) + static_cast<std::uint64_t>(direction);
  sim::CounterRng draws = draws_.at(message).at(leg);
  // Each question has its own draw, asked or not: a setting shifts no other one's answers.
  const bool lost = draws.next_unit() < settings.loss;
  const bool duplicated = draws.next_unit() < settings.duplication;
  const bool held = draws.next_unit() < settings.reordering;
  const double delay = draws.next_unit();
  const double copy_late = draws.next_unit();
  if (lost) {
    ++lost_;
    return {.lost = true};
  }
  Fate fate;
  fate.duplicated = duplicated;
  fate.late = part_of(settings.delay, delay);
  fate.copy_late = fate.late + part_of(settings.held_for, copy_late);
  if (held) fate.late += settings.held_for;
  duplicated_ += duplicated ? 1U : 0U;
  held_ += held ? 1U : 0U;
  return fate;
}

}  // namespace recirc::model::faults
