#include "catch.h"
#include "fletch_under_test.h"
#include "pipeline/diagnostics.h"
#include "release_check.h"

namespace recirc::pipeline {
namespace {

using testing::FletchUnderTest;
using namespace programs::fletch;

TEST_CASE("A cached read at depth L recirculates L + 2 times and releases every counter",
          "[fletch]") {
  const auto placing = GENERATE(Placing::paper, Placing::prototype);
  for (unsigned depth = 0; depth <= deepest_level; ++depth) {
    FletchUnderTest f(placing);
    f.cache_chain(depth);
    f.run(FletchUnderTest::read(depth));
    CHECK(f.looped() == depth + 2);
    CHECK(f.locks_held() == 0);
    const auto answers = f.sent_to(FletchUnderTest::client);
    REQUIRE(answers.size() == 1);
    CHECK(f.sent_to(FletchUnderTest::server).empty());
    CHECK(answers[0].kind == Kind::answer);
    CHECK(answers[0].has(hit));
    CHECK(answers[0].addresses.destination == FletchUnderTest::client);
    for (unsigned slot = 0; slot < (depth == 9 ? 5U : 3U); ++slot) {
      CHECK(answers[0].slot(slot) == FletchUnderTest::slot_of(depth, slot));
    }
    CHECK(f.test.rmt.packets_in_use() == 0);
    CHECK(f.get(frequency_array, 100 + depth) == 1);
  }
}

TEST_CASE("Without the cable a cached read recirculates L + 1 times", "[fletch]") {
  const auto way = GENERATE(CrossPipe::native, CrossPipe::none);
  FletchUnderTest f(Placing::paper, way);
  f.cache_chain(9);
  f.run(FletchUnderTest::read(9));
  CHECK(f.looped() == 10);
  CHECK(f.sent_to(FletchUnderTest::client).size() == 1);
}

TEST_CASE("Without the cable every walk is one recirculation shorter", "[fletch]") {
  const auto way = GENERATE(CrossPipe::native, CrossPipe::none);
  const auto looped = [way](const Header& header, const auto& prepare) {
    FletchUnderTest f(Placing::paper, way);
    f.cache_chain(8);
    prepare(f);
    f.run(header);
    return f.looped();
  };
  const auto nothing = [](FletchUnderTest&) {};
  for (unsigned level = 0; level <= 8; ++level) {
    CHECK(looped(FletchUnderTest::read(level), nothing) == level + 1);
    CHECK(looped(FletchUnderTest::read(8, FletchUnderTest::stranger), [&](FletchUnderTest& f) {
            f.set(value_array(2 * (level % 4 * 3)), level / 4, 0x0001'0101);
          }) == level + 1);
    CHECK(looped(FletchUnderTest::read(8),
                 [&](FletchUnderTest& f) { f.set(validation_array, 100 + level, 0); }) == level);
  }
  CHECK(looped(FletchUnderTest::read(9), nothing) == 0);
  CHECK(looped(FletchUnderTest::write(8), nothing) == 0);
}

TEST_CASE("Each resolved level takes its key off the frame and the answer adds the record",
          "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(9);
  f.run(FletchUnderTest::read(9), sim::Bytes{336});
  REQUIRE(f.test.sent.size() == 1);
  CHECK(f.test.sent[0].packet.length == sim::Bytes{336 - 9 * 9 + 40});
}

TEST_CASE("While a read walks it holds the levels that it has not passed", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(9);
  f.send(FletchUnderTest::read(9));
  // The first pass in the lock pipe raises all counters; each later one releases the level before.
  while (f.lock_of(1) == 0) f.test.scheduler.run(sim::Scheduler::forever, 1);
  for (unsigned level = 1; level <= 8; ++level) CHECK(f.lock_of(level) == 1);
  while (f.lock_of(3) != 0) f.test.scheduler.run(sim::Scheduler::forever, 1);
  CHECK(f.lock_of(1) == 0);
  CHECK(f.lock_of(4) == 1);
  CHECK(f.lock_of(8) == 1);
  f.test.run();
  CHECK(f.locks_held() == 0);
}

TEST_CASE("A read that is denied at level k recirculates k + 2 times", "[fletch]") {
  for (const unsigned depth : {1U, 3U, 8U, 9U}) {
    for (unsigned level = 0; level <= depth; ++level) {
      FletchUnderTest f;
      f.cache_chain(depth);
      // The stranger may not pass this level; at the last one it may not read in any case.
      const auto slots = level % 4 * 3;
      f.set(value_array(2 * slots), level / 4, 0x0001'0101);
      f.run(FletchUnderTest::read(depth, FletchUnderTest::stranger));
      CHECK(f.looped() == level + 2);
      CHECK(f.locks_held() == 0);
      const auto answers = f.sent_to(FletchUnderTest::client);
      REQUIRE(answers.size() == 1);
      CHECK(answers[0].has(denied));
      CHECK(!answers[0].has(hit));
      CHECK(f.test.rmt.packets_in_use() == 0);
    }
  }
}

TEST_CASE(
    "A read that is invalid at level k goes to the server after k + 1, and its answer "
    "releases the rest without recirculating",
    "[fletch]") {
  for (const unsigned depth : {0U, 1U, 3U, 8U, 9U}) {
    for (unsigned level = 0; level <= depth; ++level) {
      FletchUnderTest f;
      f.cache_chain(depth);
      f.set(validation_array, 100 + level, 0);
      f.run(FletchUnderTest::read(depth));
      CHECK(f.looped() == level + 1);
      CHECK(f.sent_to(FletchUnderTest::client).empty());
      const auto requests = f.sent_to(FletchUnderTest::server);
      REQUIRE(requests.size() == 1);
      CHECK(requests[0].kind == Kind::read_request);
      CHECK(requests[0].has(invalid));
      CHECK(requests[0].held == f.wiring.locks.held(level, depth));
      CHECK(f.locks_held() ==
            (depth == 0 ? 0 : std::min(depth, 8U) - std::max(level, 1U) + (level == 9 ? 2 : 1)));

      f.run(FletchUnderTest::answer_to(requests[0], Kind::held_answer));
      CHECK(f.looped() == level + 1);
      CHECK(f.locks_held() == 0);
      const auto answers = f.sent_to(FletchUnderTest::client);
      REQUIRE(answers.size() == 1);
      CHECK(answers[0].kind == Kind::answer);
      CHECK(answers[0].has(invalid));
      const auto at_server = f.sent_to(FletchUnderTest::server);
      REQUIRE(at_server.size() == 2);
      CHECK(at_server[1].kind == Kind::ack);
      CHECK(at_server[1].addresses.destination == FletchUnderTest::server);
      CHECK(f.test.rmt.packets_in_use() == 0);
    }
  }
}

TEST_CASE("A level that is evicted under a walking read sends it to the server with what it holds",
          "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(9);
  f.test.rmt.table(ProtocolTag{0}, level_small).erase({FletchUnderTest::key_of(4), 1});
  f.run(FletchUnderTest::read(9));
  const auto requests = f.sent_to(FletchUnderTest::server);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].held == 0b1111'1000);
  CHECK(f.lock_of(3) == 0);
  CHECK(f.lock_of(4) == 1);
  f.run(FletchUnderTest::answer_to(requests[0], Kind::held_answer));
  CHECK(f.locks_held() == 0);
}

TEST_CASE("A read of an uncached path recirculates once and takes no counter", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(8);
  f.run(FletchUnderTest::read(9));
  CHECK(f.looped() == 1);
  CHECK(f.locks_held() == 0);
  REQUIRE(f.sent_to(FletchUnderTest::server).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::server)[0].flags == 0);
  CHECK(f.test.rmt.counters().mirrored_frames == 0);
}

TEST_CASE("Another token under the same key is another path", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(3);
  Header header = FletchUnderTest::read(3);
  header.tokens[3] = 2;
  f.run(header);
  CHECK(f.sent_to(FletchUnderTest::server).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::client).empty());
}

TEST_CASE("An uncached path is reported once, when the sketch reaches the threshold", "[fletch]") {
  FletchUnderTest f(Placing::paper, CrossPipe::cable, true);
  f.cache_chain(8);
  for (int i = 0; i < 2; ++i) f.run(FletchUnderTest::read(9), sim::Bytes{600});
  CHECK(f.sent_to(FletchUnderTest::controller).empty());
  for (int i = 0; i < 5; ++i) f.run(FletchUnderTest::read(9), sim::Bytes{600});
  const auto reports = f.sent_to(FletchUnderTest::controller);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].kind == Kind::report);
  CHECK(reports[0].addresses.destination == FletchUnderTest::controller);
  CHECK(reports[0].keys[9] == FletchUnderTest::key_of(9));
  CHECK(f.sent_to(FletchUnderTest::server).size() == 7);
  for (const auto& frame : f.test.sent) {
    const bool report = frame.port == f.wiring.ports[FletchUnderTest::controller];
    CHECK(frame.packet.length == sim::Bytes{report ? 400 : 600});
    CHECK(frame.packet.payload.is_none() == report);
  }
}

TEST_CASE("A release of the shared counter at both its levels is noticed", "[fletch][mutant]") {
  LockPlan twice = paper_locks();
  twice.lowered_at[9] = twice.own_bit(9);
  FletchUnderTest f(FletchUnderTest::Options{.locks = twice});
  testing::ReleaseCheck check;
  f.test.rmt.observe(&check);
  f.cache_chain(9);
  f.run(FletchUnderTest::read(8));
  CHECK(check.raised == check.lowered);
  f.run(FletchUnderTest::read(9));
  CHECK(check.lowered == check.raised + 1);
  CHECK(check.at_zero == 1);
}

TEST_CASE("Both placings fit a Tofino 1 and use 46 of its 48 stateful ALUs", "[fletch]") {
  const auto placing = GENERATE(Placing::paper, Placing::prototype);
  const FletchUnderTest f(placing);
  const Program* program = f.program.get();
  const LayoutReport use = report(ChipSpec{}, std::span{&program, 1});
  CHECK(use.violations.empty());
  CHECK(use.total().stateful_alus == 46);
  CHECK(use.stage(0).stateful_alus == 3);
  CHECK(use.stage(1).stateful_alus == 3);
  CHECK(use.stage(11).stateful_alus == 4);
}

}  // namespace
}  // namespace recirc::pipeline
