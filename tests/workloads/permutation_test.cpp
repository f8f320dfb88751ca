#include "workloads/permutation.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <vector>

#include "catch.h"
#include "sim/error.h"

using recirc::workloads::Permutation;

TEST_CASE("a permutation hits every element once and its inverse undoes it") {
  for (const std::uint64_t n : {1ULL, 2ULL, 3ULL, 5ULL, 16ULL, 17ULL, 1'000ULL, 87'381ULL}) {
    const Permutation permutation{n, 42};
    std::vector<char> hit(n, 0);
    for (std::uint64_t x = 0; x < n; ++x) {
      const std::uint64_t y = permutation(x);
      REQUIRE(y < n);
      REQUIRE(hit[y] == 0);
      hit[y] = 1;
      REQUIRE(permutation.inverse(y) == x);
    }
  }
}

TEST_CASE("large permutations invert, too") {
  for (const std::uint64_t n : {31'981'446ULL, 1'000'000'000ULL, 1ULL << 63}) {
    const Permutation permutation{n, 7};
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      const std::uint64_t x = i * (n / 10'000);
      REQUIRE(permutation(x) < n);
      REQUIRE(permutation.inverse(permutation(x)) == x);
    }
  }
}

TEST_CASE("neighbours are spread evenly, whatever the key") {
  constexpr std::size_t cells = 64;
  constexpr std::uint64_t n = 31'981'446;
  constexpr double draws = 6'400;
  const boost::math::chi_squared law(cells - 1);
  const double limit = boost::math::quantile(boost::math::complement(law, 1e-6));
  for (std::uint64_t key = 0; key < 20; ++key) {
    const Permutation permutation{n, key};
    std::vector<double> seen(cells, 0);
    for (std::uint64_t x = 0; x < static_cast<std::uint64_t>(draws); ++x) {
      ++seen[permutation(x) * cells / n];
    }
    double chi = 0;
    for (const double s : seen) chi += (s - draws / cells) * (s - draws / cells) * cells / draws;
    CHECK(chi < limit);
  }
}

TEST_CASE("the place of one element is even over keys") {
  constexpr std::size_t cells = 16;
  constexpr double keys = 16'000;
  const boost::math::chi_squared law(cells - 1);
  const double limit = boost::math::quantile(boost::math::complement(law, 1e-6));
  for (const std::uint64_t x : {0ULL, 1ULL, 4'999ULL}) {
    std::vector<double> seen(cells, 0);
    for (std::uint64_t key = 0; key < static_cast<std::uint64_t>(keys); ++key) {
      ++seen[Permutation{87'381, key}(x)*cells / 87'381];
    }
    double chi = 0;
    for (const double s : seen) chi += (s - keys / cells) * (s - keys / cells) * cells / keys;
    CHECK(chi < limit);
  }
}

TEST_CASE("an empty permutation is refused") {
  CHECK_THROWS_AS(Permutation(0, 1), recirc::sim::InvariantBroken);
}
