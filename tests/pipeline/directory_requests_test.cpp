#include "catch.h"
#include "directory_under_test.h"

namespace recirc::pipeline {
namespace {

using testing::DirectoryUnderTest;
using Kind = DirectoryUnderTest::Kind;
using State = DirectoryUnderTest::State;
using Header = DirectoryUnderTest::Header;
using Kinds = std::vector<Kind>;
namespace directory = programs::directory;

TEST_CASE("A region that no node has is granted at once, and memory is asked for the page") {
  for (const Kind kind : {Kind::read_request, Kind::write_request}) {
    DirectoryUnderTest rack;
    rack.add_region(7, 0x600, 2);
    rack.run(rack.message(kind, 2, 0x603));
    CHECK(rack.test.sent.size() == 2);
    REQUIRE(rack.kinds_to(2) == Kinds{Kind::grant});
    CHECK(rack.sent_to(2)[0].region_bits == 2);
    const auto fetches = rack.sent_to(rack.blade_at(1));
    REQUIRE(fetches.size() == 1);
    CHECK(fetches[0].kind == Kind::fetch);
    CHECK(fetches[0].requester == 2);
    CHECK(fetches[0].page == 0x603);
    CHECK(rack.state(7) == (kind == Kind::read_request ? State::shared : State::modified));
    CHECK(rack.sharers(7) == 0b0100);
    CHECK_FALSE(rack.claimed(7));
  }
}

TEST_CASE("A request takes two passes through the directory, and a third one to memory") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0x600, 2);
  rack.run(rack.message(Kind::read_request, 2, 0x603));
  for (const testing::Sent& frame : rack.test.sent) {
    const bool to_memory = frame.header<Header>().kind == Kind::fetch;
    CHECK(frame.packet.recirculations == (to_memory ? 2 : 1));
  }
  CHECK(rack.test.rmt.counters().ingress_passes == 3);
  CHECK(rack.test.rmt.counters().recirculated_frames == 2);
}

TEST_CASE("The entry of a page is that of the longest prefix, in whichever table it is") {
  DirectoryUnderTest rack;
  const std::uint16_t far = 5 * directory::entries_per_table + 3;
  rack.add_region(0, 0x0, 0);
  rack.add_region(1, 0x1, 0);
  rack.add_region(far, 0x200, 9);
  rack.run(rack.message(Kind::write_request, 1, 0x1));
  rack.run(rack.message(Kind::write_request, 3, 0x3ff));
  CHECK(rack.state(0) == State::invalid);
  CHECK(rack.sharers(1) == 0b0010);
  CHECK(rack.sharers(far) == 0b1000);
  CHECK(rack.sent_to(3)[0].region_bits == 9);
}

TEST_CASE("A page without an entry is refused, and an answer about it comes to nothing") {
  DirectoryUnderTest rack;
  rack.run(rack.message(Kind::read_request, 1, 0x10));
  CHECK(rack.kinds_to(1) == Kinds{Kind::nack});
  CHECK(rack.run(rack.message(Kind::fin_ack, 1, 0x10, 2)).empty());
}

TEST_CASE("Readers join the list one after another") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2);
  for (std::uint8_t node = 0; node < rack.nodes; ++node) {
    rack.run(rack.message(Kind::read_request, node, 1));
    CHECK(rack.kinds_to(node) == Kinds{Kind::grant});
    CHECK(rack.sharers(7) == (2U << node) - 1);
    CHECK(rack.state(7) == State::shared);
  }
}

TEST_CASE("While holders have to give up, the directory refuses whoever asks") {
  DirectoryUnderTest rack;
  rack.add_region(7, 0, 2, State::to_modified, 0b0111);
  for (const Kind kind : {Kind::read_request, Kind::write_request}) {
    rack.run(rack.message(kind, 3, 1));
    CHECK(rack.test.sent.size() == 1);
    CHECK(rack.kinds_to(3) == Kinds{Kind::nack});
    CHECK(rack.state(7) == State::to_modified);
    CHECK(rack.sharers(7) == 0b0111);
    CHECK_FALSE(rack.claimed(7));
  }
}

}  // namespace
}  // namespace recirc::pipeline
