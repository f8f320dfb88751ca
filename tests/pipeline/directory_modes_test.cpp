#include "catch.h"
#include "directory_under_test.h"
#include "modes_agree.h"
#include "pipeline/programs/directory/control.h"
#include "sim/rng.h"

namespace recirc::pipeline {
namespace {

using namespace programs::directory;
using testing::DirectoryUnderTest;
using testing::ProgramUnderTest;

/// 60 messages of any kind within 30 us on three regions, and one that is locked meanwhile.
void send_anything(ProgramUnderTest& test, const DirectoryUnderTest& rack, std::uint64_t seed) {
  DirectoryUnderTest::translate(test);
  DirectoryUnderTest::add_region(test, 0, 0x0, 2, State::shared, 0b0110);
  DirectoryUnderTest::add_region(test, 1, 0x4, 1, State::modified, 0b0001);
  DirectoryUnderTest::add_region(test, 2, 0x6, 0);
  std::uint64_t state = seed;
  const auto below = [&state](std::uint64_t bound) {
    state = sim::mix64(state + sim::golden_gamma);
    return state % bound;
  };
  constexpr std::array kinds = {Kind::read_request, Kind::write_request, Kind::data, Kind::dummy,
                                Kind::passthrough,  Kind::fin_ack,       Kind::evict};
  for (unsigned i = 0; i < 60; ++i) {
    Header header = DirectoryUnderTest::message(
        kinds[below(kinds.size())], static_cast<std::uint8_t>(below(rack.nodes)), below(8),
        static_cast<std::uint16_t>(below(rack.nodes)));
    header.region_bits = 2;
    test.send(rack.wiring.ports[header.node], header, sim::Bytes{below(2) == 0 ? 90 : 4170},
              sim::Time{} + sim::nanoseconds(static_cast<std::int64_t>(below(30'000))));
  }
  MaskedEntry prefix;
  prefix.mask = ~std::uint64_t{0} << 2U;
  for (const bool locked : {true, false}) {
    prefix.result = match_result(Entry{0, 2, locked});
    const std::array change = {
        ControlOperation::on_entry(ControlOperation::Kind::replace, rack.tag, lookup_table(0),
                                   prefix),
        ControlOperation::write(rack.tag, PipeId{0}, invalidations_array, 0, {})};
    test.control.submit(change);
  }
}

TEST_CASE("Passes and stages of the directory agree on whatever comes, and when") {
  for (const GrantPolicy grant : {GrantPolicy::wait_all, GrantPolicy::early}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const DirectoryUnderTest rack({.grant = grant});
      ControlSpec control;
      control.per_write = sim::microseconds(3);
      testing::require_modes_agree(
          {rack.program.get()}, rack.spec, control,
          [&](ProgramUnderTest& test) { send_anything(test, rack, seed); });
    }
  }
}

TEST_CASE("They agree also where requests wait in the switch") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const DirectoryUnderTest rack({.conflict = ConflictPolicy::queue});
    testing::require_modes_agree({rack.program.get()}, rack.spec, ControlSpec{},
                                 [&](ProgramUnderTest& test) { send_anything(test, rack, seed); });
  }
}

}  // namespace
}  // namespace recirc::pipeline
