#include <bit>

#include "catch.h"
#include "directory_under_test.h"

namespace recirc::pipeline {
namespace {

using testing::DirectoryUnderTest;
using Kind = DirectoryUnderTest::Kind;
using State = DirectoryUnderTest::State;
using Kinds = std::vector<Kind>;

/// Two nodes write to a region that nobody has, the second one `gap` after the first.
void race(DirectoryUnderTest& rack, sim::Duration gap) {
  rack.add_region(7, 0, 2);
  rack.send(rack.message(Kind::write_request, 0, 1), sim::Time{});
  rack.send(rack.message(Kind::write_request, 1, 1), sim::Time{} + gap);
  rack.test.run();
}

unsigned grants(const DirectoryUnderTest& rack) {
  unsigned count = 0;
  for (std::uint16_t node = 0; node < rack.nodes; ++node) {
    for (const Kind kind : rack.kinds_to(node)) count += kind == Kind::grant ? 1 : 0;
  }
  return count;
}

TEST_CASE("Of two writers that come close together one gets the region, however close") {
  for (unsigned gap = 0; gap <= 2000; gap += 100) {
    DirectoryUnderTest rack;
    race(rack, sim::nanoseconds(gap));
    CHECK(grants(rack) == 1);
    // The second one finds the first one's entry, and has it invalidated.
    CHECK(rack.kinds_to(0) == Kinds{Kind::grant, Kind::invalidation});
    CHECK(rack.state(7) == State::to_modified);
    CHECK(rack.sharers(7) == 0b0011);
    CHECK_FALSE(rack.claimed(7));
  }
}

TEST_CASE("Without the claim bit two nodes own a region") {
  DirectoryUnderTest rack({.claims = false});
  race(rack, sim::nanoseconds(100));
  CHECK(grants(rack) == 2);
  CHECK(rack.state(7) == State::modified);
  CHECK(std::popcount(rack.sharers(7)) == 1);  // one of the owners is on no list
}

TEST_CASE("A packet that finds the entry claimed goes round until it is not") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2);
  rack.test.set_register(rack.directory_pipe, programs::directory::state_array, 7,
                         {static_cast<std::uint32_t>(State::invalid), 1});
  rack.send(rack.message(Kind::read_request, 0, 1), sim::Time{});
  rack.test.scheduler.run(sim::Time{} + sim::microseconds(20));
  CHECK(rack.test.sent.empty());
  CHECK(rack.test.rmt.counters().recirculated_frames > 10);
  rack.test.set_register(rack.directory_pipe, programs::directory::state_array, 7,
                         {static_cast<std::uint32_t>(State::invalid), 0});
  rack.test.run();
  CHECK(rack.kinds_to(0) == Kinds{Kind::grant});
}

TEST_CASE("A claim that nobody gives back ends at the limit of recirculations") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2);
  rack.test.set_register(rack.directory_pipe, programs::directory::state_array, 7,
                         {static_cast<std::uint32_t>(State::invalid), 1});
  rack.run(rack.message(Kind::read_request, 0, 1));
  CHECK(rack.test.sent.empty());
  REQUIRE(rack.test.drops.size() == 1);
  CHECK(rack.test.drops[0].reason == DropReason::recirculation_limit);
}

TEST_CASE("A claim on one region holds nobody up at another") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2);
  rack.add_region(8, 4, 2);
  rack.test.set_register(rack.directory_pipe, programs::directory::state_array, 7,
                         {static_cast<std::uint32_t>(State::invalid), 1});
  rack.run(rack.message(Kind::write_request, 0, 5));
  CHECK(rack.kinds_to(0) == Kinds{Kind::grant});
}

TEST_CASE("Pages pass a claimed entry: they change nothing in it") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2);
  rack.test.set_register(rack.directory_pipe, programs::directory::state_array, 7,
                         {static_cast<std::uint32_t>(State::to_modified), 1});
  rack.run(rack.message(Kind::passthrough, 0, 1));
  CHECK(rack.kinds_to(rack.blade_at(0)) == Kinds{Kind::passthrough});
  CHECK(rack.claimed(7));
}

}  // namespace
}  // namespace recirc::pipeline
