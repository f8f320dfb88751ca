#include "workloads/arrival.h"

#include <cmath>

#include "catch.h"
#include "sim/error.h"

using namespace recirc::workloads;
namespace sim = recirc::sim;

TEST_CASE("periodic arrivals carry no rounding error forward") {
  OpenArrivals arrivals{{OpenProcess::periodic, 3e6, 1}, sim::RngFactory{1, 0}};
  sim::Time last{};
  for (int i = 0; i <= 3'000'000; ++i) last = arrivals.next();
  CHECK(last == sim::Time{sim::seconds(1)});
}

TEST_CASE("Poisson arrivals have the rate asked for and exponential gaps") {
  OpenArrivals arrivals{{OpenProcess::poisson, 1e6, 1}, sim::RngFactory{1, 0}};
  constexpr int n = 200'000;
  sim::Time last{};
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    const sim::Time now = arrivals.next();
    REQUIRE(now >= last);
    const double gap = sim::as_microseconds(now - last);
    squares += gap * gap;
    last = now;
  }
  const double mean = sim::as_microseconds(last.time_since_epoch()) / n;
  CHECK(std::fabs(mean - 1) < 5 / std::sqrt(n));
  CHECK(squares / n == Approx(2.0).epsilon(0.05));
}

TEST_CASE("arrivals are the same for the same seed and replication only") {
  const OpenArrival law{OpenProcess::poisson, 1e5, 1};
  OpenArrivals a{law, sim::RngFactory{1, 0}};
  OpenArrivals b{law, sim::RngFactory{1, 0}};
  OpenArrivals c{law, sim::RngFactory{1, 1}};
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const sim::Time t = a.next();
    CHECK(t == b.next());
    differs = differs || t != c.next();
  }
  CHECK(differs);
}

TEST_CASE("rates without sense are refused") {
  for (const double rate : {0.0, -1.0, 1e13, std::nan("")}) {
    CHECK_THROWS_AS(OpenArrivals({OpenProcess::poisson, rate, 1}, sim::RngFactory(1, 0)),
                    sim::InvariantBroken);
  }
}
