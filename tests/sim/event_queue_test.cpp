#include "sim/event_queue.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "catch.h"
#include "sim/deadline.h"
#include "sim/error.h"
#include "sim/rng.h"
#include "sim/scheduler.h"

namespace recirc::sim {
namespace {

struct FiresBefore {
  bool operator()(const Event& a, const Event& b) const { return fires_before(a, b); }
};

TEST_CASE("the queue agrees with a sorted set of (time, insertion), many ties included") {
  for (const std::uint64_t spread : {1ULL, 3ULL, 50ULL, 1'000'000ULL, 1ULL << 45}) {
    CounterRng rng{spread};
    EventQueue queue;
    std::set<Event, FiresBefore> reference;
    std::uint64_t order = 0;
    std::int64_t now = 0;
    for (int step = 0; step < 30'000; ++step) {
      const bool push = reference.empty() || rng.next() % 100 < (step < 20'000 ? 52 : 40);
      if (push) {
        Event event;
        event.at = Time{Duration{now + static_cast<std::int64_t>(rng.next() % spread)}};
        event.order = order++;
        queue.push(event);
        reference.insert(event);
      } else {
        REQUIRE(queue.top().order == reference.begin()->order);
        now = queue.top().at.time_since_epoch().count();
        queue.pop();
        reference.erase(reference.begin());
      }
      REQUIRE(queue.size() == reference.size());
    }
  }
}

/// Schedules at random, moves and cancels deadlines at random, and writes down what fires.
class Chaos final : public Component {
 public:
  Chaos(Scheduler& scheduler, std::uint64_t seed) : scheduler_(scheduler), rng_(seed) {
    for (int i = 0; i < timers; ++i) deadlines_.emplace_back(scheduler, *this, 100 + i);
    wanted_.assign(timers, Scheduler::forever);
  }

  void handle(const Event& event) override {
    REQUIRE(event.at == scheduler_.now());
    if (event.kind >= 100) {
      const std::size_t i = event.kind - 100U;
      if (!deadlines_[i].expired(event)) return;
      REQUIRE(wanted_[i] == scheduler_.now());
      wanted_[i] = Scheduler::forever;
      ++expired;
    } else {
      ++fired;
    }
    act();
  }

  void act() {
    for (std::uint64_t n = rng_.next() % 3; n > 0 && spawned < 20'000; --n, ++spawned) {
      scheduler_.after(Duration{static_cast<std::int64_t>(rng_.next() % 4)}, *this, 1);
    }
    const std::size_t i = rng_.next() % timers;
    if (rng_.next() % 2 == 0) {
      deadlines_[i].cancel();
      wanted_[i] = Scheduler::forever;
    } else if (spawned < 20'000) {
      wanted_[i] = scheduler_.now() + Duration{static_cast<std::int64_t>(rng_.next() % 40)};
      deadlines_[i].set(wanted_[i]);
    }
  }

  static constexpr int timers = 5;
  int fired = 0;
  int expired = 0;
  int spawned = 0;
  [[nodiscard]] bool all_expired_or_cancelled() const {
    return std::all_of(wanted_.begin(), wanted_.end(),
                       [](Time t) { return t == Scheduler::forever; });
  }

 private:
  Scheduler& scheduler_;
  CounterRng rng_;
  std::vector<Deadline> deadlines_;
  std::vector<Time> wanted_;
};

TEST_CASE("deadlines expire exactly when last set, whatever was moved or cancelled before") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    Scheduler scheduler;
    Chaos chaos(scheduler, seed);
    while (chaos.spawned < 20'000) {
      chaos.act();
      scheduler.run();
    }
    scheduler.run();
    CHECK(chaos.fired == chaos.spawned);
    CHECK(chaos.expired > 10);
    CHECK(chaos.all_expired_or_cancelled());
  }
}

/// Remembers the order in which its events came.
class Recorder final : public Component {
 public:
  void handle(const Event& event) override { seen.push_back(event.arg); }
  std::vector<std::uint32_t> seen;
};

TEST_CASE("equal times fire in the order of scheduling") {
  Scheduler scheduler;
  Recorder recorder;
  for (std::uint32_t i = 0; i < 100; ++i) scheduler.at(Time{nanoseconds(5)}, recorder, 0, i);
  scheduler.run();
  CHECK(std::is_sorted(recorder.seen.begin(), recorder.seen.end()));
  CHECK(recorder.seen.size() == 100);
}

TEST_CASE("running to random bounds fires the same events as running through") {
  const auto fill = [](Scheduler& scheduler, Recorder& recorder) {
    CounterRng rng{9};
    for (std::uint32_t i = 0; i < 5000; ++i) {
      scheduler.at(Time{Duration{static_cast<std::int64_t>(rng.next() % 700)}}, recorder, 0, i);
    }
  };
  Scheduler whole;
  Recorder all;
  fill(whole, all);
  whole.run();
  Scheduler pieces;
  Recorder bit_by_bit;
  fill(pieces, bit_by_bit);
  CounterRng rng{10};
  std::int64_t bound = 0;
  while (pieces.pending() > 0) {
    bound += static_cast<std::int64_t>(rng.next() % 9);
    pieces.run(Time{Duration{bound}}, 1 + rng.next() % 40);
    REQUIRE(pieces.now() <= Time{Duration{bound}});
  }
  CHECK(bit_by_bit.seen == all.seen);
  CHECK(pieces.events() == whole.events());
}

TEST_CASE("between two runs events may be scheduled before all that are pending") {
  Scheduler scheduler;
  Recorder recorder;
  CounterRng rng{11};
  std::vector<std::pair<Time, std::uint32_t>> expected;
  const auto schedule = [&](std::uint32_t number, std::uint64_t spread) {
    const Time at = scheduler.now() + Duration{static_cast<std::int64_t>(rng.next() % spread)};
    scheduler.at(at, recorder, 0, number);
    expected.emplace_back(at, number);
  };
  for (std::uint32_t i = 0; i < 4000;) {
    for (const std::uint64_t spread : {100'000ULL, 3ULL, 4000ULL}) schedule(i++, spread);
    scheduler.run(scheduler.now() + Duration{static_cast<std::int64_t>(rng.next() % 2000)});
  }
  scheduler.run();
  std::sort(expected.begin(), expected.end());
  REQUIRE(recorder.seen.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) REQUIRE(recorder.seen[i] == expected[i].second);
}

TEST_CASE("stop() ends a run after the event in hand, and the next run goes on") {
  class Stopper final : public Component {
   public:
    explicit Stopper(Scheduler& scheduler) : scheduler_(scheduler) {}
    void handle(const Event& event) override {
      last = event.arg;
      if (event.arg == 3) scheduler_.stop();
    }
    std::uint32_t last = 0;

   private:
    Scheduler& scheduler_;
  };
  Scheduler scheduler;
  Stopper stopper(scheduler);
  for (std::uint32_t i = 0; i < 6; ++i) scheduler.after(nanoseconds(i), stopper, 0, i);
  CHECK(scheduler.run() == 4);
  CHECK(stopper.last == 3);
  CHECK(scheduler.run() == 2);
}

TEST_CASE("scheduling in the past is refused") {
  class Backwards final : public Component {
   public:
    explicit Backwards(Scheduler& scheduler) : scheduler_(scheduler) {}
    void handle(const Event&) override { scheduler_.at(Time{nanoseconds(1)}, *this, 0); }

   private:
    Scheduler& scheduler_;
  };
  Scheduler scheduler;
  Backwards backwards(scheduler);
  scheduler.at(Time{nanoseconds(2)}, backwards, 0);
  CHECK_THROWS_AS(scheduler.run(), InvariantBroken);
}

}  // namespace
}  // namespace recirc::sim
