#include "sim/portable_math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "catch.h"
#include "sim/rng.h"

namespace sim = recirc::sim;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Distance of `got` from the long double reference in units of the result's last place.
double error_in_ulp(double got, long double wanted) {
  const auto rounded = static_cast<double>(wanted);
  if (got == rounded) return 0.0;
  const double place = std::nextafter(std::fabs(rounded), infinity) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - wanted)) / place;
}

/// The largest error over random arguments 2^low..2^high (both signs if asked).
template <class F, class G>
double worst(F ours, G reference, double low, double high, bool negative = false) {
  sim::CounterRng rng{20};
  double most = 0;
  for (int i = 0; i < 100'000; ++i) {
    double x = std::exp2(low + (high - low) * rng.next_unit());
    if (negative && (rng.next() & 1U) != 0) x = -x;
    most = std::max(most, error_in_ulp(ours(x), reference(static_cast<long double>(x))));
  }
  return most;
}

}  // namespace

TEST_CASE("portable exp and log stay within two units in the last place") {
  const auto exp_l = [](long double x) { return std::exp(x); };
  const auto log_l = [](long double x) { return std::log(x); };
  CHECK(worst(sim::exp, exp_l, -60, 9.4, true) < 1.5);
  CHECK(worst(sim::log, log_l, -1022, 1023) < 2.0);
  CHECK(worst(sim::log, log_l, -1, 1) < 2.0);
}

TEST_CASE("portable expm1 and log1p keep small arguments exact to four units") {
  const auto expm1_l = [](long double x) { return std::expm1(x); };
  const auto log1p_l = [](long double x) { return std::log1p(x); };
  CHECK(worst(sim::expm1, expm1_l, -80, 9, true) < 4.0);
  CHECK(worst(sim::log1p, log1p_l, -80, 60) < 4.0);
  CHECK(worst(sim::log1p, log1p_l, -80, -0.1, true) < 4.0);
}

TEST_CASE("portable sqrt and pow stay within two units in the last place") {
  const auto sqrt_l = [](long double x) { return std::sqrt(x); };
  CHECK(worst(sim::sqrt, sqrt_l, -1022, 1023) < 0.75);
  for (const double y : {-0.9, 0.1, 0.5, 3.0, -17.25}) {
    const auto pow_l = [y](long double x) { return std::pow(x, static_cast<long double>(y)); };
    CHECK(worst([y](double x) { return sim::pow(x, y); }, pow_l, -50, 50) < 1.5);
  }
  const auto steep = [](long double x) { return std::pow(x, 700.0L); };
  CHECK(worst([](double x) { return sim::pow(x, 700.0); }, steep, -1, 1) < 1.5);
}

TEST_CASE("portable functions meet the corners as C does") {
  CHECK(sim::exp(0.0) == 1.0);
  CHECK(sim::exp(710.0) == infinity);
  CHECK(sim::exp(-746.0) == 0.0);
  CHECK(sim::exp(-745.0) == std::numeric_limits<double>::denorm_min());
  CHECK(sim::exp(infinity) == infinity);
  CHECK(sim::exp(-infinity) == 0.0);
  CHECK(sim::log(1.0) == 0.0);
  CHECK(sim::log(0.0) == -infinity);
  CHECK(sim::log(infinity) == infinity);
  CHECK(std::isnan(sim::log(-1.0)));
  CHECK(sim::log1p(0.0) == 0.0);
  CHECK(sim::log1p(-1.0) == -infinity);
  CHECK(sim::expm1(-infinity) == -1.0);
  CHECK(sim::pow(0.0, 0.0) == 1.0);
  CHECK(sim::pow(0.0, -1.0) == infinity);
  CHECK(sim::pow(2.0, 1024.0) == infinity);
  CHECK(sim::pow(0.5, 1e300) == 0.0);
  CHECK(sim::pow(3.0, 4.0) == 81.0);
  CHECK(std::isnan(sim::pow(-2.0, 2.0)));
  CHECK(sim::sqrt(0.0) == 0.0);
  CHECK(sim::sqrt(144.0) == 12.0);
  CHECK(std::isnan(sim::sqrt(-1.0)));
  const double none = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(sim::exp(none)));
  CHECK(std::isnan(sim::log(none)));
  CHECK(std::isnan(sim::sqrt(none)));
}

TEST_CASE("portable functions give these bits on every machine") {
  std::uint64_t hash = 0;
  const auto mix = [&](double x) { hash = sim::mix64(hash ^ std::bit_cast<std::uint64_t>(x)); };
  sim::CounterRng rng{3};
  for (int i = 0; i < 10'000; ++i) {
    const double x = rng.next_unit() * 40 - 20;
    const double y = rng.next_unit() * 1e3;
    mix(sim::exp(x));
    mix(sim::expm1(x));
    mix(sim::log(y));
    mix(sim::log1p(y));
    mix(sim::pow(y, x));
    mix(sim::sqrt(y));
  }
  CHECK(hash == 0x92f74fc6a05cf423U);
  CHECK(std::bit_cast<std::uint64_t>(sim::exp(1.0)) == 0x4005bf0a8b145769U);
  CHECK(std::bit_cast<std::uint64_t>(sim::log(10.0)) == 0x40026bb1bbb55516U);
  CHECK(std::bit_cast<std::uint64_t>(sim::sqrt(2.0)) == 0x3ff6a09e667f3bcdU);
  CHECK(std::bit_cast<std::uint64_t>(sim::pow(10.0, 0.3)) == 0x3fffec982d5bb8afU);
}
