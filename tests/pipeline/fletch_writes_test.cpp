#include "catch.h"
#include "fletch_under_test.h"

namespace recirc::pipeline {
namespace {

using testing::FletchUnderTest;
using namespace programs::fletch;

Header record_answer(const Header& request, Effect effect, std::uint64_t mark) {
  Header answer = FletchUnderTest::answer_to(request, Kind::cached_answer);
  answer.effect = effect;
  for (unsigned slot = 0; slot < max_slots; ++slot) answer.set_slot(slot, mark + slot);
  return answer;
}

TEST_CASE("An idle write of a cached path recirculates once and clears its flag", "[fletch]") {
  for (const unsigned depth : {0U, 1U, 7U, 8U, 9U}) {
    FletchUnderTest f;
    f.cache_chain(depth);
    f.run(FletchUnderTest::write(depth));
    CHECK(f.looped() == 1);
    REQUIRE(f.sent_to(FletchUnderTest::server).size() == 1);
    CHECK(f.sent_to(FletchUnderTest::server)[0].has(cached));
    CHECK(!f.sent_to(FletchUnderTest::server)[0].has(waited));
    CHECK(f.get(validation_array, 100 + depth) == 0);
  }
}

TEST_CASE("A rename clears the flags of both of its paths, one more pass for the second",
          "[fletch]") {
  for (const bool source_cached : {true, false}) {
    for (const unsigned destination : {3U, 9U}) {
      FletchUnderTest f;
      if (source_cached) f.cache(2, false);
      f.cache(destination, false);
      Header rename = FletchUnderTest::write(2);
      rename.set_second_path(FletchUnderTest::key_of(destination), FletchUnderTest::key_of(8), 1,
                             static_cast<std::uint8_t>(destination));
      // The destination's counter is raised: the source's flag is cleared before, and stays so.
      const ArrayId array = lock_array(std::min(destination, 8U));
      const std::uint32_t index = lock_index(FletchUnderTest::key_of(std::min(destination, 8U)));
      f.set(array, index, 1);
      f.send(rename);
      f.test.scheduler.run(sim::Time{sim::microseconds(20)});
      CHECK(f.sent_to(FletchUnderTest::server).empty());
      CHECK(f.get(validation_array, 102) == 0);
      CHECK(f.get(validation_array, 100 + destination) == 1);
      f.set(array, index, 0);
      f.test.run();
      REQUIRE(f.sent_to(FletchUnderTest::server).size() == 1);
      CHECK(f.get(validation_array, 100 + destination) == 0);
    }
  }
  FletchUnderTest f;
  f.cache(2, false);
  Header rename = FletchUnderTest::write(2);
  rename.set_second_path(77, 0, 0, 3);
  f.run(rename);
  CHECK(f.looped() == 2);  // the cable, and the pass for the other path
}

TEST_CASE("A change that no client waits for is acknowledged to its sender only", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(3);
  f.set(validation_array, 103, 0);
  Header change = record_answer(FletchUnderTest::write(3), Effect::update, 500);
  change.addresses.destination = change.addresses.source;
  change.set_change(0x8000'0005U);
  f.run(change);
  CHECK(f.get(validation_array, 103) == 1);
  CHECK(f.sent_to(FletchUnderTest::client).empty());
  const auto acks = f.sent_to(FletchUnderTest::server);
  REQUIRE(acks.size() == 1);
  CHECK(acks[0].kind == Kind::ack);
  CHECK(acks[0].is_change());
  CHECK(acks[0].change() == 0x8000'0005U);
}

TEST_CASE("A write of an uncached path goes to its server and touches nothing", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(8);
  f.run(FletchUnderTest::write(9));
  CHECK(f.looped() == 1);
  REQUIRE(f.sent_to(FletchUnderTest::server).size() == 1);
  CHECK(!f.sent_to(FletchUnderTest::server)[0].has(cached));
}

TEST_CASE("A write waits for its level's counter, egress bypassed, and no longer", "[fletch]") {
  for (const unsigned depth : {1U, 7U, 8U, 9U}) {
    FletchUnderTest f;
    f.cache_chain(depth);
    const ArrayId array = lock_array(std::min(depth, 8U));
    const std::uint32_t index = lock_index(FletchUnderTest::key_of(depth == 9 ? 8 : depth));
    f.set(array, index, 1);
    f.send(FletchUnderTest::write(depth));
    f.test.scheduler.run(sim::Time{sim::microseconds(50)});
    CHECK(f.sent_to(FletchUnderTest::server).empty());
    CHECK(f.get(validation_array, 100 + depth) == 1);
    const std::uint64_t while_waiting = f.looped();
    CHECK(while_waiting > 20);
    CHECK(f.test.scheduler.events() < while_waiting / 2);  // its passes are booked, not run
    f.set(array, index, 0);
    f.test.run();
    REQUIRE(f.sent_to(FletchUnderTest::server).size() == 1);
    CHECK(f.sent_to(FletchUnderTest::server)[0].has(waited));
    CHECK(f.looped() <= while_waiting + 1);
    REQUIRE(f.test.sent.size() == 1);
    CHECK(f.test.sent[0].packet.waiting > sim::microseconds(35));
  }
}

TEST_CASE("A write does not wait for readers of other levels", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(9);
  f.set(lock_array(4), lock_index(FletchUnderTest::key_of(4)), 3);
  f.run(FletchUnderTest::write(5));
  CHECK(f.looped() == 1);
}

TEST_CASE("Paths whose keys end in the same sixteen bits share a counter", "[fletch]") {
  FletchUnderTest f;
  f.cache_chain(3);
  Header other = FletchUnderTest::write(3);
  other.keys[0] ^= std::uint64_t{1} << 40U;
  f.test.rmt.table(ProtocolTag{0}, level_small)
      .insert({other.keys[0], 1}, match_result(Location{}));
  f.test.rmt.table(ProtocolTag{0}, last_small).insert({other.keys[0], 1}, 1);
  // A read of the one holds the other's writers up, on its level only.
  f.set(validation_array, 103, 0);
  f.run(FletchUnderTest::read(3));
  const Header held = f.sent_to(FletchUnderTest::server).at(0);
  f.send(other);
  f.test.scheduler.run(f.test.scheduler.now() + sim::microseconds(20));
  CHECK(f.sent_to(FletchUnderTest::server).size() == 1);
  f.run(FletchUnderTest::answer_to(held, Kind::held_answer));
  const auto at_server = f.sent_to(FletchUnderTest::server);
  REQUIRE(at_server.size() == 3);
  CHECK(at_server[2].has(waited));
  CHECK(f.locks_held() == 0);
}

TEST_CASE("An answer to a write brings the record up to date and needs no recirculation",
          "[fletch]") {
  const auto placing = GENERATE(Placing::paper, Placing::prototype);
  FletchUnderTest f(placing);
  f.cache_chain(9);
  f.run(FletchUnderTest::write(9));
  const Header request = f.sent_to(FletchUnderTest::server)[0];
  constexpr std::uint64_t mark = 0x0000'0005'0003'0101;
  f.run(record_answer(request, Effect::update, mark));
  CHECK(f.looped() == 1);
  CHECK(f.get(validation_array, 109) == 1);
  REQUIRE(f.sent_to(FletchUnderTest::client).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::client)[0].kind == Kind::answer);
  CHECK(f.sent_to(FletchUnderTest::server)[1].kind == Kind::ack);

  f.run(FletchUnderTest::read(9));
  const auto answers = f.sent_to(FletchUnderTest::client);
  REQUIRE(answers.size() == 2);
  CHECK(answers[1].has(hit));
  for (unsigned slot = 0; slot < max_slots; ++slot) CHECK(answers[1].slot(slot) == mark + slot);
  CHECK(f.test.rmt.packets_in_use() == 0);
}

TEST_CASE("What an answer does to flag and record follows its effect", "[fletch]") {
  struct Case {
    Effect effect;
    std::uint32_t flag_before, flag_after;
    bool stored;
  };
  const auto c = GENERATE(Case{Effect::update, 0, 1, true}, Case{Effect::store, 0, 0, true},
                          Case{Effect::validate, 0, 1, false}, Case{Effect::keep, 0, 0, false},
                          Case{Effect::keep, 1, 1, false}, Case{Effect::retract, 1, 0, false});
  FletchUnderTest f;
  f.cache_chain(3);
  f.set(validation_array, 103, c.flag_before);
  constexpr std::uint64_t mark = 0x0003'0101;
  f.run(record_answer(FletchUnderTest::write(3), c.effect, mark));
  CHECK(f.get(validation_array, 103) == c.flag_after);
  f.set(validation_array, 103, 1);
  f.run(FletchUnderTest::read(3));
  const auto answers = f.sent_to(FletchUnderTest::client);
  REQUIRE(answers.size() == 2);
  CHECK(answers[1].slot(0) == (c.stored ? mark : FletchUnderTest::slot_of(3, 0)));
}

TEST_CASE("An answer to a write of a path that was evicted meanwhile still reaches its client",
          "[fletch]") {
  FletchUnderTest f;
  f.run(record_answer(FletchUnderTest::write(5), Effect::update, 0));
  CHECK(f.sent_to(FletchUnderTest::client).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::server).size() == 1);
}

TEST_CASE("Frames that are not requests go straight to their port", "[fletch]") {
  FletchUnderTest f;
  Header header;
  header.addresses = {FletchUnderTest::server, FletchUnderTest::client};
  header.kind = Kind::answer;
  f.run(header);
  header.addresses = {FletchUnderTest::controller, FletchUnderTest::server};
  header.kind = Kind::control;
  f.run(header);
  header.addresses = {FletchUnderTest::client, FletchUnderTest::server};
  header.kind = Kind::bypass_request;
  f.run(header);
  CHECK(f.looped() == 0);
  CHECK(f.sent_to(FletchUnderTest::client).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::server).size() == 2);
}

TEST_CASE(
    "Written back, a write is acknowledged on its way, and its record stays hidden until the "
    "last answer",
    "[fletch][write_back]") {
  FletchUnderTest f(FletchUnderTest::Options{.release_in_switch = true, .write_back = true});
  f.cache_chain(3);
  Header write = FletchUnderTest::write(3);
  write.let_defer();
  f.run(write);
  REQUIRE(f.sent_to(FletchUnderTest::client).size() == 1);
  CHECK(f.sent_to(FletchUnderTest::client)[0].kind == Kind::answer);
  CHECK(f.sent_to(FletchUnderTest::client)[0].may_defer());
  REQUIRE(f.sent_to(FletchUnderTest::server).size() == 1);
  const Header first = f.sent_to(FletchUnderTest::server)[0];
  CHECK(first.kind == Kind::write_request);
  f.run(write);  // the answer to the first must not show what the second replaces
  f.run(record_answer(first, Effect::update, 0x0003'0101));
  CHECK(f.get(validation_array, 103) == 2);
  const auto hits = [&f] {
    f.run(FletchUnderTest::read(3));
    return f.sent_to(FletchUnderTest::client).back().has(hit);
  };
  CHECK(!hits());
  f.run(record_answer(first, Effect::update, 0x0003'0101));
  CHECK(f.get(validation_array, 103) == 1);
  CHECK(hits());

  Header other = FletchUnderTest::write(3);  // its client waits for the server
  f.run(other);
  CHECK(f.sent_to(FletchUnderTest::client).back().has(hit));
}

}  // namespace
}  // namespace recirc::pipeline
