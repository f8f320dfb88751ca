#include <string>

#include "catch.h"
#include "model/figure.h"
#include "model/page_simulation.h"
#include "sim/config.h"

using namespace recirc;
using model::PageConfig;

namespace {

PageConfig config_of(const std::string& system, const std::string& workload, std::uint32_t nodes,
                     std::uint32_t threads) {
  return model::read_page_config(sim::config::Document::parse(
      R"({"system": ")" + system + R"(", "workload": )" + workload + R"(, "cluster": {"nodes": )" +
          std::to_string(nodes) + R"(, "threads": )" + std::to_string(threads) + "}}",
      "test"));
}

double figure(const PageConfig& config, const std::string& name) {
  model::RunControl control;
  return model::figure(model::run_pages(config, 0, control), name);
}

std::string queue(std::uint32_t slots, std::uint32_t operations = 300) {
  return R"({"benchmark": {"kind": "queue", "slots": )" + std::to_string(slots) +
         R"(, "slot_bytes": 64}, "operations": )" + std::to_string(operations) + "}";
}

}  // namespace

TEST_CASE("Items go through a queue on every system that shows nodes each other's writes") {
  for (const char* const system : {"callosal", "cephfs"}) {
    const PageConfig config = config_of(system, queue(8), 2, 1);
    CHECK(figure(config, "ops_completed") == 300);
    CHECK(figure(config, "no_progress") == 0);
    CHECK(figure(config, "stale_reads") == 0);
    CHECK(figure(config, "calls_not_counted") > 300);
  }
  CHECK(figure(config_of("tmpfs", queue(8), 1, 2), "no_progress") == 0);
}

TEST_CASE("A larger ring lets Callosal's nodes pass a page on less often") {
  CHECK(figure(config_of("callosal", queue(64), 2, 1), "throughput_ops_per_s") >
        1.5 * figure(config_of("callosal", queue(1), 2, 1), "throughput_ops_per_s"));
}

TEST_CASE("A queue wants an even number of threads, and a store a key for each") {
  CHECK_THROWS_AS(config_of("tmpfs", queue(8), 1, 3), sim::ConfigError);
  CHECK_THROWS_AS(config_of("tmpfs", R"({"benchmark": {"kind": "key_value", "keys": 3}})", 1, 4),
                  sim::ConfigError);
}

TEST_CASE("A local file system cuts and appends pages under the inode's semaphore") {
  const auto throughput = [](const std::string& system, const std::string& benchmark) {
    return figure(
        config_of(system, R"({"benchmark": ")" + benchmark + R"(", "operations": 2560})", 1, 1),
        "throughput_ops_per_s");
  };
  // 256 cuts, then one more call that gives the file its size back.
  CHECK(throughput("ext4", "dwtl") == Approx(1e9 / 5600 * 256 / 257).epsilon(0.001));
  CHECK(throughput("tmpfs", "dwal") == Approx(1e9 / 2100));
}

TEST_CASE("A trace of page calls is replayed whole, at its own times, on any system that can") {
  const std::string workload =
      R"({"benchmark": {"kind": "trace", "file": "configs/traces/pages_synthetic.csv"}})";
  const auto replay = [&](const std::string& system, const std::string& name) {
    const PageConfig config = config_of(system, workload, 2, 2);
    model::RunControl control;
    const auto result =
        model::run_pages(config, 0, control, model::load_page_inputs(config, RECIRC_ROOT));
    for (const model::Figure& figure : result.summary) {
      if (figure.name == name) return figure.value;
    }
    return -1.0;
  };
  CHECK(replay("cephfs", "ops_completed") == 401);
  CHECK(replay("cephfs", "stale_reads") == 0);
  CHECK(replay("nfs", "ops_completed") == 401);
  // 400 gaps of 20 to 200 us, and no call of NFS takes longer.
  CHECK(replay("nfs", "throughput_ops_per_s") == Approx(9'000).epsilon(0.1));
  CHECK_THROWS_AS(model::load_page_inputs(config_of("nfs", R"({"benchmark": {"kind": "trace",
                                                            "file": "no such file"}})",
                                                    2, 2)),
                  sim::InputOutputError);
}

TEST_CASE("Calls that warm caches up do not count, and neither does their time") {
  const auto with = [](const std::string& warm_up, const std::string& name) {
    return figure(
        config_of("cephfs",
                  R"({"benchmark": "drbl", "operations": 1000, "warm_up": )" + warm_up + "}", 1, 1),
        name);
  };
  CHECK(with("0", "latency_max_us") == Approx(570).epsilon(0.01));
  CHECK(with("1", "latency_max_us") == Approx(0.34).epsilon(0.01));
  CHECK(with("1", "ops_completed") == 1000);
  CHECK(with("1", "calls_not_counted") == 0);
  CHECK(with("1", "throughput_ops_per_s") == Approx(1e9 / 340));
}
