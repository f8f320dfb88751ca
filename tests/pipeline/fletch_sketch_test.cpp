#include <cmath>
#include <vector>

#include "catch.h"
#include "fletch_under_test.h"
#include "pipeline/programs/sketch_hashes.h"
#include "sim/rng.h"

namespace recirc::pipeline::testing {
namespace {

TEST_CASE("The sketch never underestimates and is within the Count-Min bound", "[fletch]") {
  constexpr std::uint64_t paths = 30'000;
  constexpr std::uint64_t reads = 60'000;
  FletchUnderTest fletch(programs::fletch::Placing::paper, CrossPipe::cable, true);
  // Threshold 3 reports a path once; the sketch goes on counting, which is what is looked at here.
  sim::CounterRng rng{11};
  std::vector<std::uint64_t> keys(paths);
  std::vector<std::uint32_t> truth(paths, 0);
  for (std::uint64_t& key : keys) key = rng.next();
  for (std::uint64_t i = 0; i < reads; ++i) {
    // A few hot paths and many cold ones.
    const std::uint64_t path = rng.next() % (rng.next() % 4 == 0 ? 100 : paths);
    ++truth[path];
    auto header = FletchUnderTest::read(1);
    header.keys[1] = keys[path];
    fletch.run(header, sim::Bytes{80});
  }

  constexpr double width = 65'536;
  constexpr double rows = 3;
  const double allowed = std::exp(1.0) / width * static_cast<double>(reads);
  const double failure = std::exp(-rows);
  std::uint64_t too_high = 0;
  for (std::uint64_t path = 0; path < paths; ++path) {
    std::uint32_t estimate = ~0U;
    for (unsigned row = 0; row < programs::fletch::sketch_rows; ++row) {
      estimate = std::min(estimate, fletch.get(programs::fletch::sketch_array(row),
                                               programs::row_index(row, keys[path])));
    }
    REQUIRE(estimate >= truth[path]);
    if (estimate > truth[path] + allowed) ++too_high;
  }
  // Binomial with the bound's probability, plus four standard deviations.
  const double mean = failure * static_cast<double>(paths);
  CHECK(static_cast<double>(too_high) <= mean + 4 * std::sqrt(mean));
}

}  // namespace
}  // namespace recirc::pipeline::testing
