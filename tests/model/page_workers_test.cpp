#include "catch.h"

#include <string>

#include "model/page_simulation.h"
#include "sim/config.h"

using namespace recirc;
using model::PageConfig;

namespace {

PageConfig config_of(const std::string& system, const std::string& benchmark,
                     std::uint32_t threads) {
  return model::read_page_config(sim::config::Document::parse(
      R"({"system": ")" + system + R"(", "workload": {"benchmark": ")" + benchmark +
          R"(", "operations": 2000}, "cluster": {"nodes": 1, "threads": )" +
          std::to_string(threads) + "}}",
      "test"));
}

double throughput(const PageConfig& config) {
  model::RunControl control;
  const model::ReplicationResult result = model::run_pages(config, 0, control);
  REQUIRE(result.summary.front().name == "throughput_ops_per_s");
  return result.summary.front().value;
}

}  // namespace

TEST_CASE("Reads of private files scale with the threads of a node") {
  const double one = throughput(config_of("ext4", "drbl", 1));
  CHECK(one == Approx(1e9 / 340));
  CHECK(throughput(config_of("ext4", "drbl", 8)) == Approx(8 * one));
}

TEST_CASE("Readers of one page pass its reference count's cache line from core to core") {
  // Two atomic operations of 60 ns a read, one core at a time; tmpfs locks the page, too.
  CHECK(throughput(config_of("ext4", "drbh", 16)) == Approx(1e9 / 120).epsilon(0.01));
  CHECK(throughput(config_of("tmpfs", "drbh", 16)) == Approx(1e9 / 240).epsilon(0.01));
  CHECK(throughput(config_of("ext4", "drbm", 16)) == Approx(16 * 1e9 / 340));
}

TEST_CASE("Writers of one file wait for its inode's semaphore, whichever page they write") {
  const double alone = throughput(config_of("ext4", "dwom", 1));
  CHECK(alone == Approx(1e9 / 515));
  // The call itself and the hand-off to the next thread.
  CHECK(throughput(config_of("ext4", "dwom", 8)) == Approx(1e9 / (515 + 750)).epsilon(0.01));
  CHECK(throughput(config_of("ext4", "dwoh", 8)) == Approx(1e9 / (515 + 750)).epsilon(0.01));
  CHECK(throughput(config_of("ext4", "dwol", 8)) == Approx(8 * alone));
}

TEST_CASE("A mixed benchmark writes the share that it is told to") {
  PageConfig config = config_of("tmpfs", "drwom", 4);
  config.workload.operations = 20'000;
  model::RunControl control;
  const model::ReplicationResult result = model::run_pages(config, 0, control);
  for (const model::Figure& figure : result.summary) {
    if (figure.name == "operations/write/count") CHECK(figure.value == Approx(6'000).epsilon(0.05));
  }
}

TEST_CASE("A duration ends a run of page calls") {
  PageConfig config = config_of("tmpfs", "drbl", 1);
  config.workload.duration = sim::microseconds(34);
  model::RunControl control;
  CHECK(model::run_pages(config, 0, control).summary.front().value == Approx(1e9 / 340));
}

TEST_CASE("A local file system refuses a second node") {
  CHECK_THROWS_AS(model::read_page_config(sim::config::Document::parse(
                      R"({"system": "ext4", "workload": {"benchmark": "drbl"},
                          "cluster": {"nodes": 2}})",
                      "test")),
                  sim::ConfigError);
}
