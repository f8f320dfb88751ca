#include "model/experiment/saturate.h"
#include "catch.h"

namespace recirc::model::experiment {
namespace {

Saturation search(double edge, SaturationGoal goal) {
  return search_saturation(goal, [edge](double rate) { return rate <= edge; });
}

TEST_CASE("the bracket ends around the edge, as narrow as asked, from below and from above") {
  for (const double start : {1e3, 1e5, 5e6, 1e9}) {
    SaturationGoal goal;
    goal.start = start;
    goal.precision = 0.01;
    const Saturation found = search(5.21e6, goal);
    REQUIRE(found.sustained);
    REQUIRE(found.lost);
    CHECK(*found.sustained <= 5.21e6);
    CHECK(*found.lost > 5.21e6);
    CHECK(*found.lost - *found.sustained <= 0.01 * *found.sustained);
    CHECK(found.trials.size() < 40);
  }
}

TEST_CASE("no edge above or below is said, and the search ends") {
  const Saturation all = search_saturation({}, [](double) { return true; });
  CHECK(all.sustained);
  CHECK_FALSE(all.lost);
  CHECK(all.trials.back().rate <= 1e12);  // what an arrival rate may be
  const Saturation none = search_saturation({}, [](double) { return false; });
  CHECK_FALSE(none.sustained);
  CHECK(none.lost);
  CHECK(none.trials.back().rate >= 1);
}

ReplicationResult run_of(double issued, double completed, double throughput, double p99) {
  ReplicationResult result;
  result.summary = {{"throughput_ops_per_s", throughput},
                    {"latency_p99_us", p99},
                    {"ops_issued", issued},
                    {"ops_completed", completed},
                    {"ops_excess", 0}};
  return result;
}

TEST_CASE(
    "a load is sustained when nothing is lost, completions keep up and latency is in bounds") {
  SaturationGoal goal;
  goal.p99_us = 100;
  CHECK(is_sustained(run_of(1000, 1000, 999, 90), 1000, goal));
  CHECK_FALSE(is_sustained(run_of(1000, 999, 999, 90), 1000, goal));
  CHECK_FALSE(is_sustained(run_of(1000, 1000, 980, 90), 1000, goal));
  CHECK_FALSE(is_sustained(run_of(1000, 1000, 999, 101), 1000, goal));
  ReplicationResult excess = run_of(1000, 1000, 999, 90);
  excess.summary.back().value = 1;
  CHECK_FALSE(is_sustained(excess, 1000, goal));
}

}  // namespace
}  // namespace recirc::model::experiment
