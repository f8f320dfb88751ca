#include "catch.h"
#include "directory_under_test.h"

namespace recirc::pipeline {
namespace {

using testing::DirectoryUnderTest;
using Kind = DirectoryUnderTest::Kind;
using State = DirectoryUnderTest::State;
using Header = DirectoryUnderTest::Header;
using Kinds = std::vector<Kind>;
using programs::directory::GrantPolicy;
namespace directory = programs::directory;

TEST_CASE("A write to a shared region reaches those who have it and nobody else") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0x10, 2, State::shared, 0b1011);
  rack.run(rack.message(Kind::write_request, 1, 0x12));
  for (const std::uint8_t node : {std::uint8_t{0}, std::uint8_t{3}}) {
    REQUIRE(rack.kinds_to(node) == Kinds{Kind::invalidation});
    const Header told = rack.sent_to(node)[0];
    CHECK(told.requester == 1);
    CHECK(told.page == 0x12);
    CHECK(told.region_bits == 2);
    CHECK(told.has(directory::give_up_copies));
    CHECK_FALSE(told.has(directory::data_wanted));
    CHECK(told.addresses.destination == node);
  }
  CHECK(rack.sent_to(2).empty());
  CHECK(rack.sent_to(1).empty());
  CHECK(rack.kinds_to(rack.blade_at(0)) == Kinds{Kind::fetch});        // meanwhile
  CHECK(rack.test.rmt.counters().multicast_copies == rack.nodes - 1);  // and the original
  CHECK(rack.state(7) == State::to_modified);
  CHECK(rack.sharers(7) == 0b1011);
}

TEST_CASE("With wait_all the switch grants a write when the last holder has given up") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0x10, 2, State::shared, 0b1011);
  rack.run(rack.message(Kind::write_request, 1, 0x12));
  CHECK(rack.run(rack.message(Kind::fin_ack, 3, 0x12, 1)).empty());
  CHECK(rack.state(7) == State::to_modified);
  rack.run(rack.message(Kind::fin_ack, 0, 0x12, 1));
  CHECK(rack.test.sent.size() == 1);
  CHECK(rack.kinds_to(1) == Kinds{Kind::grant});
  CHECK(rack.state(7) == State::modified);
  CHECK(rack.sharers(7) == 0b0010);
}

TEST_CASE("With early the grant leaves with the invalidations, and only then") {
  DirectoryUnderTest rack({.grant = GrantPolicy::early});
  rack.add_region(7, 0x10, 2, State::shared, 0b0011);
  rack.run(rack.message(Kind::write_request, 1, 0x12));
  CHECK(rack.kinds_to(1) == Kinds{Kind::grant});
  CHECK(rack.kinds_to(0) == Kinds{Kind::invalidation});
  CHECK(rack.kinds_to(rack.blade_at(0)) == Kinds{Kind::fetch});
  CHECK(rack.run(rack.message(Kind::fin_ack, 0, 0x12, 1)).empty());
  CHECK(rack.state(7) == State::modified);
}

TEST_CASE("An owner is asked for the page; with a reader it may keep a copy, with a writer not") {
  for (const bool writes : {false, true}) {
    DirectoryUnderTest rack;
    rack.add_region(7, 0x10, 2, State::modified, 0b0001);
    rack.run(rack.message(writes ? Kind::write_request : Kind::read_request, 1, 0x12));
    CHECK(rack.test.sent.size() == 1);  // memory has nothing to give
    REQUIRE(rack.kinds_to(0) == Kinds{Kind::invalidation});
    CHECK(rack.sent_to(0)[0].has(directory::data_wanted));
    CHECK(rack.sent_to(0)[0].has(directory::give_up_copies) == writes);

    rack.run(rack.message(Kind::data, 0, 0x12, 1));
    CHECK(rack.kinds_to(1) == Kinds{Kind::data});
    CHECK(rack.kinds_to(rack.blade_at(0)) == Kinds{Kind::passthrough});
    rack.run(rack.message(Kind::fin_ack, 0, 0x12, 1));
    CHECK(rack.kinds_to(1) == Kinds{Kind::grant});
    CHECK(rack.state(7) == (writes ? State::modified : State::shared));
    CHECK(rack.sharers(7) == (writes ? 0b0010 : 0b0011));
  }
}

TEST_CASE("When the owner does not have the page, memory is asked for it") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0x10, 2, State::modified, 0b0001);
  rack.run(rack.message(Kind::read_request, 1, 0x12));
  rack.run(rack.message(Kind::dummy, 0, 0x12, 1));
  CHECK(rack.test.sent.size() == 1);
  REQUIRE(rack.kinds_to(rack.blade_at(0)) == Kinds{Kind::fetch});
  CHECK(rack.sent_to(rack.blade_at(0))[0].requester == 1);
}

TEST_CASE("Pages that nobody had asked for go to memory and are counted by region") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0x10, 2, State::to_modified, 0b0011);
  rack.add_region(8, 0x20, 2, State::modified, 0b0001);
  for (const std::uint64_t page : {0x11, 0x13, 0x21}) {
    rack.run(rack.message(Kind::passthrough, 0, page));
    CHECK(rack.kinds_to(rack.blade_at(0)) == Kinds{Kind::passthrough});
  }
  CHECK(rack.false_invalidations(7) == 2);
  CHECK(rack.false_invalidations(8) == 0);  // written back by its owner of its own accord
}

TEST_CASE("Memory has the owner's page before anybody else can ask for it") {
  // The requester's port is busy for 200 us when the page and the last answer come.
  DirectoryUnderTest rack;
  rack.add_region(7, 0x10, 2, State::to_shared, 0b0011);
  for (unsigned i = 0; i < 600; ++i) {
    rack.test.send(
        rack.wiring.ports[2 + i % 2],
        [&] {
          Header page = rack.message(Kind::page, 0, 0x99);
          page.addresses.destination = 1;
          return page;
        }(),
        sim::Bytes{4170}, sim::Time{} + sim::nanoseconds(200 * i));
  }
  const sim::Time busy = sim::Time{} + sim::microseconds(120);
  rack.send(rack.message(Kind::data, 0, 0x12, 1), busy);
  rack.send(rack.message(Kind::fin_ack, 0, 0x12, 1), busy + sim::nanoseconds(400));
  rack.send(rack.message(Kind::read_request, 3, 0x12), busy + sim::microseconds(5));
  rack.test.run();
  CHECK(rack.kinds_to(rack.blade_at(0)) == Kinds{Kind::passthrough, Kind::fetch});
}

}  // namespace
}  // namespace recirc::pipeline
