#include "sim/units.h"

#include "catch.h"

namespace recirc::sim {
namespace {

TEST_CASE("a byte takes an integer number of picoseconds at every Ethernet rate") {
  for (const auto& [gigabits, picoseconds_a_byte] :
       {std::pair{10, 800}, {25, 320}, {40, 200}, {100, 80}, {200, 40}, {400, 20}}) {
    Serializer serializer(gigabits_per_second(gigabits));
    CHECK(serializer.time_of(Bytes{1}) == Duration{picoseconds_a_byte});
    CHECK(serializer.time_of(Bytes{1500}) == Duration{picoseconds_a_byte * 1500});
  }
}

TEST_CASE("a rate whose picoseconds per byte are no integer loses nothing over many frames") {
  Serializer serializer(gigabits_per_second(3));  // 2,666.67 ps a byte
  Duration total{};
  for (int i = 0; i < 3000; ++i) total += serializer.time_of(Bytes{1});
  CHECK(total == Duration{8'000'000});
}

TEST_CASE("units convert without loss") {
  static_assert(microseconds(1) == Duration{1'000'000});
  static_assert(seconds(1) == milliseconds(1000));
  CHECK(as_microseconds(nanoseconds(1500)) == Approx(1.5));
  CHECK(Bytes{10} * 3 - Bytes{5} == Bytes{25});
}

}  // namespace
}  // namespace recirc::sim
