#include "sim/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "catch.h"
#include "sim/error.h"
#include "sim/rng.h"

using recirc::sim::Histogram;

namespace {

std::vector<std::int64_t> samples(std::uint64_t seed, int n, double octaves) {
  recirc::sim::CounterRng rng{seed};
  std::vector<std::int64_t> result;
  for (int i = 0; i < n; ++i) {
    result.push_back(static_cast<std::int64_t>(std::exp2(octaves * rng.next_unit())));
  }
  return result;
}

}  // namespace

TEST_CASE("histogram quantiles are within one percent of the sorted samples") {
  std::vector<std::int64_t> values = samples(1, 50'000, 45);
  Histogram histogram;
  for (const std::int64_t v : values) histogram.record(v);
  std::sort(values.begin(), values.end());
  for (const double q : {0.001, 0.25, 0.5, 0.95, 0.99, 0.999}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
    const auto exact = static_cast<double>(values[rank - 1]);
    CHECK(std::fabs(static_cast<double>(histogram.quantile(q)) - exact) <= 0.01 * exact);
  }
  CHECK(histogram.quantile(1.0) == values.back());
  CHECK(histogram.min() == values.front());
  CHECK(histogram.max() == values.back());
}

TEST_CASE("histogram sums are exact") {
  Histogram histogram;
  double sum = 0;
  for (const std::int64_t v : samples(2, 1'000, 40)) {
    histogram.record(v);
    sum += static_cast<double>(v);  // exact: below 2^53
  }
  CHECK(histogram.mean() == sum / 1'000);
}

TEST_CASE("small values have bins of their own") {
  Histogram histogram;
  for (std::int64_t v = 0; v < 256; ++v) histogram.record(v);
  CHECK(histogram.bins().size() == 256);
  CHECK(histogram.quantile(0.5) == 127);
  CHECK(histogram.quantile(0.0) == 0);
}

TEST_CASE("bins touch without a gap and hold what was recorded") {
  Histogram histogram;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t v : {std::int64_t{255}, std::int64_t{256}, std::int64_t{511},
                               std::int64_t{512}, std::int64_t{1} << 40, most}) {
    Histogram one;
    one.record(v);
    histogram.record(v);
    const auto bins = one.bins();
    REQUIRE(bins.size() == 1);
    CHECK(bins[0].low <= v);
    CHECK(bins[0].high >= v);
    CHECK(static_cast<double>(bins[0].high - bins[0].low) <= 0.008 * static_cast<double>(v));
    if (bins[0].high == most) continue;
    Histogram next;
    next.record(bins[0].high + 1);
    CHECK(next.bins()[0].low == bins[0].high + 1);
  }
  CHECK(histogram.count() == 6);
}

TEST_CASE("merged histograms are the histogram of all samples") {
  Histogram all;
  Histogram left;
  Histogram right;
  for (const std::int64_t v : samples(3, 5'000, 30)) all.record(v), left.record(v);
  for (const std::int64_t v : samples(4, 5'000, 42)) all.record(v), right.record(v);
  Histogram merged = left;
  merged.merge(right);
  right.merge(left);
  for (const Histogram& got : {merged, right}) {
    CHECK(got.count() == all.count());
    CHECK(got.min() == all.min());
    CHECK(got.max() == all.max());
    CHECK(got.mean() == all.mean());
    for (const double q : {0.01, 0.5, 0.99}) CHECK(got.quantile(q) == all.quantile(q));
  }
}

TEST_CASE("an empty histogram answers zero and stays neutral in a merge") {
  Histogram empty;
  CHECK(empty.quantile(0.5) == 0);
  CHECK(empty.mean() == 0);
  Histogram one;
  one.record(7);
  one.merge(empty);
  empty.merge(one);
  CHECK(one.min() == 7);
  CHECK(empty.min() == 7);
}

TEST_CASE("a negative value is our mistake, not a bin") {
  Histogram histogram;
  CHECK_THROWS_AS(histogram.record(-1), recirc::sim::InvariantBroken);
}
