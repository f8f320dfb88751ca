#include <deque>
#include <map>

#include "catch.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"
#include "sim/rng.h"
#include "sim/slab.h"

namespace recirc::sim {
namespace {

TEST_CASE("a flat map agrees with std::map over insertions, changes and removals") {
  CounterRng rng{4};
  FlatMap<std::uint64_t> map;
  std::map<std::uint64_t, std::uint64_t> reference;
  for (int step = 0; step < 50'000; ++step) {
    const std::uint64_t key = rng.next() % 3000;
    switch (rng.next() % 3) {
      case 0:
        map[key] = reference[key] = rng.next();
        break;
      case 1:
        REQUIRE(map.erase(key) == (reference.erase(key) == 1));
        break;
      default: {
        const auto* found = map.find(key);
        const auto expected = reference.find(key);
        REQUIRE((found != nullptr) == (expected != reference.end()));
        if (found != nullptr) REQUIRE(*found == expected->second);
      }
    }
    REQUIRE(map.size() == reference.size());
  }
  for (std::uint64_t key = 0; key < 3000; ++key) {
    REQUIRE((map.find(key) != nullptr) == (reference.count(key) == 1));
  }
}

TEST_CASE("a ring queue agrees with std::deque while it grows and wraps around") {
  CounterRng rng{5};
  RingQueue<std::uint64_t> queue;
  std::deque<std::uint64_t> reference;
  for (int step = 0; step < 20'000; ++step) {
    if (reference.empty() || rng.next() % 100 < 51) {
      const std::uint64_t value = rng.next();
      queue.push(value);
      reference.push_back(value);
    } else {
      REQUIRE(queue.front() == reference.front());
      queue.pop();
      reference.pop_front();
    }
    REQUIRE(queue.size() == reference.size());
    if (!reference.empty()) REQUIRE(queue.back() == reference.back());
  }
}

TEST_CASE("a slab uses its slots again and never gives one out twice") {
  Slab<int> slab;
  const auto first = slab.take();
  const auto second = slab.take();
  CHECK(first != second);
  slab[first] = 1;
  slab[second] = 2;
  CHECK(slab[first] == 1);
  slab.give_back(first);
  CHECK(slab.in_use() == 1);
  CHECK(slab.take() == first);
  CHECK(slab[second] == 2);
}

}  // namespace
}  // namespace recirc::sim
