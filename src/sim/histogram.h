#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace recirc::sim {

/// A log-linear histogram of non-negative integers (picoseconds, bytes, counts).
///
/// Each power of two is cut into 128 equal bins, so a value read back is within 0.4 % of the one
/// recorded; below 256 bins are exact. Sum and extremes are exact. Mergeable.
class Histogram {
 public:
  static constexpr unsigned precision_bits = 7;

  void record(std::int64_t value);
  void merge(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::int64_t min() const { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::int64_t max() const { return max_; }
  [[nodiscard]] double mean() const;
  /// The smallest recorded value (to the bin's precision) that at least a share q of all values do
  /// not exceed; q = 1 is the exact maximum. 0 when empty.
  [[nodiscard]] std::int64_t quantile(double q) const;

  struct Bin {
    std::int64_t low;   ///< smallest value of the bin
    std::int64_t high;  ///< largest value of the bin
    std::uint64_t count;
  };
  /// The bins that hold something, in order.
  [[nodiscard]] std::vector<Bin> bins() const;

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  __int128 sum_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
};

}  // namespace recirc::sim
