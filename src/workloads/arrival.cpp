#include "workloads/arrival.h"

#include "sim/error.h"
#include "sim/portable_math.h"

namespace recirc::workloads {
namespace {

constexpr double least_rate = 1;
constexpr double greatest_rate = 1e12;

}  // namespace

OpenArrivals::OpenArrivals(const OpenArrival& arrival, const sim::RngFactory& rng)
    : process_(arrival.process), rng_(rng.stream("workload/arrivals")) {
  if (!(arrival.rate >= least_rate && arrival.rate <= greatest_rate)) {
    throw sim::InvariantBroken("an open workload's rate lies outside 1..1e12 a second");
  }
  micro_rate_ = static_cast<std::int64_t>(arrival.rate * 1e6 + 0.5);
}

sim::Time OpenArrivals::next() {
  const std::uint64_t i = index_++;
  constexpr __int128 micro_picoseconds = 1'000'000'000'000'000'000;  // in 10^6 seconds
  if (process_ == OpenProcess::periodic) {
    const __int128 time = static_cast<__int128>(i) * micro_picoseconds / micro_rate_;
    return sim::Time{sim::Duration{static_cast<std::int64_t>(time)}};
  }
  const double mean = static_cast<double>(micro_picoseconds) / static_cast<double>(micro_rate_);
  const double gap = -sim::log(1.0 - rng_.at(i).next_unit()) * mean + 0.5;
  last_ += sim::Duration{static_cast<std::int64_t>(gap)};
  return last_;
}

}  // namespace recirc::workloads
