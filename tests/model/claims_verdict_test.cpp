#include "catch.h"
#include "model/claims/reduce_series.h"
#include "model/claims/verdict.h"

#include <cmath>

namespace recirc::model::claims {
namespace {

sim::Interval interval(double mean, double half_width) { return {mean, half_width, 5}; }

Acceptance around(double target, double relative, double absolute) {
  Acceptance a;
  a.target = target;
  a.relative = relative;
  a.absolute = absolute;
  return a;
}

TEST_CASE("a claim passes when its interval is inside, is open astride and fails outside") {
  const Acceptance a = around(100, 0.15, 5);  // 85..115
  CHECK(judge(interval(100, 10), a) == Verdict::pass);
  CHECK(judge(interval(110, 5), a) == Verdict::pass);
  CHECK(judge(interval(110, 6), a) == Verdict::open);
  CHECK(judge(interval(120, 6), a) == Verdict::open);
  CHECK(judge(interval(120, 4), a) == Verdict::fail);
  CHECK(judge(interval(80, 4), a) == Verdict::fail);
}

TEST_CASE("the larger of the two tolerances counts") {
  CHECK(judge(interval(15.5, 0.1), around(11, 0.15, 5)) == Verdict::pass);
  CHECK(judge(interval(16.5, 0.1), around(11, 0.15, 5)) == Verdict::fail);
  CHECK(judge(interval(205, 1), around(181.6, 0.15, 5)) == Verdict::pass);
}

TEST_CASE("an exact value forgives rounding and nothing else") {
  CHECK(judge(interval(2, 0), around(2, 0, 0)) == Verdict::pass);
  CHECK(judge(interval(2.001, 0), around(2, 0, 0)) == Verdict::fail);
  CHECK(judge(interval(2.001, 0.01), around(2, 0, 0)) == Verdict::open);
}

TEST_CASE("a bound on one side is judged on that side only") {
  Acceptance least;
  least.least = 6.3;
  least.relative = 0.1;
  CHECK(judge(interval(900, 1), least) == Verdict::pass);
  CHECK(judge(interval(5.7, 0.02), least) == Verdict::pass);
  CHECK(judge(interval(5.6, 0.02), least) == Verdict::fail);
  Acceptance below_zero;
  below_zero.most = 0;
  CHECK(judge(interval(-3, 2), below_zero) == Verdict::pass);
  CHECK(judge(interval(-3, 4), below_zero) == Verdict::open);
  CHECK(judge(interval(3, 2), below_zero) == Verdict::fail);
}

TEST_CASE("one replication decides nothing, and a withheld value is not judged") {
  CHECK(judge({100, std::nullopt, 1}, around(100, 0.1, 0)) == Verdict::open);
  CHECK(judge({1e9, std::nullopt, 1}, around(100, 0.1, 0)) == Verdict::open);
  CHECK(judge(interval(100, 1), Acceptance{}) == Verdict::withheld);
  CHECK(judge({}, around(1, 0, 0)) == Verdict::unavailable);
}

TEST_CASE("of several parts the worst decides") {
  CHECK(worse(Verdict::pass, Verdict::open) == Verdict::open);
  CHECK(worse(Verdict::fail, Verdict::unavailable) == Verdict::fail);
  CHECK(worse(Verdict::withheld, Verdict::pass) == Verdict::pass);
  CHECK(worse(Verdict::unavailable, Verdict::open) == Verdict::unavailable);
}

TEST_CASE("dips and returns are measured against the period before, whole periods only") {
  // Periods of 5 windows of 1 s: level 100, a dip to 80 that ends at 97, a dip to 90 that ends
  // at 100, and the start of another.
  const NamedSeries series{
      "throughput",
      "1/s",
      1.0,
      {100, 100, 100, 100, 100, 80, 95, 97, 97, 97, 84, 90, 93.2, 93.2, 93.2, 10, 10}};
  CHECK(shallowest_dip(series, 5) == Approx((84 / 93.2 - 1) * 100));
  CHECK(farthest_return(series, 5) == Approx(3));
  const NamedSeries short_one{"throughput", "1/s", 1.0, {1, 2, 3}};
  CHECK(std::isnan(shallowest_dip(short_one, 5)));
}

}  // namespace
}  // namespace recirc::model::claims
