#include "sim/histogram.h"

#include <algorithm>
#include <bit>

#include "sim/error.h"

namespace recirc::sim {
namespace {

constexpr unsigned bits = Histogram::precision_bits;
constexpr std::uint64_t per_octave = std::uint64_t{1} << bits;
constexpr std::uint64_t exact_below = 2 * per_octave;

std::size_t bin_of(std::uint64_t value) {
  if (value < exact_below) return static_cast<std::size_t>(value);
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - (bits + 1);
  return static_cast<std::size_t>((shift + 1) * per_octave + ((value >> shift) - per_octave));
}

std::int64_t low_of(std::size_t bin) {
  if (bin < exact_below) return static_cast<std::int64_t>(bin);
  const std::size_t shift = bin / per_octave - 1;
  return static_cast<std::int64_t>((per_octave + bin % per_octave) << shift);
}

std::int64_t high_of(std::size_t bin) {
  if (bin < exact_below) return static_cast<std::int64_t>(bin);
  const std::size_t shift = bin / per_octave - 1;
  return low_of(bin) + static_cast<std::int64_t>((std::uint64_t{1} << shift) - 1);
}

}  // namespace

void Histogram::record(std::int64_t value) {
  if (value < 0) throw InvariantBroken("a histogram was given a negative value");
  const std::size_t bin = bin_of(static_cast<std::uint64_t>(value));
  if (bin >= counts_.size()) counts_.resize(bin + 1);
  ++counts_[bin];
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = std::max(max_, value);
  ++count_;
  sum_ += value;
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t bin = 0; bin < other.counts_.size(); ++bin) counts_[bin] += other.counts_[bin];
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  count_ += other.count_;
  sum_ += other.sum_;
}

double Histogram::mean() const {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::int64_t Histogram::quantile(double q) const {
  if (count_ == 0) return 0;
  if (!(q < 1.0)) return max_;
  if (q <= 0) return min_;
  const double wanted = q * static_cast<double>(count_);
  auto rank = static_cast<std::uint64_t>(wanted);
  if (static_cast<double>(rank) < wanted || rank == 0) ++rank;
  std::size_t bin = 0;
  for (std::uint64_t seen = counts_[0]; seen < rank; seen += counts_[bin]) ++bin;
  const std::int64_t middle = low_of(bin) + (high_of(bin) - low_of(bin)) / 2;
  return std::clamp(middle, min_, max_);
}

std::vector<Histogram::Bin> Histogram::bins() const {
  std::vector<Bin> result;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    if (counts_[bin] != 0) result.push_back({low_of(bin), high_of(bin), counts_[bin]});
  }
  return result;
}

}  // namespace recirc::sim
