#include "sim/distributions.h"

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "catch.h"

namespace sim = recirc::sim;

namespace {

struct Moments {
  double mean = 0;
  double squared_variation = 0;
};

Moments moments_of(const sim::ServiceLaw& law, int n) {
  sim::CounterRng rng{11};
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    const auto t = static_cast<double>(draw(law, sim::microseconds(43), rng).count());
    sum += t;
    squares += t * t;
  }
  const double mean = sum / n;
  return {mean, squares / n / (mean * mean) - 1};
}

}  // namespace

TEST_CASE("service laws have the mean asked for and the variation they state") {
  using sim::LawKind;
  constexpr int n = 400'000;
  for (const sim::ServiceLaw law : {sim::ServiceLaw{LawKind::exponential, 0},
                                    {LawKind::uniform, 0},
                                    {LawKind::lognormal, 0.5},
                                    {LawKind::lognormal, 1.0}}) {
    const Moments got = moments_of(law, n);
    const double variation = sim::squared_variation(law);
    CAPTURE(static_cast<int>(law.kind), law.sigma);
    CHECK(std::fabs(got.mean / 43e6 - 1) < 5 * std::sqrt(variation / n));  // five sigma
    CHECK(got.squared_variation == Approx(variation).epsilon(0.1));
  }
}

TEST_CASE("a constant law takes no random number") {
  sim::CounterRng rng{1};
  sim::CounterRng untouched{1};
  const sim::ServiceLaw law{sim::LawKind::constant, 0};
  CHECK(draw(law, sim::microseconds(43), rng) == sim::microseconds(43));
  CHECK(rng.next() == untouched.next());
}

TEST_CASE("exponential times have the exponential's quantiles") {
  sim::CounterRng rng{5};
  constexpr int n = 200'000;
  int below_median = 0;
  int below_p99 = 0;
  for (int i = 0; i < n; ++i) {
    const double t = sim::draw_factor({sim::LawKind::exponential, 0}, rng);
    below_median += t < std::log(2.0);
    below_p99 += t < std::log(100.0);
  }
  CHECK(std::abs(below_median - n / 2) < 5 * std::sqrt(n * 0.25));
  CHECK(std::abs(below_p99 - n * 0.99) < 5 * std::sqrt(n * 0.0099));
}

TEST_CASE("the normal quantile agrees with Boost over its whole range") {
  const boost::math::normal normal;
  for (const double p : {0x1p-53, 1e-12, 1e-5, 0.02, 0.075, 0.3, 0.5, 0.7, 0.95, 0.999, 1 - 1e-9}) {
    const double wanted = boost::math::quantile(normal, p);
    CHECK(sim::normal_quantile(p) == Approx(wanted).epsilon(1e-13).margin(1e-15));
  }
}

TEST_CASE("a time too long for the clock is cut, not wrapped") {
  sim::CounterRng rng{1};
  const sim::Duration most{std::int64_t{1} << 62};
  for (int i = 0; i < 100; ++i) {
    const sim::Duration t = draw({sim::LawKind::lognormal, 30}, most, rng);
    CHECK(t >= sim::Duration::zero());
    CHECK(t <= most);
  }
}
