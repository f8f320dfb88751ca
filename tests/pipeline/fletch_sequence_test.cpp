#include "catch.h"
#include "fletch_under_test.h"
#include "pipeline/diagnostics.h"

// The sequence-number protocol in the switch (Fletch §VI-A).
namespace recirc::pipeline {
namespace {

using testing::FletchUnderTest;
using namespace programs::fletch;

constexpr std::uint32_t channels = 4;
constexpr std::uint16_t channel = 2;

FletchUnderTest with_numbers(Comparing comparing) {
  return FletchUnderTest(FletchUnderTest::Options{.sequence = {comparing, channels}});
}

/// The server's answer to a read of level 3 that holds levels 2 and 3.
Header held_answer(std::uint8_t number) {
  Header answer = FletchUnderTest::answer_to(FletchUnderTest::read(3), Kind::held_answer);
  answer.set(invalid);
  answer.held = 0b110;
  answer.counter = channel;
  answer.sequence = number;
  return answer;
}

void hold(FletchUnderTest& f, std::uint32_t readers) {
  for (const unsigned level : {2U, 3U}) {
    f.set(lock_array(level), lock_index(FletchUnderTest::key_of(level)), readers);
  }
}

struct Seen {
  std::size_t answers;
  std::size_t acknowledgements;
  std::uint32_t readers;  ///< still counted at level 3
};
Seen send_answer(FletchUnderTest& f, std::uint8_t number) {
  f.test.sent.clear();
  f.run(held_answer(number));
  CHECK(f.lock_of(2) == f.lock_of(3));
  return {f.sent_to(FletchUnderTest::client).size(), f.sent_to(FletchUnderTest::server).size(),
          f.lock_of(3)};
}

TEST_CASE("A repeated answer is acknowledged and changes nothing, across the wrap", "[fletch]") {
  for (const Comparing comparing : {Comparing::equality, Comparing::strict}) {
    FletchUnderTest f = with_numbers(comparing);
    constexpr unsigned answers = 600;
    hold(f, answers);
    for (unsigned i = 0; i < answers; ++i) {
      const auto number = static_cast<std::uint8_t>(i);
      const Seen first = send_answer(f, number);
      REQUIRE(first.answers == 1);
      REQUIRE(first.acknowledgements == 1);
      REQUIRE(first.readers == answers - 1 - i);
      const Seen again = send_answer(f, number);
      REQUIRE(again.answers == 0);
      REQUIRE(again.acknowledgements == 1);
      REQUIRE(again.readers == answers - 1 - i);
      CHECK(f.sent_to(FletchUnderTest::server)[0].kind == Kind::ack);
      CHECK(f.sent_to(FletchUnderTest::server)[0].sequence == number);
    }
    CHECK(f.locks_held() == 0);
  }
}

TEST_CASE("An answer that comes again after 256 others counts as new", "[fletch]") {
  for (const Comparing comparing : {Comparing::equality, Comparing::strict}) {
    FletchUnderTest f = with_numbers(comparing);
    hold(f, 1'000);
    for (unsigned i = 0; i < 256; ++i) send_answer(f, static_cast<std::uint8_t>(i));
    CHECK(f.lock_of(3) == 744);
    // The copy of answer 1, late by 255: the last that is told apart.
    CHECK(send_answer(f, 1).readers == 744);
    // That of answer 0, late by 256, lowers the counter of a reader that is not its own.
    CHECK(send_answer(f, 0).readers == 743);
  }
}

TEST_CASE("A number ahead: equality takes it for a repetition, strict drops it", "[fletch]") {
  FletchUnderTest equality = with_numbers(Comparing::equality);
  hold(equality, 5);
  Seen seen = send_answer(equality, 3);
  CHECK(seen.readers == 5);
  CHECK(seen.answers == 0);
  CHECK(seen.acknowledgements == 1);
  FletchUnderTest strict = with_numbers(Comparing::strict);
  hold(strict, 5);
  seen = send_answer(strict, 3);
  CHECK(seen.readers == 5);
  CHECK(seen.answers + seen.acknowledgements == 0);
  CHECK(send_answer(strict, 0).readers == 4);
}

TEST_CASE("Every channel has its own counter", "[fletch]") {
  FletchUnderTest f = with_numbers(Comparing::equality);
  hold(f, 10);
  Header answer = held_answer(0);
  for (std::uint16_t c = 0; c < channels; ++c) {
    answer.counter = c;
    f.run(answer);
  }
  CHECK(f.lock_of(3) == 6);
  for (std::uint16_t c = 0; c < channels; ++c) CHECK(f.get(sequence_array(paper_locks()), c) == 1);
}

TEST_CASE("A late copy of a write's answer does not bring the old record back", "[fletch]") {
  for (const bool numbered : {true, false}) {
    FletchUnderTest f = with_numbers(numbered ? Comparing::equality : Comparing::off);
    f.cache_chain(2);
    const auto answer = [&](std::uint8_t number, std::uint64_t mark) {
      Header header = FletchUnderTest::answer_to(FletchUnderTest::write(2), Kind::cached_answer);
      header.effect = Effect::update;
      header.counter = channel;
      header.sequence = number;
      for (unsigned slot = 0; slot < max_slots; ++slot) header.set_slot(slot, mark + slot);
      return header;
    };
    f.run(answer(0, 100));
    f.run(answer(1, 200));
    f.run(answer(0, 100));
    // Level 2 has slots 6 to 8 of row 0.
    CHECK(f.get(value_array(12), 0) == (numbered ? 200 : 100));
  }
}

TEST_CASE("A counter at zero stays there", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(3);
  f.run(held_answer(0));
  CHECK(f.locks_held() == 0);
}

TEST_CASE("With sequence numbers the program takes 47 of Tofino 1's 48 stateful ALUs", "[fletch]") {
  for (const Placing placing : {Placing::paper, Placing::prototype}) {
    for (const Comparing comparing : {Comparing::off, Comparing::equality, Comparing::strict}) {
      Wiring wiring;
      wiring.sequence = {comparing, 128 * 20};
      const auto program = make_program(placing, wiring);
      const Program* const programs[] = {program.get()};
      const auto found = report(ChipSpec{}, programs);
      CHECK(found.violations.empty());
      CHECK(found.total().stateful_alus == (comparing == Comparing::off ? 46 : 47));
      CHECK(found.stage(0).stateful_alus == (comparing == Comparing::off ? 3 : 4));
    }
  }
}

}  // namespace
}  // namespace recirc::pipeline
