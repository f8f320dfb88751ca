#include "workloads/popularity.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <vector>

#include "catch.h"
#include "sim/error.h"

using namespace recirc::workloads;
namespace sim = recirc::sim;

namespace {

/// Sum of k^-s for first <= k <= last; far ranks by the midpoint rule, whose error is below 1e-9.
double power_sum(double first, double last, double s) {
  constexpr double exact_until = 20'000;
  double sum = 0;
  double k = first;
  for (; k <= last && k < exact_until; ++k) sum += std::pow(k, -s);
  if (k > last) return sum;
  const double low = k - 0.5;
  const double high = last + 0.5;
  return sum + (s == 1.0 ? std::log(high / low)
                         : (std::pow(high, 1 - s) - std::pow(low, 1 - s)) / (1 - s));
}

/// Cells [2^j, 2^(j+1)) of ranks for the tail, single ranks for the head.
std::vector<double> cell_starts(double n) {
  std::vector<double> starts;
  for (double k = 1; k <= std::min(n, 32.0); ++k) starts.push_back(k);
  for (double k = 64; k <= n; k *= 2) starts.push_back(k);
  starts.push_back(n + 1);
  return starts;
}

double chi_square(std::uint64_t n, double s, int draws, std::size_t& cells) {
  const Zipf zipf{n, s};
  const sim::CounterRng stream{99};
  const std::vector<double> starts = cell_starts(static_cast<double>(n));
  cells = starts.size() - 1;
  std::vector<double> seen(cells, 0);
  for (int i = 0; i < draws; ++i) {
    sim::CounterRng rng = stream.at(static_cast<std::uint64_t>(i));
    const double rank = static_cast<double>(zipf.draw(rng)) + 1;
    const auto cell = std::upper_bound(starts.begin(), starts.end(), rank) - starts.begin() - 1;
    ++seen.at(static_cast<std::size_t>(cell));
  }
  const double all = power_sum(1, static_cast<double>(n), s);
  double chi = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    const double wanted = draws * power_sum(starts[c], starts[c + 1] - 1, s) / all;
    chi += (seen[c] - wanted) * (seen[c] - wanted) / wanted;
  }
  return chi;
}

}  // namespace

TEST_CASE("Zipf ranks have their exact probabilities at any exponent") {
  constexpr int draws = 500'000;
  struct Case {
    std::uint64_t n;
    double s;
  };
  for (const Case c : {Case{31'981'446, 0.9},
                       {31'981'446, 0.8},
                       {31'981'446, 1.0},
                       {31'981'446, 0.999},
                       {31'981'446, 1.2},
                       {1'000'000'000, 0.9},
                       {1'000, 0.0},
                       {1'000, 0.3},
                       {100, 1.5},
                       {10, 2.0},
                       {3, 0.9},
                       {1'000, 1.005}}) {
    std::size_t cells = 0;
    const double chi = chi_square(c.n, c.s, draws, cells);
    const boost::math::chi_squared law(static_cast<double>(cells - 1));
    CAPTURE(c.n, c.s, cells);
    CHECK(chi < boost::math::quantile(boost::math::complement(law, 1e-6)));
    CHECK(chi > boost::math::quantile(law, 1e-6));
  }
}

TEST_CASE("the 5,000 hottest files take the published shares of the requests") {
  constexpr int draws = 400'000;
  struct Case {
    double s, share;
  };
  for (const Case c : {Case{0.8, 0.150}, {0.9, 0.299}, {1.0, 0.509}}) {
    const Zipf zipf{31'981'446, c.s};
    const sim::CounterRng stream{7};
    int hot = 0;
    for (int i = 0; i < draws; ++i) {
      sim::CounterRng rng = stream.at(static_cast<std::uint64_t>(i));
      hot += zipf.draw(rng) < 5'000;
    }
    CHECK(static_cast<double>(hot) / draws == Approx(c.share).margin(0.0005 + 0.004));
  }
}

TEST_CASE("extreme Zipf laws stay in range") {
  sim::CounterRng rng{1};
  const Zipf one{1, 0.9};
  const Zipf steep{1'000'000'000, 60.0};
  const Zipf flat{std::uint64_t{1} << 53, 0.0};
  const Zipf nearly_flat{std::uint64_t{1} << 53, 1e-12};
  for (int i = 0; i < 10'000; ++i) {
    REQUIRE(one.draw(rng) == 0);
    REQUIRE(steep.draw(rng) < 2);
    REQUIRE(flat.draw(rng) < flat.size());
    REQUIRE(nearly_flat.draw(rng) < flat.size());
  }
  CHECK_THROWS_AS(Zipf(0, 0.9), sim::InvariantBroken);
  CHECK_THROWS_AS(Zipf(10, -0.1), sim::InvariantBroken);
  CHECK_THROWS_AS(Zipf(10, std::nan("")), sim::InvariantBroken);
}

TEST_CASE("placements are bijections and order files as they say") {
  const ComputedTree tree{{.branching = 3, .directory_levels = 3, .files = 137}};
  for (const Placement placement :
       {Placement::shuffled, Placement::shallow_first, Placement::deep_first}) {
    const RankPlacement ranks{tree, placement, 5};
    std::vector<char> hit(tree.files(), 0);
    unsigned last_depth = placement == Placement::deep_first ? 99 : 0;
    std::uint64_t last_file = 0;
    for (std::uint64_t rank = 0; rank < tree.files(); ++rank) {
      const std::uint64_t file = ranks.file_of(rank);
      REQUIRE(file < tree.files());
      REQUIRE(hit[file] == 0);
      hit[file] = 1;
      REQUIRE(ranks.rank_of(file) == rank);
      if (placement == Placement::shuffled) continue;
      const unsigned depth = tree.depth(tree.file(file));
      if (depth == last_depth) REQUIRE((rank == 0 || file > last_file));
      if (placement == Placement::shallow_first) REQUIRE(depth >= last_depth);
      if (placement == Placement::deep_first) REQUIRE(depth <= last_depth);
      last_depth = depth;
      last_file = file;
    }
  }
}

TEST_CASE("the placement's seed moves files") {
  const ComputedTree tree{{.files = 100'000}};
  const RankPlacement a{tree, Placement::shuffled, 1};
  const RankPlacement b{tree, Placement::shuffled, 2};
  int same = 0;
  for (std::uint64_t rank = 0; rank < 1'000; ++rank) same += a.file_of(rank) == b.file_of(rank);
  CHECK(same < 5);
}
