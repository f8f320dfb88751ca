#include "model/fletch/row_allocator.h"

#include <algorithm>
#include <bit>

#include "sim/error.h"

namespace recirc::model::fletch {

std::optional<RowAllocator::Place> RowAllocator::allocate(unsigned slots) {
  std::uint32_t& row = first_fit_[slots];
  while (row < free_.size() && static_cast<unsigned>(std::popcount(free_[row])) < slots) ++row;
  if (row == free_.size()) return std::nullopt;
  unsigned left = free_[row];
  for (unsigned i = 0; i < slots; ++i) left &= left - 1;  // takes the lowest away
  const auto taken = static_cast<std::uint16_t>(free_[row] & ~left);
  if (free_[row] == all_free) ++rows_used_;
  free_[row] = static_cast<std::uint16_t>(left);
  slots_used_ += slots;
  return Place{static_cast<std::uint16_t>(row), taken};
}

std::uint32_t RowAllocator::slots_fragmented(unsigned smallest) const {
  std::uint32_t slots = 0;
  for (const std::uint16_t free : free_) {
    const auto count = static_cast<unsigned>(std::popcount(free));
    if (count < smallest) slots += count;
  }
  return slots;
}

void RowAllocator::take(const Place& place) {
  std::uint16_t& free = free_[place.row];
  if ((free & place.slots) != place.slots) {
    throw sim::InvariantBroken("a slot of a row was taken twice");
  }
  if (free == all_free) ++rows_used_;
  free = static_cast<std::uint16_t>(free & ~place.slots);
  slots_used_ += static_cast<std::uint32_t>(std::popcount(place.slots));
}

void RowAllocator::release(const Place& place) {
  std::uint16_t& free = free_[place.row];
  if ((free & place.slots) != 0) throw sim::InvariantBroken("a slot of a row was released twice");
  free = static_cast<std::uint16_t>(free | place.slots);
  slots_used_ -= static_cast<std::uint32_t>(std::popcount(place.slots));
  if (free == all_free) --rows_used_;
  for (std::uint32_t& row : first_fit_) row = std::min<std::uint32_t>(row, place.row);
}

}  // namespace recirc::model::fletch
