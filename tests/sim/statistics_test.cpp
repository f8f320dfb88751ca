#include "sim/statistics.h"

#include <stdexcept>
#include <vector>

#include "catch.h"
#include "sim/distributions.h"
#include "sim/rng.h"

namespace sim = recirc::sim;

TEST_CASE("Student's t has its tabulated values") {
  CHECK(sim::student_t(0.95, 4) == Approx(2.776445).epsilon(1e-6));
  CHECK(sim::student_t(0.95, 1) == Approx(12.7062).epsilon(1e-5));
  CHECK(sim::student_t(0.99, 10) == Approx(3.169273).epsilon(1e-6));
}

TEST_CASE("an interval of five runs is the textbook's") {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const sim::Interval got = sim::mean_interval(values);
  CHECK(got.mean == 3.0);
  REQUIRE(got.half_width);
  CHECK(*got.half_width == Approx(1.96324).epsilon(1e-5));
  CHECK(got.observations == 5);
}

TEST_CASE("one observation has a mean and no interval") {
  const std::vector<double> one{4};
  CHECK(sim::mean_interval(one).mean == 4.0);
  CHECK_FALSE(sim::mean_interval(one).half_width);
  CHECK_FALSE(sim::mean_interval({}).half_width);
}

TEST_CASE("pairing takes out what both schemes share") {
  const std::vector<double> base{100, 200, 150, 120};
  std::vector<double> better;
  for (const double b : base) better.push_back(b * 1.25);
  const sim::Interval gain = sim::paired_gain(better, base);
  CHECK(gain.mean == Approx(0.25));
  CHECK(*gain.half_width < 1e-12);
  const sim::Interval difference = sim::paired_difference(better, base);
  CHECK(difference.mean == Approx(35.625));
  CHECK(*difference.half_width > 1);
}

TEST_CASE("samples that cannot be paired are refused") {
  const std::vector<double> two{1, 2};
  const std::vector<double> three{1, 2, 3};
  const std::vector<double> zero{1, 0};
  CHECK_THROWS_AS(sim::paired_difference(two, three), std::invalid_argument);
  CHECK_THROWS_AS(sim::paired_gain(two, zero), std::invalid_argument);
  CHECK_THROWS_AS(sim::batch_means(three, 4), std::invalid_argument);
}

TEST_CASE("95 percent intervals cover the truth as often as they should") {
  int covered = 0;
  for (std::uint64_t replication = 0; replication < 200; ++replication) {
    sim::CounterRng rng = sim::RngFactory{1, replication}.stream("coverage");
    std::vector<double> values;
    for (int i = 0; i < 10; ++i) {
      values.push_back(
          sim::normal_quantile((static_cast<double>(rng.next() >> 12) + 0.5) * 0x1p-52));
    }
    covered += sim::mean_interval(values).contains(0.0);
  }
  CHECK(covered >= 179);  // a band of 99.9 %
  CHECK(covered <= 198);
}

TEST_CASE("batch means drop the odd values at the start and see correlation") {
  std::vector<double> values{1000};
  for (int i = 0; i < 400; ++i) values.push_back(i % 2);
  const sim::BatchMeans even = sim::batch_means(values, 20);
  CHECK(even.interval.mean == Approx(0.5));
  CHECK(even.interval.observations == 20);

  std::vector<double> trend;
  for (int i = 0; i < 400; ++i) trend.push_back(i);
  CHECK(sim::batch_means(trend, 20).lag1 > 0.8);
}
