#include <algorithm>

#include "callosal_under_test.h"
#include "catch.h"
#include "model/callosal/blade.h"

using namespace recirc;
using namespace recirc::model;
using callosal::home_of;

namespace {

class Reads final : public callosal::Blade::Reader {
 public:
  explicit Reads(sim::Scheduler& scheduler) : scheduler_(scheduler) {}
  void read(std::uint32_t /*blade*/, callosal::PageNumber page, pages::NodeId /*requester*/,
            std::uint16_t /*ask*/, const callosal::Content& /*data*/) override {
    pages.push_back(page);
    at_ns.push_back(sim::as_microseconds(scheduler_.now() - sim::Time{}) * 1000);
  }
  void synced(std::uint32_t /*blade*/, callosal::PageNumber /*page*/, pages::NodeId /*node*/,
              std::uint32_t /*number*/) override {}
  std::vector<callosal::PageNumber> pages;
  std::vector<double> at_ns;

 private:
  sim::Scheduler& scheduler_;
};

Reads three_reads(sim::Scheduler& scheduler, const callosal::Card& card) {
  Reads reads(scheduler);
  callosal::Blade blade(scheduler, 0, card, reads, nullptr, nullptr, nullptr);
  for (std::uint64_t page = 0; page < 3; ++page) blade.fetch(page, pages::NodeId{0}, 0);
  CHECK_THROWS_AS(blade.check_idle(), sim::InvariantBroken);
  scheduler.run();
  blade.check_idle();
  return reads;
}

double appends_per_second(std::uint32_t blades) {
  PageConfig config = callosal_config("\"dwal\"", 20'000);
  config.cluster.nodes = 16;
  config.cluster.threads = 4;
  config.callosal.blades = blades;
  return figure(run_callosal(config), "throughput_ops_per_s");
}

}  // namespace

TEST_CASE("A memory blade reads several pages at a time, as fast as its card's bandwidth allows") {
  sim::Scheduler scheduler;
  // 4 KiB at 32.768 Gbps: 1 us.
  const Reads reads =
      three_reads(scheduler, {sim::microseconds(5), sim::BitsPerSecond{32'768'000'000}});
  CHECK(reads.pages == std::vector<callosal::PageNumber>{0, 1, 2});
  REQUIRE(reads.at_ns.size() == 3);
  CHECK(reads.at_ns[0] == Approx(5000));
  CHECK(reads.at_ns[1] == Approx(6000));
  CHECK(reads.at_ns[2] == Approx(7000));
}

TEST_CASE("A memory blade with little bandwidth takes it for each page") {
  sim::Scheduler scheduler;
  const Reads reads =
      three_reads(scheduler, {sim::nanoseconds(100), sim::BitsPerSecond{32'768'000'000}});
  REQUIRE(reads.at_ns.size() == 3);
  CHECK(reads.at_ns[0] == Approx(1000));
  CHECK(reads.at_ns[2] == Approx(3000));
}

TEST_CASE("Files' beginnings, inodes and regions go round the memory blades") {
  for (const std::uint32_t blades : {1U, 2U, 4U, 8U}) {
    std::vector<int> begins(blades);
    std::vector<int> inodes(blades);
    std::vector<int> regions(blades);
    for (std::uint32_t i = 0; i < 64; ++i) {
      const pages::FileId file{i};
      ++begins[home_of(pages::number_of({file, 0}), blades)];
      ++inodes[home_of(pages::number_of(callosal::inode_of(file)), blades)];
      ++regions[home_of(pages::number_of({pages::FileId{5}, i * 512}), blades)];
      CHECK(home_of(pages::number_of({file, 511}), blades) ==
            home_of(pages::number_of({file, 0}), blades));
    }
    for (const auto* const counts : {&begins, &inodes, &regions}) {
      CHECK(std::ranges::count(*counts, 64 / static_cast<int>(blades)) == blades);
    }
  }
}

TEST_CASE("The switch finds each page on the memory blade that has it") {
  for (const std::uint32_t blades : {2U, 4U, 8U}) {
    // Pages of many files and regions that others have changed: the oracles compare with memory.
    ScriptedApp app(std::vector<workloads::PageFile>(9, {512 * 9, true}), 2);
    for (std::uint32_t file = 0; file < 9; ++file) {
      for (std::uint32_t region = 0; region < 9; ++region) {
        for (const std::uint32_t worker : {0U, 1U}) {
          workloads::PageOp op = call(workloads::PageOpKind::write, 512 * region);
          if (worker == 1) op.kind = workloads::PageOpKind::read;
          op.first.file = workloads::FileId{file};
          op.earliest = sim::Time{sim::microseconds(100 * (file * 9 + region) + 50 * worker)};
          app.add(worker, op);
        }
      }
    }
    CallosalSetup setup;
    setup.callosal.blades = blades;
    const ScriptedCallosal run(app, {2, 1}, setup);
    CHECK(run.figure("directory/writes_asked") == 81);
    CHECK(run.figure("stale_reads") == 0);
  }
}

TEST_CASE("A page that nobody has takes as long as MIND is quoted with") {
  PageConfig config = callosal_config(R"({"kind": "transition", "pages": 50})", 50);
  const auto result = run_callosal(config);
  CHECK(figure(result, "latency_p50_us") > 8.8);
  CHECK(figure(result, "latency_p50_us") < 9.3);
}

TEST_CASE("Appends are not bound by one memory blade when there are more") {
  const double one = appends_per_second(1);
  CHECK(one > 2.5e6);  // of 100 Gbps
  CHECK(one < 3.1e6);
  CHECK(appends_per_second(8) > 1.5 * one);
}
