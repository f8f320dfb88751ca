#include "catch.h"
#include "directory_under_test.h"

namespace recirc::pipeline {
namespace {

using testing::DirectoryUnderTest;
using Kind = DirectoryUnderTest::Kind;
using State = DirectoryUnderTest::State;
using Kinds = std::vector<Kind>;

constexpr DirectoryUnderTest::Options queueing{.conflict =
                                                   programs::directory::ConflictPolicy::queue};

sim::Time at(std::int64_t microseconds) { return sim::Time{} + sim::microseconds(microseconds); }

TEST_CASE(
    "A request for a region in transition waits in the switch and is served when it is over") {
  DirectoryUnderTest rack(queueing);
  rack.add_region(7, 0x600, 2, State::modified, 0b0001);
  rack.send(rack.message(Kind::write_request, 1, 0x600), at(0));
  rack.send(rack.message(Kind::write_request, 2, 0x601), at(5));
  rack.send(rack.message(Kind::fin_ack, 0, 0x600, 1), at(50));
  rack.test.run();
  CHECK(rack.kinds_to(0) == Kinds{Kind::invalidation});
  CHECK(rack.kinds_to(1) == Kinds{Kind::grant, Kind::invalidation});
  CHECK(rack.kinds_to(2).empty());  // until node 1 has given the region up
  CHECK(rack.state(7) == State::to_modified);
  CHECK(rack.sharers(7) == 0b0110);
  CHECK_FALSE(rack.claimed(7));
}

TEST_CASE("What waits takes the loop port, a pass a round, and claims nothing meanwhile") {
  DirectoryUnderTest rack(queueing);
  rack.add_region(7, 0x600, 2, State::to_shared, 0b0011);
  rack.send(rack.message(Kind::read_request, 2, 0x600), at(0));
  rack.send(rack.message(Kind::read_request, 3, 0x600), at(0));
  rack.test.scheduler.run(at(40));
  const std::uint64_t rounds = rack.test.rmt.counters().recirculated_frames;
  CHECK(rounds > 2 * 30);
  CHECK(rounds < 2 * 130);
  CHECK_FALSE(rack.claimed(7));
  rack.send(rack.message(Kind::fin_ack, 0, 0x600, 1), at(45));
  rack.test.run();
  CHECK(rack.kinds_to(1) == Kinds{Kind::grant});
  CHECK(rack.kinds_to(2) == Kinds{Kind::grant});
  CHECK(rack.kinds_to(3) == Kinds{Kind::grant});
  CHECK(rack.sharers(7) == 0b1111);
}

TEST_CASE("A request that waits is refused while the control plane has the region") {
  DirectoryUnderTest rack(queueing);
  rack.add_region(7, 0x600, 2, State::to_shared, 0b0011);
  rack.send(rack.message(Kind::read_request, 2, 0x600), at(0));
  rack.test.scheduler.run(at(20));
  MaskedEntry prefix;
  prefix.value.key = 0x600;
  prefix.mask = ~std::uint64_t{0} << 2U;
  prefix.result =
      match_result(programs::directory::Entry{.number = 7, .region_bits = 2, .locked = true});
  const std::array change = {ControlOperation::on_entry(
      ControlOperation::Kind::replace, rack.tag, programs::directory::lookup_table(0), prefix)};
  rack.test.control.submit(change);
  rack.test.run();
  CHECK(rack.kinds_to(2) == Kinds{Kind::nack});
}

}  // namespace
}  // namespace recirc::pipeline
