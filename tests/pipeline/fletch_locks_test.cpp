#include "catch.h"
#include "fletch_under_test.h"
#include "pipeline/diagnostics.h"

// Which counters a path has, and when they are given back, as plans say it.
namespace recirc::pipeline {
namespace {

using testing::FletchUnderTest;
using namespace programs::fletch;
using Options = FletchUnderTest::Options;
using Groups = std::vector<std::uint32_t>;

std::vector<LockPlan> all_kinds_of_plans() {
  std::vector<LockPlan> plans;
  for (const Release release : {Release::per_level, Release::at_end}) {
    for (const Groups& groups : {Groups{1, 2, 3, 4, 5, 6, 7, 8}, Groups{1, 2, 3, 4, 5, 6},
                                 Groups{1, 2, 3, 4, 5, 6, 9}, Groups{1, 4, 7}, Groups{1}}) {
      plans.push_back(grouped_locks(groups, release));
    }
    for (const SingleKey key : {SingleKey::full_path, SingleKey::level_1}) {
      plans.push_back(single_lock(key, release));
    }
  }
  return plans;
}

/// Slot 0 of a level's record: nobody but the owner may pass.
void close_to_strangers(FletchUnderTest& f, unsigned level) {
  f.set(value_array(2 * (level % 4 * 3)), level / 4, 0x0001'0101);
}

TEST_CASE(
    "Whatever levels share a counter, a read at depth L recirculates L + 2 times and leaves "
    "every counter at zero",
    "[fletch][locks]") {
  for (const LockPlan& locks : all_kinds_of_plans()) {
    for (unsigned depth = 0; depth <= deepest_level; ++depth) {
      FletchUnderTest f(Options{.locks = locks});
      f.cache_chain(depth);
      f.run(FletchUnderTest::read(depth));
      CHECK(f.looped() == depth + 2);
      CHECK(f.locks_held() == 0);
      REQUIRE(f.sent_to(FletchUnderTest::client).size() == 1);
      CHECK(f.sent_to(FletchUnderTest::client)[0].has(hit));
    }
  }
}

TEST_CASE(
    "Whatever levels share a counter, refused and invalid reads release exactly what they "
    "hold",
    "[fletch][locks]") {
  for (const LockPlan& locks : all_kinds_of_plans()) {
    for (const bool in_switch : {false, true}) {
      for (unsigned level = 0; level <= 9; ++level) {
        FletchUnderTest f(Options{.locks = locks, .release_in_switch = in_switch});
        f.cache_chain(9);
        close_to_strangers(f, level);
        f.run(FletchUnderTest::read(9, FletchUnderTest::stranger));
        CHECK(f.looped() == level + 2);
        CHECK(f.locks_held() == 0);

        f.set(validation_array, 100 + level, 0);
        f.run(FletchUnderTest::read(9));
        const auto requests = f.sent_to(FletchUnderTest::server);
        REQUIRE(requests.size() == 1);
        CHECK(requests[0].kind == Kind::read_request);
        CHECK(requests[0].has(invalid));
        CHECK(f.looped() == (level + 2) + (level + (in_switch ? 2 : 1)));
        if (in_switch) {
          CHECK(requests[0].held == 0);
          CHECK(f.locks_held() == 0);
          continue;
        }
        CHECK(f.locks_held() > 0);
        f.run(FletchUnderTest::answer_to(requests[0], Kind::held_answer));
        CHECK(f.locks_held() == 0);
      }
    }
  }
}

TEST_CASE("Levels that share an array raise its counter once and lower it after the last of them",
          "[fletch][locks]") {
  FletchUnderTest f(Options{.locks = grouped_locks(Groups{1, 2, 3, 4, 5, 6, 9})});
  f.cache_chain(9);
  f.send(FletchUnderTest::read(9));
  while (f.lock_of(1) == 0) f.test.scheduler.run(sim::Scheduler::forever, 1);
  CHECK(f.locks_held() == 7);
  CHECK(f.lock_of(8) == 1);  // the key of level 6
  const auto frames_until = [&f](unsigned level) {
    while (f.lock_of(level) != 0) f.test.scheduler.run(sim::Scheduler::forever, 1);
    return f.looped();
  };
  const auto before = frames_until(5);
  CHECK(f.lock_of(6) == 1);
  CHECK(frames_until(6) == before + 3);
  CHECK(f.lock_of(9) == 1);
  f.test.run();
  CHECK(f.locks_held() == 0);
}

TEST_CASE("A writer waits for the counter of its group", "[fletch][locks]") {
  FletchUnderTest f(Options{.locks = grouped_locks(Groups{1, 2, 3, 4, 5, 6})});
  f.cache_chain(8);
  f.set(lock_array(6), lock_index(FletchUnderTest::key_of(6)), 1);
  f.send(f.write_of(8));
  f.test.scheduler.run(sim::Time{sim::microseconds(20)});
  CHECK(f.sent_to(FletchUnderTest::server).empty());
  f.set(lock_array(6), lock_index(FletchUnderTest::key_of(6)), 0);
  f.test.run();
  CHECK(f.sent_to(FletchUnderTest::server).size() == 1);
}

TEST_CASE("With a single lock a read raises one counter, that of its full path or of level 1",
          "[fletch][locks]") {
  for (const SingleKey key : {SingleKey::full_path, SingleKey::level_1}) {
    FletchUnderTest f(Options{.locks = single_lock(key)});
    f.cache_chain(9);
    f.set(validation_array, 109, 0);
    f.run(FletchUnderTest::read(9));  // holds its counter until it is answered
    CHECK(f.locks_held() == 1);
    CHECK(f.get(lock_array(1),
                lock_index(FletchUnderTest::key_of(key == SingleKey::full_path ? 9 : 1))) == 1);
    // Writers of an ancestor meet it only where both are counted under level 1.
    f.send(f.write_of(4));
    f.test.scheduler.run(f.test.scheduler.now() + sim::microseconds(20));
    CHECK(f.sent_to(FletchUnderTest::server).size() == (key == SingleKey::full_path ? 2 : 1));
    f.run(FletchUnderTest::answer_to(f.sent_to(FletchUnderTest::server)[0], Kind::held_answer));
    CHECK(f.locks_held() == 0);
  }
}

TEST_CASE("Released at the end, every counter stays raised until the read is answered",
          "[fletch][locks]") {
  FletchUnderTest f(Options{.locks = paper_locks(Release::at_end)});
  f.cache_chain(9);
  f.send(FletchUnderTest::read(9));
  while (f.sent_to(FletchUnderTest::client).empty()) {
    f.test.scheduler.run(sim::Scheduler::forever, 1);
    if (f.lock_of(1) == 0) continue;
    for (unsigned level = 2; level <= 9; ++level) CHECK(f.lock_of(level) == 1);
  }
  f.test.run();
  CHECK(f.locks_held() == 0);
  REQUIRE(f.test.sent.size() == 1);
  CHECK(f.test.sent[0].packet.length == sim::Bytes{336 - 9 * 9 + 16 + 40});
}

TEST_CASE("Every plan fits a Tofino 1; an array that is not there frees its stateful ALU",
          "[fletch][locks]") {
  for (const LockPlan& locks : all_kinds_of_plans()) {
    for (const Placing placing : {Placing::paper, Placing::prototype}) {
      const FletchUnderTest f(Options{.placing = placing, .locks = locks});
      const Program* program = f.program.get();
      const LayoutReport use = report(ChipSpec{}, std::span{&program, 1});
      CHECK(use.violations.empty());
      CHECK(use.total().stateful_alus == 38 + locks.arrays);
    }
  }
  const LockPlan single = single_lock(SingleKey::full_path);
  CHECK(single.arrays == 1);
  CHECK(single.width == RegisterWidth::word);
}

}  // namespace
}  // namespace recirc::pipeline
