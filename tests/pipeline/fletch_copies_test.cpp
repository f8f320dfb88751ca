#include "catch.h"
#include "fletch_under_test.h"
#include "pipeline/diagnostics.h"

// Servers on two pipes (decision 61): the lock pipe's, and another one on the clients' pipe.
namespace recirc::pipeline {
namespace {

using testing::FletchUnderTest;
using namespace programs::fletch;

constexpr std::uint64_t mark = 0x0000'0005'0003'0101;

/// /1/2/3 is cached for the other server, and its ancestors for both.
struct TwoServerPipes : FletchUnderTest {
  explicit TwoServerPipes(SequenceSpec sequence = {}, const LockPlan& locks = paper_locks())
      : FletchUnderTest(Options{.locks = locks, .sequence = sequence, .two_server_pipes = true}) {
    cache_chain(2);
    for (unsigned level = 0; level <= 2; ++level) copy(level);
    copy(3, 2);
  }
  static Header to_other(Header header) {
    header.addresses.destination = other_server;
    return header;
  }
  /// A server's answer to a write of level 2, which both pipes hold.
  [[nodiscard]] Header record(std::uint16_t from, Effect effect) const {
    Header answer = write_of(2);
    answer.addresses = {from, client};
    answer.kind = Kind::cached_answer;
    answer.effect = effect;
    answer.copies = Header::more_copies;
    for (unsigned slot = 0; slot < max_slots; ++slot) answer.set_slot(slot, mark + slot);
    return answer;
  }
};

TEST_CASE("A read is resolved in the egress pipe of its server, in as many passes", "[fletch]") {
  TwoServerPipes f;
  f.run(TwoServerPipes::to_other(FletchUnderTest::read(3)));
  REQUIRE(f.sent_to(FletchUnderTest::client).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::client)[0].has(hit));
  CHECK(f.sent_to(FletchUnderTest::client)[0].slot(0) == FletchUnderTest::slot_of(3, 0));
  CHECK(f.looped() == 3 + 2);
  CHECK(f.locks_held() == 0);
  CHECK(f.test.register_of(FletchUnderTest::client_pipe, frequency_array, 203).low == 1);
}

TEST_CASE("A path that only another pipe holds is not cached for this one's servers", "[fletch]") {
  TwoServerPipes f;
  f.run(FletchUnderTest::read(3));
  CHECK(f.sent_to(FletchUnderTest::server).size() == 1);
  CHECK(f.looped() == 1);
  CHECK(f.locks_held() == 0);
}

TEST_CASE("A write clears the flags of all copies before its server has it", "[fletch]") {
  for (const bool to_other : {false, true}) {
    TwoServerPipes f;
    Header write = FletchUnderTest::write(2);
    if (to_other) write = TwoServerPipes::to_other(write);
    const std::uint32_t index = lock_index(FletchUnderTest::key_of(2));
    f.set(lock_array(2), index, 1);
    f.send(write);
    f.test.scheduler.run(sim::Time{sim::microseconds(30)});
    CHECK(f.test.sent.empty());
    CHECK(f.get(validation_array, 102) == 1);
    CHECK(f.flag_of_copy(2) == 1);
    f.set(lock_array(2), index, 0);
    f.test.run();
    const std::uint16_t server = to_other ? FletchUnderTest::other_server : FletchUnderTest::server;
    REQUIRE(f.sent_to(server).size() == 1);
    CHECK(f.sent_to(server)[0].has(cached));
    CHECK(f.get(validation_array, 102) == 0);
    CHECK(f.flag_of_copy(2) == 0);
  }
}

TEST_CASE("A write makes a pass for each copy, and no more than before for a file's one",
          "[fletch]") {
  TwoServerPipes f;
  f.run(FletchUnderTest::write(2));
  CHECK(f.looped() == 1 + 2);
  TwoServerPipes g;
  g.run(TwoServerPipes::to_other(FletchUnderTest::write(3)));
  CHECK(g.looped() == 1);
  CHECK(g.flag_of_copy(3) == 0);
}

TEST_CASE("A write finds the copy that only another pipe has", "[fletch]") {
  TwoServerPipes f;
  f.run(FletchUnderTest::write(3));
  CHECK(f.sent_to(FletchUnderTest::server).size() == 1);
  CHECK(f.flag_of_copy(3) == 0);
}

TEST_CASE("A write that is marked as waiting takes its mark back once", "[fletch]") {
  TwoServerPipes f({}, with_pending_writes(paper_locks()));
  const std::uint32_t index = lock_index(FletchUnderTest::key_of(2));
  const auto counter = [&] {
    return f.test.register_of(FletchUnderTest::lock_pipe, lock_array(2), index);
  };
  f.set(lock_array(2), index, 1);
  f.send(FletchUnderTest::write(2));
  f.send(TwoServerPipes::to_other(FletchUnderTest::write(2)));
  f.test.scheduler.run(sim::Time{sim::microseconds(30)});
  CHECK(counter() == Words{1, 2});
  f.test.set_register(FletchUnderTest::lock_pipe, lock_array(2), index, {0, 2});
  f.test.run();
  CHECK(counter() == Words{});
  CHECK(f.test.sent.size() == 2);
}

TEST_CASE("An answer brings all copies up to date before its client has it", "[fletch]") {
  for (const std::uint16_t from : {FletchUnderTest::server, FletchUnderTest::other_server}) {
    for (const Effect effect : {Effect::update, Effect::validate, Effect::retract}) {
      TwoServerPipes f;
      if (effect != Effect::retract) f.run(FletchUnderTest::write(2));
      f.test.sent.clear();
      f.send(f.record(from, effect));
      while (f.test.sent.empty() && f.test.scheduler.pending() > 0) {
        f.test.scheduler.run(sim::Scheduler::forever, 1);
      }
      const std::uint32_t flag = effect == Effect::retract ? 0 : 1;
      CHECK(f.get(validation_array, 102) == flag);
      CHECK(f.flag_of_copy(2) == flag);
      CHECK(f.first_slot_of_copy(2) ==
            (effect == Effect::update ? mark : FletchUnderTest::slot_of(2, 0)));
      f.test.run();
      CHECK(f.sent_to(FletchUnderTest::client).size() == 1);
      REQUIRE(f.sent_to(from).size() == 1);
      CHECK(f.sent_to(from)[0].kind == Kind::ack);
    }
  }
}

TEST_CASE("The answer to an invalid read of another pipe crosses to the lock pipe and releases",
          "[fletch]") {
  TwoServerPipes f;
  f.test.set_register(FletchUnderTest::client_pipe, validation_array, 202, {});
  f.run(TwoServerPipes::to_other(FletchUnderTest::read(3)));
  REQUIRE(f.sent_to(FletchUnderTest::other_server).size() == 1);
  CHECK(f.locks_held() == 2);
  const std::uint64_t before = f.looped();
  f.run(FletchUnderTest::answer_to(f.sent_to(FletchUnderTest::other_server)[0], Kind::held_answer));
  CHECK(f.looped() == before + 1);
  CHECK(f.locks_held() == 0);
  CHECK(f.sent_to(FletchUnderTest::client).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::other_server).size() == 2);
}

TEST_CASE("A numbered answer counts as taken when it has been to all copies", "[fletch]") {
  for (const Comparing comparing : {Comparing::equality, Comparing::strict}) {
    TwoServerPipes f({comparing, 2});
    const auto expected = [&] { return f.get(sequence_array(f.wiring.locks), 0); };
    f.send(f.record(FletchUnderTest::server, Effect::update));
    while (f.first_slot_of_copy(2) != mark) f.test.scheduler.run(sim::Scheduler::forever, 1);
    CHECK(expected() == 0);
    f.test.run();
    CHECK(expected() == 1);
    Header again = f.record(FletchUnderTest::server, Effect::update);
    again.set_slot(0, 1);
    f.run(again);
    CHECK(expected() == 1);
    CHECK(f.first_slot_of_copy(2) == mark);
    CHECK(f.sent_to(FletchUnderTest::client).size() == 1);
    CHECK(f.sent_to(FletchUnderTest::server).size() == 2);
  }
}

TEST_CASE("A rename clears the flags of all copies of both of its paths", "[fletch]") {
  TwoServerPipes f;
  Header rename = FletchUnderTest::write(2);
  rename.set_second_path(FletchUnderTest::key_of(1), 0, 1, 1);
  f.run(rename);
  REQUIRE(f.test.sent.size() == 1);
  for (const unsigned level : {1U, 2U}) {
    CHECK(f.get(validation_array, 100 + level) == 0);
    CHECK(f.flag_of_copy(level) == 0);
  }
}

TEST_CASE("The program places on Tofino 1 for any number of server pipes", "[fletch]") {
  const ChipSpec tofino1;
  for (unsigned pipes = 1; pipes <= most_server_pipes; ++pipes) {
    for (const Placing placing : {Placing::paper, Placing::prototype}) {
      for (const bool numbered : {false, true}) {
        Wiring wiring;
        wiring.loop = PortId{0};
        wiring.ways_round.assign(pipes, PortId{0});
        if (numbered) wiring.sequence = {Comparing::equality, 320};
        const auto program = make_program(placing, wiring);
        const Program* const all[] = {program.get()};
        INFO(pipes << " pipes: " << program->layout().program);
        CHECK(report(tofino1, all).violations.empty());
      }
    }
  }
}

}  // namespace
}  // namespace recirc::pipeline
