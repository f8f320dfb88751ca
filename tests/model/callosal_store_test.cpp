#include "callosal_under_test.h"
#include "catch.h"
#include "model/callosal/store.h"

using namespace recirc;
using namespace recirc::model;

namespace {

class Clock final : public callosal::Store::Client {
 public:
  explicit Clock(sim::Scheduler& scheduler) : scheduler_(scheduler) {}
  void loaded(callosal::PageNumber /*page*/) override { note(); }
  void written(std::uint32_t /*number*/) override { note(); }
  std::vector<double> at_us;

 private:
  void note() { at_us.push_back(sim::as_microseconds(scheduler_.now() - sim::Time{})); }
  sim::Scheduler& scheduler_;
};

workloads::PageOp timed_call(workloads::PageOpKind kind, std::uint32_t page,
                             sim::Duration at = {}) {
  workloads::PageOp op;
  op.kind = kind;
  op.first = {workloads::FileId{0}, page};
  op.earliest = sim::Time{at};
  return op;
}

CallosalSetup durable() {
  CallosalSetup setup;
  setup.callosal.store = callosal::NvmeStore{};
  setup.callosal.write_back = true;
  return setup;
}

constexpr auto to_read = workloads::PageOpKind::read;
constexpr auto to_write = workloads::PageOpKind::write;
constexpr auto to_append = workloads::PageOpKind::append;
constexpr auto to_sync = workloads::PageOpKind::fsync;

}  // namespace

TEST_CASE("A store has its depth of requests under way, and one link") {
  sim::Scheduler scheduler;
  // 4 KiB at 32.768 Gbps: 1 us.
  callosal::Store store(scheduler, {sim::microseconds(10), sim::microseconds(100),
                                    sim::BitsPerSecond{32'768'000'000}, 2});
  Clock clock(scheduler);
  for (std::uint64_t page = 0; page < 3; ++page) store.read(page, clock);
  store.write(0, clock);
  scheduler.run();
  REQUIRE(clock.at_us.size() == 4);
  CHECK(clock.at_us[0] == Approx(11));
  CHECK(clock.at_us[1] == Approx(12));
  CHECK(clock.at_us[2] == Approx(22));   // began when the first was over
  CHECK(clock.at_us[3] == Approx(113));  // when the second was
  CHECK(store.reads() == 3);
  CHECK(store.writes() == 1);
}

TEST_CASE("A page that no node and no blade holds comes from the store, once") {
  PageConfig config = callosal_config("\"drbh\"", 1'000);
  const auto preloaded = run_callosal(config);
  config.callosal.store = callosal::NvmeStore{};
  CHECK(figure(run_callosal(config), "latency_max_us") == figure(preloaded, "latency_max_us"));
  CHECK(figure(run_callosal(config), "store/reads") == 0);
  config.callosal.initial_pages = callosal::InitialPages::absent;
  const auto absent = run_callosal(config);
  CHECK(figure(absent, "store/reads") == 1);
  const double longer = figure(absent, "latency_max_us") - figure(preloaded, "latency_max_us");
  CHECK(longer > 40);
  CHECK(longer < 50);
}

TEST_CASE("Pages that files grow by are not in the store") {
  PageConfig config = callosal_config("\"dwal\"", 1'000);
  config.callosal.store = callosal::NetworkStore{};
  config.callosal.initial_pages = callosal::InitialPages::absent;
  CHECK(figure(run_callosal(config), "store/reads") == 0);
}

TEST_CASE("Without a store no page can be in it") {
  CHECK_THROWS_AS(read_page_config(sim::config::Document::parse(
                      R"({"system": "callosal", "workload": {"benchmark": "dwoh"},
                          "callosal": {"initial_pages": "absent"}})",
                      "test")),
                  sim::ConfigError);
}

TEST_CASE("An fsync returns when the store has what was written") {
  ScriptedApp app({{4, true}}, 1);
  for (std::uint32_t page = 0; page < 4; ++page) app.add(0, timed_call(to_write, page));
  {
    ScriptedApp writes = app;
    const ScriptedCallosal run(writes, {1, 1}, durable());
    CHECK(run.figure("unsynced/at_nodes") == 4);
    CHECK(run.figure("unsynced/most") == 4);
    CHECK(run.figure("store/writes") == 0);
  }
  app.add(0, timed_call(to_sync, 0));
  app.add(0, timed_call(to_sync, 0));
  const ScriptedCallosal run(app, {1, 1}, durable());
  CHECK(run.figure("unsynced/at_nodes") == 0);
  CHECK(run.figure("unsynced/in_memory") == 0);
  CHECK(run.figure("store/writes") == 4);
  CHECK(run.figure("operations/fsync/latency_p99_us") > 450 + 4 * 3);  // it handles four pages
  CHECK(run.figure("operations/fsync/latency_p99_us") < 500);
  CHECK(run.figure("operations/fsync/latency_p50_us") < 10);  // the second finds nothing to do
}

TEST_CASE("An fsync covers what its node has written and another has by now, and the size") {
  ScriptedApp app({{1, true}}, 2);
  app.add(0, timed_call(to_write, 0));
  app.add(0, timed_call(to_append, 0));
  app.add(1, timed_call(to_read, 0, sim::microseconds(200)));
  app.add(1, timed_call(to_write, 1, sim::microseconds(200)));
  app.add(0, timed_call(to_sync, 0, sim::microseconds(400)));
  const ScriptedCallosal run(app, {2, 1}, durable());
  CHECK(run.figure("unsynced/at_nodes") == 1);  // the other node's own page
  CHECK(run.figure("unsynced/in_memory") == 0);
  CHECK(run.figure("store/writes") == 3);  // two pages and the inode
}

TEST_CASE("Writers are held back while their node has too much that is not durable") {
  PageConfig config = callosal_pages(2'000, 1, 4'000);
  config.cluster.nodes = 1;
  config.callosal.store = callosal::NvmeStore{};
  const double fast = figure(run_callosal(config), "throughput_ops_per_s");
  config.callosal.write_back = true;
  CHECK(figure(run_callosal(config), "throughput_ops_per_s") == fast);  // the limits are far
  config.callosal.dirty_background = 50;
  config.callosal.dirty_limit = 100;
  const auto held = run_callosal(config);
  CHECK(figure(held, "throughput_ops_per_s") < fast);
  CHECK(figure(held, "unsynced/most") <= 100 + config.cluster.threads + 1);
  CHECK(figure(held, "unsynced/writes_held_back") > 50);
  CHECK(figure(held, "store/writes") > 1'000);
  CHECK(figure(held, "ops_completed") == 4'000);
}

TEST_CASE("Once every node has synced every file, nothing can be lost") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    sim::CounterRng rng = sim::CounterRng{10}.at(seed);
    const auto below = [&rng](std::uint64_t n) {
      return static_cast<std::uint32_t>(rng.next() % n);
    };
    ScriptedApp app({{4, true}, {2, true}}, 6);
    for (std::uint32_t worker = 0; worker < 6; ++worker) {
      for (std::uint32_t i = below(30); i > 0; --i) {
        workloads::PageOp op = timed_call(static_cast<workloads::PageOpKind>(below(6)), below(8),
                                          sim::microseconds(below(3'000)));
        op.first.file = workloads::FileId{below(2)};
        op.pages = 1 + below(3);
        app.add(worker, op);
      }
      for (std::uint32_t file = 0; file < 2; ++file) {
        workloads::PageOp op = timed_call(to_sync, 0, sim::milliseconds(100));
        op.first.file = workloads::FileId{file};
        app.add(worker, op);
      }
    }
    CallosalSetup setup = durable();
    setup.callosal.blades = 1U << below(2);
    setup.callosal.cache_pages = below(2) == 0 ? 0 : 6;
    setup.callosal.dirty_background = below(8);
    setup.callosal.dirty_limit = setup.callosal.dirty_background + below(4);
    const ScriptedCallosal run(app, {3, 2}, setup);
    CHECK(run.figure("stale_reads") == 0);
    CHECK(run.figure("unsynced/at_nodes") == 0);
    CHECK(run.figure("unsynced/in_memory") == 0);
  }
}
