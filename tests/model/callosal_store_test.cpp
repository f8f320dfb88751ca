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
