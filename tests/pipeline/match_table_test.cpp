#include <map>

#include "catch.h"
#include "pipeline/match_table.h"
#include "sim/error.h"
#include "sim/rng.h"

namespace recirc::pipeline {
namespace {

TEST_CASE("An exact table agrees with a map under random insertions and erasures", "[table]") {
  MatchTable table(MatchKind::exact, 50);
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::uint64_t> reference;
  sim::CounterRng rng(7);
  for (int i = 0; i < 20'000; ++i) {
    const MatchKey key{rng.next() % 40, static_cast<std::uint8_t>(rng.next() % 2)};
    const auto found = reference.find({key.key, key.token});
    const bool there = found != reference.end();
    const Match match = table.lookup(key);
    REQUIRE(match.hit == there);
    if (there) REQUIRE(match.result == found->second);
    if (rng.next() % 2 == 0) {
      const std::uint64_t result = rng.next();
      const bool fits = !there && reference.size() < 50;
      REQUIRE(table.insert(key, result) == fits);
      if (fits) reference[{key.key, key.token}] = result;
    } else {
      REQUIRE(table.erase(key) == there);
      reference.erase({key.key, key.token});
    }
    REQUIRE(table.size() == reference.size());
  }
}

TEST_CASE("A full table refuses an entry and keeps what it has", "[table]") {
  MatchTable table(MatchKind::exact, 2);
  CHECK(table.insert({1, 0}, 10));
  CHECK(table.insert({2, 0}, 20));
  CHECK_FALSE(table.insert({3, 0}, 30));
  CHECK_FALSE(table.lookup({3, 0}));
  CHECK(table.erase({1, 0}));
  CHECK(table.insert({3, 0}, 30));
  CHECK(table.lookup({3, 0}).result == 30);
}

TEST_CASE("A ternary table takes the highest priority, then the oldest entry", "[table]") {
  MatchTable table(MatchKind::ternary, 4);
  MaskedEntry any;
  any.mask = 0;
  any.token_mask = 0;
  any.result = 1;
  MaskedEntry even;
  even.mask = 1;
  even.token_mask = 0;
  even.priority = 5;
  even.result = 2;
  CHECK(table.insert(any));
  CHECK(table.insert(even));
  CHECK_FALSE(table.insert(even));
  CHECK(table.lookup({8, 3}).result == 2);
  CHECK(table.lookup({9, 3}).result == 1);
}

TEST_CASE("A result comes back as the struct that was put in", "[table]") {
  struct Result {
    std::uint16_t row;
    std::uint16_t slots;
    std::uint16_t counter;
  };
  MatchTable table(MatchKind::exact, 1);
  table.insert({99, 1}, match_result(Result{1, 0xf0f0, 3}));
  const auto result = table.lookup({99, 1}).as<Result>();
  CHECK(result.row == 1);
  CHECK(result.slots == 0xf0f0);
  CHECK(result.counter == 3);
  CHECK_FALSE(table.lookup({99, 0}));
}

TEST_CASE("a longest-prefix table gives the longest prefix that a key begins with") {
  MatchTable table(MatchKind::longest_prefix, 3);
  const auto prefix = [](std::uint64_t key, unsigned bits, std::uint64_t result) {
    MaskedEntry entry;
    entry.value.key = key;
    entry.mask = ~std::uint64_t{0} << bits;
    entry.result = result;
    return entry;
  };
  REQUIRE(table.insert(prefix(0x1200, 8, 1)));
  REQUIRE(table.insert(prefix(0x1000, 12, 2)));
  REQUIRE(table.insert(prefix(0x1234, 0, 3)));
  CHECK_FALSE(table.insert(prefix(0x1300, 8, 4)));  // full
  CHECK(table.lookup({0x1234}).result == 3);
  CHECK(table.lookup({0x1235}).result == 1);
  CHECK(table.lookup({0x1300}).result == 2);
  CHECK_FALSE(table.lookup({0x2000}));
  REQUIRE(table.erase({0x1200}));
  CHECK(table.lookup({0x1235}).result == 2);
  CHECK_FALSE(table.insert(prefix(0x1000, 12, 5)));  // there already
  MaskedEntry holes = prefix(0x1000, 0, 6);
  holes.mask = 0xf0f0;
  CHECK_THROWS_AS(table.insert(holes), sim::InvariantBroken);
  table.clear();
  CHECK_FALSE(table.lookup({0x1234}));
}

TEST_CASE("prefixes that begin alike are changed and erased by their length") {
  MatchTable table(MatchKind::longest_prefix, 4);
  const auto prefix = [](unsigned bits, std::uint64_t result) {
    MaskedEntry entry;
    entry.value.key = 0x1000;
    entry.mask = ~std::uint64_t{0} << bits;
    entry.result = result;
    return entry;
  };
  REQUIRE(table.insert(prefix(8, 1)));
  REQUIRE(table.insert(prefix(4, 2)));
  REQUIRE(table.replace_masked(prefix(8, 3)));
  CHECK_FALSE(table.replace_masked(prefix(12, 4)));
  CHECK(table.lookup({0x1001}).result == 2);
  CHECK(table.lookup({0x1081}).result == 3);
  REQUIRE(table.erase_masked(prefix(8, 0)));
  CHECK_FALSE(table.erase_masked(prefix(8, 0)));
  CHECK(table.size() == 1);
  CHECK(table.lookup({0x1001}).result == 2);
  CHECK_FALSE(table.lookup({0x1081}));
}

}  // namespace
}  // namespace recirc::pipeline
