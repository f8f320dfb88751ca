#include <random>

#include "catch.h"
#include "sim/config/quantity.h"

using namespace recirc::sim::config;

namespace {

std::int64_t value(ScalarKind kind, std::string_view text) {
  const ParsedQuantity parsed = parse_quantity(kind, text);
  INFO(text << ": " << parsed.problem);
  REQUIRE(parsed.value.has_value());
  return static_cast<std::int64_t>(*parsed.value);
}
std::string problem(ScalarKind kind, std::string_view text) {
  const ParsedQuantity parsed = parse_quantity(kind, text);
  INFO(text);
  CHECK_FALSE(parsed.value.has_value());
  return parsed.problem;
}

}  // namespace

TEST_CASE("Durations are exact picoseconds in every unit") {
  CHECK(value(ScalarKind::duration, "1ps") == 1);
  CHECK(value(ScalarKind::duration, "1.5us") == 1'500'000);
  CHECK(value(ScalarKind::duration, "0.1us") == 100'000);
  CHECK(value(ScalarKind::duration, "20 ms") == 20'000'000'000);
  CHECK(value(ScalarKind::duration, "0.000000000001s") == 1);
  CHECK(value(ScalarKind::duration, "1.000000000000000000000000000s") == 1'000'000'000'000);
  CHECK(value(ScalarKind::duration, "0001s") == 1'000'000'000'000);
  CHECK(value(ScalarKind::duration, "2min") == 120'000'000'000'000);
  CHECK(value(ScalarKind::duration, "1.5h") == 5'400'000'000'000'000);
  CHECK(value(ScalarKind::duration, "-3ns") == -3'000);
}

TEST_CASE("Sizes tell thousands from 1,024s, and rates and counts are in thousands") {
  CHECK(value(ScalarKind::bytes, "1500B") == 1'500);
  CHECK(value(ScalarKind::bytes, "64KB") == 64'000);
  CHECK(value(ScalarKind::bytes, "64kB") == 64'000);
  CHECK(value(ScalarKind::bytes, "4MiB") == 4'194'304);
  CHECK(value(ScalarKind::bytes, "0.5KiB") == 512);
  CHECK(value(ScalarKind::rate, "100Gbps") == 100'000'000'000);
  CHECK(value(ScalarKind::rate, "2.5 Gbps") == 2'500'000'000);
  CHECK(value(ScalarKind::integer, "32M") == 32'000'000);
  CHECK(value(ScalarKind::integer, "1.5k") == 1'500);
}

TEST_CASE("A quantity that is no whole smallest unit is refused") {
  CHECK(problem(ScalarKind::duration, "0.5ps") == "is no whole picosecond");
  CHECK(problem(ScalarKind::bytes, "1.5B") == "is no whole byte");
  CHECK(problem(ScalarKind::rate, "0.3bps") == "is no whole bit per second");
  CHECK(problem(ScalarKind::integer, "1.0005k") == "is no whole number");
}

TEST_CASE("What is no quantity is refused with a reason") {
  for (const char* text : {"", "us", ".5us", "+5us", "5,3us", "5us ", "5 u s", "5xs", "1.us",
                           "1..5us", "1e3us", "--5us", "5US", "nan", "0x5us"}) {
    CHECK_FALSE(problem(ScalarKind::duration, text).empty());
  }
  CHECK(problem(ScalarKind::duration, "5") == "has no unit (ps, ns, us, ms, s, min, h)");
  CHECK(problem(ScalarKind::duration, "99999999999999999999999s") == "has too many digits");
  CHECK(problem(ScalarKind::duration, "0.0000000000000000000000001s") == "has too many digits");
}

TEST_CASE("Quantities are written in the unit that reads best") {
  CHECK(format_quantity(ScalarKind::duration, 0) == "0s");
  CHECK(format_quantity(ScalarKind::duration, 820) == "820ps");
  CHECK(format_quantity(ScalarKind::duration, 1'500'000) == "1.5us");
  CHECK(format_quantity(ScalarKind::duration, 1'000'001) == "1.000001us");
  CHECK(format_quantity(ScalarKind::duration, 90'000'000'000'000) == "90s");
  CHECK(format_quantity(ScalarKind::duration, -1'500) == "-1.5ns");
  CHECK(format_quantity(ScalarKind::bytes, 1'500) == "1500B");
  CHECK(format_quantity(ScalarKind::bytes, 64'000) == "64KB");
  CHECK(format_quantity(ScalarKind::bytes, 65'536) == "64KiB");
  CHECK(format_quantity(ScalarKind::bytes, 4'194'304) == "4MiB");
  CHECK(format_quantity(ScalarKind::bytes, 0) == "0B");
  CHECK(format_quantity(ScalarKind::rate, 2'500'000'000) == "2.5Gbps");
  CHECK(format_quantity(ScalarKind::integer, 31'981'446) == "31981446");
}

TEST_CASE("Every written quantity reads back as itself") {
  std::mt19937_64 random(1);
  for (const ScalarKind kind : {ScalarKind::duration, ScalarKind::bytes, ScalarKind::rate}) {
    for (int i = 0; i < 3'000; ++i) {
      auto size = static_cast<std::int64_t>(random() >> (1 + random() % 62));
      if (random() % 2 == 0) size = size / 1'000 * 1'000;
      const std::string text = format_quantity(kind, size);
      INFO(text);
      CHECK(value(kind, text) == size);
    }
    const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    CHECK(value(kind, format_quantity(kind, largest)) == largest);
    CHECK(value(kind, format_quantity(kind, -largest)) == -largest);
  }
}

TEST_CASE("Integers of 128 bits are written in full") {
  CHECK(to_text(Integer{0}) == "0");
  CHECK(to_text(Integer{-12}) == "-12");
  CHECK(to_text(Integer{std::numeric_limits<std::uint64_t>::max()}) == "18446744073709551615");
  CHECK(to_text(Integer{std::numeric_limits<std::int64_t>::min()}) == "-9223372036854775808");
}
