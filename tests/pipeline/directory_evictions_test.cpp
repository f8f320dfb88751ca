#include "catch.h"
#include "directory_under_test.h"

namespace recirc::pipeline {
namespace {

using testing::DirectoryUnderTest;
using Kind = DirectoryUnderTest::Kind;
using State = DirectoryUnderTest::State;
using Header = DirectoryUnderTest::Header;
using Kinds = std::vector<Kind>;

Header eviction(std::uint8_t node, std::uint64_t page, std::uint8_t bits = 2) {
  Header header = DirectoryUnderTest::message(Kind::evict, node, page);
  header.region_bits = bits;
  return header;
}

TEST_CASE("A node that evicts a region leaves the list, and hears of it") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2, State::shared, 0b0110);
  rack.run(eviction(1, 3));
  CHECK(rack.kinds_to(1) == Kinds{Kind::evicted});
  CHECK(rack.state(7) == State::shared);
  CHECK(rack.sharers(7) == 0b0100);
  rack.run(eviction(2, 0));
  CHECK(rack.kinds_to(2) == Kinds{Kind::evicted});
  CHECK(rack.state(7) == State::invalid);
  CHECK(rack.sharers(7) == 0);
}

TEST_CASE("An owner that evicts leaves the region to nobody") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2, State::modified, 0b0010);
  rack.run(eviction(1, 3));
  CHECK(rack.kinds_to(1) == Kinds{Kind::evicted});
  CHECK(rack.state(7) == State::invalid);
  CHECK(rack.sharers(7) == 0);
}

TEST_CASE("An eviction that comes late does not take the region from its new owner") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2, State::modified, 0b1000);
  rack.run(eviction(1, 3));
  CHECK(rack.kinds_to(1) == Kinds{Kind::evicted});
  CHECK(rack.state(7) == State::modified);
  CHECK(rack.sharers(7) == 0b1000);
}

TEST_CASE("A node that evicts while it is told to give up answers both") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2, State::to_modified, 0b0011);
  rack.run(eviction(1, 3));
  CHECK(rack.kinds_to(1) == Kinds{Kind::evicted});
  CHECK(rack.sharers(7) == 0b0011);
  rack.run(rack.message(Kind::fin_ack, 1, 3, 0));
  CHECK(rack.state(7) == State::modified);
  CHECK(rack.sharers(7) == 0b0001);
}

TEST_CASE("Whoever evicts less than the region stays on its list") {
  // Two regions have become one since the node got its pages.
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 3, State::modified, 0b0010);
  rack.run(eviction(1, 3, 2));
  CHECK(rack.kinds_to(1) == Kinds{Kind::evicted});
  CHECK(rack.state(7) == State::modified);
  CHECK(rack.sharers(7) == 0b0010);
}

TEST_CASE("An eviction of a region without an entry is answered") {
  DirectoryUnderTest rack;
  rack.run(eviction(1, 3));
  CHECK(rack.kinds_to(1) == Kinds{Kind::evicted});
}

}  // namespace
}  // namespace recirc::pipeline
