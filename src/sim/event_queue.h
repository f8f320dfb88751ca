#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/event.h"

namespace recirc::sim {

/// A hierarchical timing wheel whose tick is the picosecond, so that it orders exactly: level l has
/// a slot for each value of digit l of the time in base 64, and an event lies at the highest level
/// where its time differs from the wheel's. Pushing and popping take constant time; an event moves
/// to a lower level only when others share its slot. Slots are in the order of insertion and events
/// of one time are always in one slot, so that ties need no comparison.
/// Why this and no heap: docs/decisions/0014-event-queue.md.
class TimingWheel {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The event that fires first; valid until the next push. Not const: it may spread a slot.
  [[nodiscard]] const Event& top() {
    const Place first = first_place();
    const std::vector<Event>& slot = slots_[first.level][first.digit];
    if (first.level == 0) return slot[popped_];
    if (slot.size() == 1) return slot.front();
    spread(first);
    return slots_[0][digit_of(base_, 0)].front();
  }

  /// Events of one time must be pushed in the order in which they shall fire.
  void push(const Event& event) {
    if (ticks(event) < base_) [[unlikely]]
      turn_back(ticks(event));
    ++size_;
    insert(event);
  }

  /// Removes what top() shows; call top() first.
  void pop() {
    const Place first = first_place();
    std::vector<Event>& slot = slots_[first.level][first.digit];
    base_ = ticks(slot[popped_]);
    --size_;
    if (++popped_ < slot.size()) return;
    popped_ = 0;
    slot.clear();
    unmark(first);
  }

 private:
  static constexpr unsigned digit_bits = 6;  // so that one word tells which slots are in use
  static constexpr unsigned width = 1U << digit_bits;
  static constexpr unsigned levels = (63 + digit_bits - 1) / digit_bits;

  struct Place {
    unsigned level;
    unsigned digit;
  };

  static std::uint64_t ticks(const Event& event) {
    return static_cast<std::uint64_t>(event.at.time_since_epoch().count());
  }
  static unsigned digit_of(std::uint64_t time, unsigned level) {
    return static_cast<unsigned>(time >> (level * digit_bits)) % width;
  }

  [[nodiscard]] Place first_place() const {
    if (levels_in_use_ == 0) __builtin_unreachable();  // g++ 14 warns of the level it would give
    const auto level = static_cast<unsigned>(std::countr_zero(levels_in_use_));
    return {level, static_cast<unsigned>(std::countr_zero(slots_in_use_[level]))};
  }

  void insert(const Event& event) {
    const std::uint64_t time = ticks(event);
    const auto highest = static_cast<unsigned>(63 - std::countl_zero((time ^ base_) | 1U));
    const unsigned level = highest / digit_bits;
    const unsigned digit = digit_of(time, level);
    levels_in_use_ |= std::uint64_t{1} << level;
    slots_in_use_[level] |= std::uint64_t{1} << digit;
    slots_[level][digit].push_back(event);
  }

  void unmark(Place place) {
    slots_in_use_[place.level] &= ~(std::uint64_t{1} << place.digit);
    if (slots_in_use_[place.level] == 0) levels_in_use_ &= ~(std::uint64_t{1} << place.level);
  }

  [[gnu::flatten]] void spread(Place place);
  void turn_back(std::uint64_t time);

  std::size_t size_ = 0;
  std::size_t popped_ = 0;  ///< of the first slot; only at level 0 it may hold more than one event
  std::uint64_t base_ = 0;  ///< the wheel's time: no event's is before it
  std::uint64_t levels_in_use_ = 0;
  std::array<std::uint64_t, levels> slots_in_use_{};
  std::array<std::array<std::vector<Event>, width>, levels> slots_;
};

/// The queue that the scheduler uses: any type with this interface may stand here.
using EventQueue = TimingWheel;

}  // namespace recirc::sim
