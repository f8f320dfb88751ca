#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "workloads/computed_tree.h"
#include "workloads/permutation.h"

namespace recirc::workloads {

/// Ranks 0..n-1 with probability proportional to (rank + 1)^-exponent, for any exponent >= 0
/// (0: uniform). Rejection-inversion (Hörmann and Derflinger 1996): constant time and memory.
class Zipf {
 public:
  /// n in 1..2^53, exponent finite and >= 0.
  Zipf(std::uint64_t n, double exponent);

  [[nodiscard]] std::uint64_t size() const { return n_; }
  [[nodiscard]] double exponent() const { return exponent_; }
  /// A pure function of the generator: seldom takes more than one or two numbers of it.
  [[nodiscard]] std::uint64_t draw(sim::CounterRng& rng) const;

 private:
  [[nodiscard]] double squeeze_at(double k) const;
  [[nodiscard]] double integral(double x) const;
  [[nodiscard]] double integral_inverse(double y) const;

  std::uint64_t n_;
  double exponent_;
  double one_minus_;      ///< 1 - exponent
  double inverse_;        ///< 1 / (1 - exponent) where that is used
  double integral_low_;   ///< integral(3/2) - 1
  double integral_high_;  ///< integral(n + 1/2)
  /// A point this close below its integer k is accepted at once; the last holds for all above.
  std::array<double, 64> squeeze_;
};

enum class Placement : std::uint8_t {
  shuffled,       ///< the paper's default: a fixed random order
  shallow_first,  ///< hot files near the root: by depth of the directory, then by number
  deep_first,     ///< hot files deep: the same with the deepest level first
};

/// Which file has which popularity rank: a bijection computed from arithmetic alone.
class RankPlacement {
 public:
  /// `seed` is the placement's own: the run's seed does not move files. The tree must outlive it.
  RankPlacement(const ComputedTree& tree, Placement placement, std::uint64_t seed);

  /// Number of the file with popularity rank `rank` (0 is the hottest).
  [[nodiscard]] std::uint64_t file_of(std::uint64_t rank) const;
  [[nodiscard]] std::uint64_t rank_of(std::uint64_t file) const;

 private:
  /// The files of one directory level have consecutive ranks, row by row of the tree's files.
  struct LevelRun {
    std::uint64_t first_rank;
    std::uint64_t files;
    std::uint32_t first_directory;
    std::uint32_t directories;
  };

  const ComputedTree& tree_;
  Placement placement_;
  Permutation shuffle_;
  std::vector<LevelRun> runs_;  ///< by level
};

}  // namespace recirc::workloads
