#include "sim/metrics.h"

#include "catch.h"

namespace sim = recirc::sim;

namespace {

sim::Time at(std::int64_t us) { return sim::Time{sim::microseconds(us)}; }

}  // namespace

TEST_CASE("a level is averaged over time, not over changes") {
  sim::TimeWeighted queue;
  queue.set(at(0), 0);
  queue.add(at(10), 3);
  queue.add(at(11), -1);
  CHECK(queue.level() == 2);
  CHECK(queue.max() == 3);
  CHECK(queue.integral(at(20)) == (3 * 1 + 2 * 9) * 1'000'000);
}

TEST_CASE("a window is the difference of two snapshots") {
  sim::Counter done;
  sim::TimeWeighted busy;
  sim::Metrics metrics;
  metrics.add("done", done);
  metrics.add("busy", busy);
  done.add(5);
  busy.set(at(0), 4);
  const auto first = metrics.snapshot(at(10));
  done.add();
  done.add(2);
  busy.set(at(15), 0);
  const auto second = metrics.snapshot(at(30));
  const auto window = metrics.between(first, second);
  REQUIRE(window.size() == 2);
  CHECK(window[0].name == "done");
  CHECK(window[0].value == 3);
  CHECK(window[0].is_count);
  CHECK(window[1].value == 1.0);  // 4 for 5 of 20 us
  CHECK_FALSE(window[1].is_count);
  CHECK(metrics.between(second, second)[1].value == 0.0);
}

TEST_CASE("a series sums by window") {
  sim::Series completions{sim::milliseconds(1)};
  completions.add(at(0));
  completions.add(at(999));
  completions.add(at(1000), 7);
  completions.add(at(3500));
  CHECK(completions.sums() == std::vector<std::uint64_t>{2, 7, 0, 1});
}
