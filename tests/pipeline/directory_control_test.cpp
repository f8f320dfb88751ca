#include "pipeline/programs/directory/control.h"

#include "catch.h"
#include "directory_under_test.h"
#include "sim/error.h"

namespace recirc::pipeline {
namespace {

using testing::DirectoryUnderTest;
using Kind = DirectoryUnderTest::Kind;
using State = DirectoryUnderTest::State;
using Kinds = std::vector<Kind>;
using namespace programs::directory;

struct Rig final : Control::Listener {
  explicit Rig(std::uint32_t capacity = default_capacity)
      : control(rack.test.control, rack.tag, rack.directory_pipe, *this, capacity) {}

  void changed(const Region& region, bool done) override {
    last = region;
    outcomes.push_back(done);
  }
  /// The page's region, as packets find it: by who asks for it.
  [[nodiscard]] std::uint16_t entry_of(std::uint64_t page) const {
    return control.regions().find(page)->entry;
  }

  DirectoryUnderTest rack;
  Control control;
  Region last;
  std::vector<bool> outcomes;
};

TEST_CASE("The control plane gives regions entries while packets come") {
  Rig rig;
  REQUIRE(rig.control.insert(0x10, 2));
  CHECK_FALSE(rig.control.insert(0x20, 2));  // one change at a time
  rig.rack.test.run();
  CHECK(rig.outcomes == std::vector<bool>{true});
  rig.rack.run(rig.rack.message(Kind::read_request, 1, 0x13));
  CHECK(rig.rack.kinds_to(1) == Kinds{Kind::grant});
  CHECK(rig.rack.sharers(rig.entry_of(0x13)) == 0b0010);
}

TEST_CASE("No two regions have a page in common, and capacity is a limit") {
  Rig rig(3);
  CHECK(rig.control.set_up(0x10, 2));
  CHECK_FALSE(rig.control.set_up(0x10, 2));
  CHECK_FALSE(rig.control.set_up(0x12, 0));  // within it
  CHECK_FALSE(rig.control.set_up(0x10, 4));  // around it
  CHECK_FALSE(rig.control.set_up(0x21, 1));  // not a prefix
  CHECK_FALSE(rig.control.set_up(0, 10));    // 4 MiB
  CHECK(rig.control.set_up(0x0c, 2));
  CHECK(rig.control.set_up(0x14, 2));
  CHECK_FALSE(rig.control.set_up(0x40, 2));
  CHECK_FALSE(rig.control.split(0x10));  // full
  CHECK(rig.control.regions().size() == 3);
  CHECK_THROWS_AS(Regions(most_entries + 1), sim::ConstraintViolation);
}

TEST_CASE("A full directory has all of its entries in its tables") {
  Rig rig(most_entries);
  for (std::uint64_t i = 0; i < most_entries; ++i) REQUIRE(rig.control.set_up(i * 4, 2));
  CHECK_FALSE(rig.control.set_up(most_entries * 4, 2));
  const std::uint64_t last = (most_entries - 1) * 4 + 3;
  rig.rack.run(rig.rack.message(Kind::read_request, 1, last));
  CHECK(rig.rack.kinds_to(1) == Kinds{Kind::grant});
}

TEST_CASE("Both halves of a region that is split have what it had") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2, {State::shared, 0b0101}));
  REQUIRE(rig.control.split(0x13));
  rig.rack.test.run();
  CHECK(rig.outcomes == std::vector<bool>{true});
  CHECK(rig.last == *rig.control.regions().find(0x10));
  CHECK(rig.entry_of(0x11) != rig.entry_of(0x12));
  for (const std::uint64_t page : {0x10, 0x12}) {
    CHECK(rig.rack.state(rig.entry_of(page)) == State::shared);
    CHECK(rig.rack.sharers(rig.entry_of(page)) == 0b0101);
  }
  rig.rack.run(rig.rack.message(Kind::write_request, 3, 0x13));
  REQUIRE(rig.rack.kinds_to(0) == Kinds{Kind::invalidation});
  CHECK(rig.rack.sent_to(0)[0].region_bits == 1);
  CHECK(rig.rack.state(rig.entry_of(0x10)) == State::shared);
  CHECK(rig.rack.state(rig.entry_of(0x12)) == State::to_modified);
}

TEST_CASE("A region is split down to single pages, and joined again to what it was") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2, {State::modified, 0b0100}));
  for (const std::uint64_t page : {0x10, 0x10, 0x12}) {
    REQUIRE(rig.control.split(page));
    rig.rack.test.run();
  }
  CHECK(rig.control.regions().size() == 4);
  CHECK_FALSE(rig.control.split(0x10));
  for (const std::uint64_t page : {0x11, 0x12, 0x13}) {
    REQUIRE(rig.control.join(page));
    rig.rack.test.run();
  }
  CHECK(rig.outcomes == std::vector<bool>(6, true));
  CHECK(rig.control.regions().size() == 1);
  CHECK(*rig.control.regions().find(0x13) == Region{0x10, 2, rig.entry_of(0x10)});
  CHECK(rig.rack.state(rig.entry_of(0x10)) == State::modified);
  CHECK(rig.rack.sharers(rig.entry_of(0x10)) == 0b0100);
  CHECK_FALSE(rig.control.join(0x10));  // the other half is not there
  rig.rack.run(rig.rack.message(Kind::read_request, 2, 0x12));
  CHECK(rig.rack.sent_to(2)[0].region_bits == 2);
}

TEST_CASE("What two regions hold as one is never less than what either held") {
  const Content none{};
  const Content a{State::shared, 0b0001};
  const Content b{State::shared, 0b0010};
  const Content owned{State::modified, 0b0001};
  const Content other{State::modified, 0b0010};
  CHECK(joined(none, owned) == owned);
  CHECK(joined(a, none) == a);
  CHECK(joined(a, b) == Content{State::shared, 0b0011});
  CHECK(joined(a, owned) == owned);
  CHECK_FALSE(joined(b, owned));
  CHECK_FALSE(joined(owned, other));
  for (const State state : {State::to_shared, State::to_modified, State::none}) {
    CHECK_FALSE(joined({state, 0b0011}, none));
    CHECK_FALSE(joined(none, {state, 0b0011}));
    CHECK_FALSE(joined({state, 0b0011}, {state, 0b0011}));
  }
}

TEST_CASE("Regions of different owners, claimed ones and those in transition stay as they are") {
  const auto refuses = [](Content low, bool claimed, bool splits) {
    Rig rig;
    REQUIRE(rig.control.set_up(0x10, 2, low));
    REQUIRE(rig.control.set_up(0x14, 2, {State::modified, 0b0010}));
    const Words before{static_cast<std::uint32_t>(low.state), claimed ? 1U : 0U};
    rig.rack.test.set_register(rig.rack.directory_pipe, state_array, rig.entry_of(0x10), before);
    REQUIRE((splits ? rig.control.split(0x10) : rig.control.join(0x10)));
    rig.rack.test.run();
    CHECK(rig.outcomes == std::vector<bool>{false});
    CHECK(rig.control.regions().size() == 2);
    CHECK(rig.rack.state(rig.entry_of(0x10)) == low.state);
    CHECK(rig.rack.claimed(rig.entry_of(0x10)) == claimed);
    // Not locked any more.
    rig.rack.run(rig.rack.message(Kind::read_request, 1, 0x15));
    CHECK(rig.rack.kinds_to(1) == Kinds{Kind::grant});
  };
  refuses({State::modified, 0b0100}, false, false);
  refuses({State::to_modified, 0b0011}, false, true);
  refuses({State::shared, 0b0001}, true, true);
  refuses({State::invalid, 0}, true, false);
}

TEST_CASE("While an entry is locked requests are refused and evictions go round") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2, {State::shared, 0b0011}));
  REQUIRE(rig.control.split(0x10));
  auto& rack = rig.rack;
  const auto at = [](unsigned us) { return sim::Time{} + sim::microseconds(us); };
  auto eviction = rack.message(Kind::evict, 0, 0x12);
  eviction.region_bits = 2;
  rack.send(rack.message(Kind::read_request, 2, 0x10), at(150));
  rack.send(eviction, at(160));
  rack.test.scheduler.run(at(300));
  CHECK(rack.kinds_to(2) == Kinds{Kind::nack});
  CHECK(rack.sent_to(0).empty());
  rack.test.run();
  CHECK(rig.outcomes == std::vector<bool>{true});
  CHECK(rack.kinds_to(0) == Kinds{Kind::evicted});
  CHECK(rack.sharers(rig.entry_of(0x10)) == 0b0011);
  CHECK(rack.sharers(rig.entry_of(0x12)) == 0b0010);
}

TEST_CASE("A claim that nobody gives back is taken back by the control plane") {
  Rig rig;
  REQUIRE(rig.control.set_up(0x10, 2));
  const std::uint16_t entry = rig.entry_of(0x10);
  rig.rack.test.set_register(rig.rack.directory_pipe, state_array, entry,
                             {static_cast<std::uint32_t>(State::to_modified), 1});
  rig.control.repair(0x10, {State::modified, 0b0001});
  rig.rack.test.run();
  CHECK_FALSE(rig.rack.claimed(entry));
  rig.rack.run(rig.rack.message(Kind::read_request, 0, 0x10));
  CHECK(rig.rack.kinds_to(0) == Kinds{Kind::grant});
}

}  // namespace
}  // namespace recirc::pipeline
