#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "model/figure.h"
#include "model/page_simulation.h"
#include "model/verify/page_checks.h"
#include "sim/config.h"
#include "sim/error.h"

namespace recirc::model {
namespace {

using verify::Access;
using verify::AppendCheck;

sim::Time at(std::int64_t time) { return sim::Time{sim::Duration{time}}; }

ReplicationResult run(const std::string& text) {
  const PageConfig config = read_page_config(sim::config::Document::parse(text, "test"));
  RunControl control;
  return run_pages(config, 0, control);
}

}  // namespace

TEST_CASE("A read may return any of the writes under way, but counts against their order") {
  verify::RealTimeCheck check;
  check.written(1, 1, at(0), at(10));
  check.written(1, 2, at(5), at(20));
  check.read(1, 1, at(15));
  CHECK(check.order_violations() == 0);
  check.read(1, 1, at(20));  // begins as the other ends: concurrent
  CHECK(check.order_violations() == 0);
  check.read(1, 1, at(21));  // took effect before the one that is over
  CHECK(check.order_violations() == 1);
  CHECK(check.stale_reads() == 0);
  check.written(1, 3, at(30), at(40));
  check.read(1, 1, at(41));
  CHECK(check.order_violations() == 2);
  CHECK(check.stale_reads() == 1);
}

TEST_CASE("Threads of one node that read and write one page see nothing stale") {
  for (const char* system : {"tmpfs", "ext4"}) {
    const ReplicationResult result =
        run(std::string(R"({"system": ")") + system +
            R"(", "cluster": {"threads": 2}, "verify": {"linearizable": true},
                "workload": {"operations": 2000, "benchmark":
                  {"kind": "shared_pages", "pages": 1, "write_ratio": 0.3}}})");
    CHECK(figure(result, "stale_reads") == 0);
    CHECK(figure(result, "order_violations") == 0);
    CHECK(figure(result, "linearizable/violations") == 0);
  }
}

TEST_CASE("After a page has lost a write, what it held before is what it must show") {
  verify::RealTimeCheck check;
  check.written(1, 1, at(0), at(10));
  check.written(1, 2, at(20), at(30));
  check.written(1, 3, at(40), at(50));
  check.reverted(1, 2, at(60), at(70));
  check.read(1, 2, at(80));
  CHECK(check.stale_reads() == 0);
  CHECK(check.order_violations() == 0);
  check.read(1, 3, at(80));  // lost, and yet it came back
  CHECK(check.stale_reads() == 1);
  check.read(1, 1, at(80));
  CHECK(check.stale_reads() == 2);
}

TEST_CASE("A writer that is not alone is noticed, and for how long it was not") {
  verify::SingleWriter check;
  check.becomes(1, 0, Access::read, at(0));
  check.becomes(1, 1, Access::read, at(0));
  check.becomes(2, 2, Access::write, at(0));
  check.becomes(1, 0, Access::none, at(1));
  check.becomes(1, 1, Access::write, at(2));
  CHECK(check.violations() == 0);
  check.becomes(1, 2, Access::read, at(3));
  CHECK(check.violations() == 1);
  check.becomes(1, 2, Access::write, at(4));
  CHECK(check.violations() == 2);
  check.becomes(1, 1, Access::none, at(8));
  check.becomes(1, 2, Access::none, at(99));
  CHECK(check.violations() == 2);
  CHECK(check.longest() == sim::Duration{5});
}

TEST_CASE("Appends must follow one another without a page between or in common") {
  AppendCheck good({10});
  good.appended(0, 12, 1, at(5), at(9));
  good.appended(0, 10, 2, at(0), at(7));
  good.appended(0, 13, 3, at(9), at(11));
  CHECK(good.faults() == AppendCheck::Faults{});

  AppendCheck bad({10});
  bad.appended(0, 10, 2, at(0), at(7));
  bad.appended(0, 11, 2, at(0), at(7));
  bad.appended(0, 14, 1, at(8), at(9));
  CHECK(bad.faults() == AppendCheck::Faults{1, 1, 0});

  AppendCheck late({0});
  late.appended(0, 1, 1, at(0), at(3));
  late.appended(0, 0, 1, at(4), at(5));
  CHECK(late.faults() == AppendCheck::Faults{0, 0, 1});

  AppendCheck after_a_hole({0});
  after_a_hole.wrote(0, 7);
  after_a_hole.appended(0, 8, 1, at(0), at(3));
  CHECK(after_a_hole.faults() == AppendCheck::Faults{});
}

TEST_CASE("Callosal passes every check that there is, where nodes fight for pages") {
  for (const char* writes : {"0.1", "0.5", "0.9"}) {
    const auto result = run(
        R"({"system": "callosal", "workload": {"benchmark": {"kind": "shared_pages", "pages": 2,
            "write_ratio": )" +
        std::string(writes) + R"(}, "operations": 4000}, "cluster": {"nodes": 4, "threads": 2},
            "verify": {"linearizable": true, "swmr": true, "calls_a_page": 5000,
                       "violations": "error"}})");
    CHECK(figure(result, "linearizable/pages") == 2);
    CHECK(figure(result, "linearizable/violations") == 0);
    CHECK(figure(result, "linearizable/undecided") == 0);
    CHECK(figure(result, "swmr/violations") == 0);
    CHECK(figure(result, "order_violations") == 0);
  }
}

namespace {

const std::string fight_on_nfs =
    R"({"system": "nfs", "workload": {"benchmark": {"kind": "shared_pages", "pages": 2,
        "write_ratio": 0.3}, "operations": 4000}, "cluster": {"nodes": 4, "threads": 2},
        "verify": {"linearizable": true, "violations": ")";

}  // namespace

TEST_CASE("NFS fails the checks, which is a figure or an error as the configuration has it") {
  const auto reported = run(fight_on_nfs + R"(report"}})");
  CHECK(figure(reported, "stale_reads") > 100);
  CHECK(figure(reported, "order_violations") >= figure(reported, "stale_reads"));
  CHECK(figure(reported, "linearizable/violations") == 2);
  CHECK_THROWS_AS(run(fight_on_nfs + R"(error"}})"), sim::InvariantBroken);
}

TEST_CASE("Appends of one node's page cache are dense and disjoint") {
  const auto result = run(
      R"({"system": "ext4", "workload": {"benchmark": "dwal", "operations": 2000},
          "verify": {"violations": "error"}})");
  CHECK(figure(result, "appends/overlaps") == 0);
  CHECK(figure(result, "appends/gaps") == 0);
  CHECK(figure(result, "appends/out_of_order") == 0);
}

}  // namespace recirc::model
