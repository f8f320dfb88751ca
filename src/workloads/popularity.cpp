#include "workloads/popularity.h"

#include <algorithm>

#include "sim/error.h"
#include "sim/portable_math.h"

namespace recirc::workloads {
namespace {

/// Below this |1 - exponent| the plain formulas lose digits and the careful ones are used.
constexpr double near_one = 0.01;

bool is_near(double one_minus) { return one_minus < near_one && one_minus > -near_one; }

}  // namespace

Zipf::Zipf(std::uint64_t n, double exponent)
    : n_(n), exponent_(exponent), one_minus_(1.0 - exponent) {
  if (n == 0 || n > std::uint64_t{1} << 53 || !(exponent >= 0.0 && exponent < 1e6)) {
    throw sim::InvariantBroken("Zipf needs 1 to 2^53 ranks and an exponent of at least 0");
  }
  inverse_ = is_near(one_minus_) ? 0.0 : 1.0 / one_minus_;
  integral_low_ = integral(1.5) - 1.0;
  integral_high_ = integral(static_cast<double>(n) + 0.5);
  squeeze_[0] = squeeze_[1] = 1.0;  // rank 1 is always accepted: its interval is cut to fit
  for (std::size_t k = 2; k < squeeze_.size(); ++k)
    squeeze_[k] = squeeze_at(static_cast<double>(k));
}

/// How far below k the accepted part of k's interval reaches; grows with k, so that the value of
/// one k holds for all above it.
double Zipf::squeeze_at(double k) const {
  return k - integral_inverse(integral(k + 0.5) - sim::exp(-exponent_ * sim::log(k)));
}

/// The integral of t^-exponent from 1 to x.
double Zipf::integral(double x) const {
  const double log_x = sim::log(x);
  const double t = one_minus_ * log_x;
  if (!is_near(one_minus_)) return (sim::exp(t) - 1.0) * inverse_;
  return t == 0.0 ? log_x : sim::expm1(t) / t * log_x;
}

double Zipf::integral_inverse(double y) const {
  double t = one_minus_ * y;
  if (t <= -1.0) t = -1.0 + 0x1p-53;  // rounding only: the integral stays above this
  if (!is_near(one_minus_)) return sim::exp(sim::log(1.0 + t) * inverse_);
  return sim::exp(t == 0.0 ? y : sim::log1p(t) / t * y);
}

std::uint64_t Zipf::draw(sim::CounterRng& rng) const {
  if (exponent_ == 0.0) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(rng.next()) * n_) >> 64);
  }
  const auto last = static_cast<double>(n_);
  while (true) {
    const double u = integral_high_ + rng.next_unit() * (integral_low_ - integral_high_);
    const double x = integral_inverse(u);
    if (x >= last) return n_ - 1;
    const auto k = static_cast<std::uint64_t>(x < 1.0 ? 1.0 : x + 0.5);
    const auto whole = static_cast<double>(k);
    if (whole - x <= squeeze_[std::min<std::uint64_t>(k, squeeze_.size() - 1)] ||
        u >= integral(whole + 0.5) - sim::exp(-exponent_ * sim::log(whole))) {
      return k - 1;
    }
  }
}

RankPlacement::RankPlacement(const ComputedTree& tree, Placement placement, std::uint64_t seed)
    : tree_(tree), placement_(placement), shuffle_(tree.files(), seed) {
  const unsigned levels = tree.shape().directory_levels + 1;
  runs_.resize(levels);
  std::uint64_t rank = 0;
  for (unsigned step = 0; step < levels; ++step) {
    const unsigned level = placement == Placement::deep_first ? levels - 1 - step : step;
    const std::uint32_t first = tree.level_start(level);
    runs_[level] = {rank, tree.files_on_level(level), first, tree.level_start(level + 1) - first};
    rank += tree.files_on_level(level);
  }
}

std::uint64_t RankPlacement::file_of(std::uint64_t rank) const {
  if (placement_ == Placement::shuffled) return shuffle_(rank);
  for (const LevelRun& run : runs_) {
    if (rank < run.first_rank || rank - run.first_rank >= run.files) continue;
    const std::uint64_t place = rank - run.first_rank;
    return place / run.directories * tree_.directories() + run.first_directory +
           place % run.directories;
  }
  throw sim::InvariantBroken("a popularity rank lies beyond the last file");
}

std::uint64_t RankPlacement::rank_of(std::uint64_t file) const {
  if (placement_ == Placement::shuffled) return shuffle_.inverse(file);
  const auto directory = static_cast<std::uint32_t>(file % tree_.directories());
  const LevelRun& run = runs_[tree_.depth(PathId{directory})];
  return run.first_rank + file / tree_.directories() * run.directories +
         (directory - run.first_directory);
}

}  // namespace recirc::workloads
