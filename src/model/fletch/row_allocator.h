#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace recirc::model::fletch {

/// The rows of the switch's value store. A record takes slots of one row, not always neighbours,
/// because all arrays are read at one index in a pass; what is left of a row may be too small for
/// any record, so rows fragment as they do in the switch.
class RowAllocator {
 public:
  static constexpr unsigned slots_per_row = 16;

  explicit RowAllocator(std::uint32_t rows) : free_(rows, all_free) {}

  struct Place {
    std::uint16_t row = 0;
    std::uint16_t slots = 0;  ///< bit set
  };
  /// First fit: the lowest row with `slots` (1..16) free ones, and the lowest of them.
  std::optional<Place> allocate(unsigned slots);
  void release(const Place& place);
  /// Takes this place, which is free.
  void take(const Place& place);
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(free_.size()); }

  [[nodiscard]] std::uint32_t rows_used() const { return rows_used_; }
  [[nodiscard]] std::uint32_t slots_used() const { return slots_used_; }
  /// Free slots of rows that have fewer free ones than the smallest record takes.
  [[nodiscard]] std::uint32_t slots_fragmented(unsigned smallest) const;

 private:
  static constexpr std::uint16_t all_free = 0xffff;

  std::vector<std::uint16_t> free_;  ///< by row: bit set of free slots
  /// By number of slots wanted: no lower row has that many free ones.
  std::array<std::uint32_t, slots_per_row + 1> first_fit_{};
  std::uint32_t rows_used_ = 0;
  std::uint32_t slots_used_ = 0;
};

}  // namespace recirc::model::fletch
