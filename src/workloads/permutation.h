#pragma once

#include <array>
#include <cstdint>

namespace recirc::workloads {

/// A keyed bijection of [0, n) without a table: rounds of invertible steps on the next power of
/// two, walked until the value falls below n (at most two rounds of walking on average).
class Permutation {
 public:
  /// n in 1..2^63.
  Permutation(std::uint64_t n, std::uint64_t key);

  [[nodiscard]] std::uint64_t size() const { return n_; }
  /// Where x < n goes.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const {
    do x = scramble(x);
    while (x >= n_);
    return x;
  }
  /// What goes to y < n.
  [[nodiscard]] std::uint64_t inverse(std::uint64_t y) const {
    do y = unscramble(y);
    while (y >= n_);
    return y;
  }

 private:
  struct Round {
    std::uint64_t offset;
    std::uint64_t multiplier;  ///< odd
    std::uint64_t inverse;     ///< of the multiplier, modulo the power of two
  };

  [[nodiscard]] std::uint64_t scramble(std::uint64_t x) const {
    for (const Round& round : rounds_) {
      x = ((x + round.offset) * round.multiplier) & mask_;
      x ^= x >> shift_;  // at least half the width: its own inverse
    }
    return x;
  }
  [[nodiscard]] std::uint64_t unscramble(std::uint64_t y) const {
    for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round) {
      y ^= y >> shift_;
      y = (y * round->inverse - round->offset) & mask_;
    }
    return y;
  }

  std::uint64_t n_;
  std::uint64_t mask_;
  unsigned shift_;
  std::array<Round, 4> rounds_;
};

}  // namespace recirc::workloads
