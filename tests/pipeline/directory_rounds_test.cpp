#include "catch.h"
#include "directory_under_test.h"
#include "pipeline/programs/directory/control.h"

// A region that the control plane takes from all nodes is of another round from then on.
namespace recirc::pipeline {
namespace {

using testing::DirectoryUnderTest;
using Kind = DirectoryUnderTest::Kind;
using State = DirectoryUnderTest::State;
using Kinds = std::vector<Kind>;
using namespace programs::directory;

struct Rig final : Control::Listener {
  Rig() : control(rack.test.control, rack.tag, rack.directory_pipe, *this) {}
  void changed(const Region& /*region*/, bool /*done*/) override { ++changes; }
  void held(const Region& region) override {
    ++holds;
    last = region;
  }
  void take(std::uint64_t page) {
    REQUIRE(control.hold(page));
    rack.test.run();
    REQUIRE(holds > 0);
    control.release();
    rack.test.run();
  }
  [[nodiscard]] std::uint16_t entry() const { return control.regions().find(0x10)->entry; }

  DirectoryUnderTest rack;
  Control control;
  Region last;
  int holds = 0;
  int changes = 0;
};

TEST_CASE("A region that is taken from its nodes refuses requests, and then is nobody's") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2, {State::to_modified, 0b0111}));
  rig.rack.test.set_register(rig.rack.directory_pipe, state_array, rig.entry(),
                             {static_cast<std::uint32_t>(State::to_modified), 1});
  REQUIRE(rig.control.hold(0x11));
  CHECK_FALSE(rig.control.hold(0x11));  // one change at a time
  rig.rack.test.run();
  CHECK(rig.holds == 1);
  rig.rack.run(rig.rack.message(Kind::read_request, 1, 0x10));
  CHECK(rig.rack.kinds_to(1) == Kinds{Kind::nack});
  rig.control.release();
  rig.rack.test.run();
  CHECK(rig.changes == 1);
  CHECK(rig.rack.state(rig.entry()) == State::invalid);
  CHECK_FALSE(rig.rack.claimed(rig.entry()));
  rig.rack.run(rig.rack.message(Kind::read_request, 1, 0x10));
  REQUIRE(rig.rack.kinds_to(1) == Kinds{Kind::grant});
  CHECK(rig.rack.sent_to(1)[0].round == 1);
}

TEST_CASE("A fin_ack of a round that was repaired does not count in a later one") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2, {State::to_modified, 0b0011}));
  rig.take(0x10);
  // Nodes 1 and 2 have the region again, and node 2 is to have it alone.
  rig.rack.run(rig.rack.message(Kind::read_request, 1, 0x10));
  rig.rack.run(rig.rack.message(Kind::write_request, 2, 0x10));
  REQUIRE(rig.rack.kinds_to(1) == Kinds{Kind::invalidation});
  auto late = rig.rack.message(Kind::fin_ack, 1, 0x10, 2);
  CHECK(rig.rack.run(late).empty());
  CHECK(rig.rack.state(rig.entry()) == State::to_modified);
  late.round = 1;
  rig.rack.run(late);
  CHECK(rig.rack.kinds_to(2) == Kinds{Kind::grant});
  CHECK(rig.rack.state(rig.entry()) == State::modified);
}

TEST_CASE("Pages of an old round do not reach memory, and evictions are only acknowledged") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2, {State::modified, 0b0001}));
  rig.take(0x10);
  rig.rack.run(rig.rack.message(Kind::write_request, 1, 0x10));
  CHECK(rig.rack.run(rig.rack.message(Kind::passthrough, 0, 0x10)).empty());
  auto evict = rig.rack.message(Kind::evict, 1, 0x10);
  evict.region_bits = 2;
  rig.rack.run(evict);
  CHECK(rig.rack.kinds_to(1) == Kinds{Kind::evicted});
  CHECK(rig.rack.sharers(rig.entry()) == 0b0010);
}

TEST_CASE("Other regions can be taken while one is held, which nobody changes") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2, {State::shared, 0b0001}));
  REQUIRE(rig.control.set_up(0x20, 2, {State::shared, 0b0001}));
  REQUIRE(rig.control.hold(0x10));
  rig.rack.test.run();
  rig.control.park();
  CHECK_FALSE(rig.control.hold(0x10));
  CHECK_FALSE(rig.control.split(0x10));
  rig.take(0x20);
  CHECK(rig.rack.state(rig.entry()) == State::shared);
  REQUIRE(rig.control.resume(0x10));
  CHECK_FALSE(rig.control.resume(0x10));
  rig.control.release();
  rig.rack.test.run();
  CHECK(rig.rack.state(rig.entry()) == State::invalid);
}

TEST_CASE("Regions of different rounds are not joined, and halves keep their round") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2));
  rig.take(0x10);
  REQUIRE(rig.control.split(0x10));
  rig.rack.test.run();
  CHECK(rig.control.regions().find(0x12)->round == 1);
  rig.take(0x12);
  CHECK_FALSE(rig.control.join(0x10));
}

}  // namespace
}  // namespace recirc::pipeline
