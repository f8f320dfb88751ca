#include <algorithm>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "fletch_under_test.h"
#include "model/walk.h"
#include "pipeline/programs/fletch/layout.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::TraceFile;
namespace program = pipeline::programs::fletch;

std::string golden(const std::string& name) {
  std::ifstream file(std::filesystem::path(RECIRC_ROOT) / "tests" / "golden" / name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The steps of operation 0 without their times: those are the chip's and the network's.
std::string steps_of_first(FletchRun& run) {
  Walk walk(run.simulation.scheduler(), *run.simulation.workload().tree, {0});
  RunControl control;
  run.simulation.follow(walk, control);
  std::ostringstream text;
  for (const WalkStep& step : walk.steps()) {
    text << std::string(std::size_t{2} * step.indent, ' ') << step.text << '\n';
  }
  return text.str();
}

// The cache starts with /, /a, /a/b and /a/b/c.txt, in this order: entries 0 to 3.
constexpr std::uint32_t entry_of_b = 2;

TEST_CASE("the paper's example: /a, /a/b and /a/b/c.txt are cached and /a/b is invalid",
          "[fletch][golden]") {
  TraceFile trace("0,open,/a/b/c.txt\n");
  const Config config = trace.config();
  FletchRun run(config);
  run.simulation.rmt_switch()
      .array(pipeline::PipeId{0}, pipeline::ProtocolTag{0}, program::validation_array)
      .store(entry_of_b, {0, 0});
  CHECK(steps_of_first(run) == golden("fletch_invalid_level.txt"));
  run.read();
  CHECK(run["outcomes/invalid/count"] == 1);
  CHECK(run["recirculations_per_op"] == 3);  // k + 1 with k = 2, and none for the answer
  CHECK(run["locks_leaked"] == 0);
}

TEST_CASE("a hit at depth three walks three levels and goes round once more", "[fletch][golden]") {
  TraceFile trace("0,open,/a/b/c.txt\n");
  const Config config = trace.config();
  FletchRun run(config);
  CHECK(steps_of_first(run) == golden("fletch_hit.txt"));
  run.read();
  CHECK(run["recirculations_per_op"] == 5);
}

}  // namespace
}  // namespace recirc::model
