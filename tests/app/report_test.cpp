#include "app/report.h"

#include "app/progress.h"
#include "catch.h"

namespace recirc::app {
namespace {

using model::Figure;
using model::experiment::Estimate;

std::vector<Estimate> figures(double completed) {
  return {{"throughput_ops_per_s", Figure::Kind::real, {0, {}, 2}},
          {"latency_p99_us", Figure::Kind::real, {0, {}, 2}},
          {"ops_completed", Figure::Kind::count, {completed, {}, 2}},
          {"ops_failed", Figure::Kind::count, {7, {}, 2}}};
}

/// The line of a table that begins with `heading`.
std::string line_of(const std::string& table, const std::string& heading) {
  const std::size_t begin = table.find(heading);
  return begin == std::string::npos ? "" : table.substr(begin, table.find('\n', begin) - begin);
}

TEST_CASE("where nothing completed, a table has no latency or rate but still the counts") {
  const std::vector<ReportEntry> entries{{"a", {}, figures(0), {}}, {"b", {}, figures(5), {}}};
  const std::string table = figure_table(entries, "");
  const auto ends = [&](const std::string& heading, const std::string& end) {
    INFO(table);
    CHECK(line_of(table, heading).ends_with(end));
  };
  ends("throughput", "-  0.0");
  ends("latency p99", "-  0.0");
  ends("requests completed", "0    5");
  ends("requests failed", "7    7");
}

TEST_CASE("the time left follows from the rate of late, not from the mean") {
  RecentRate rate;
  std::uint64_t done = 0;
  double latest = 0;
  for (int second = 1; second <= 100; ++second) {
    done += 1000;
    latest = rate.at(done, second);
  }
  CHECK(latest == Approx(1000));
  for (int second = 101; second <= 130; ++second) {
    done += 10;
    latest = rate.at(done, second);
  }
  CHECK(latest == Approx(10));
  CHECK(progress_text(done, done + 600, latest, false).find("60 s left") != std::string::npos);
}

TEST_CASE("progress beyond an estimate claims no share") {
  CHECK(progress_text(90, 100, 10, false).starts_with("90 %"));
  CHECK(progress_text(130, 100, 10, true) == progress_text(130, 0, 10, true));
}

TEST_CASE("progress says what is waited for when every operation is over") {
  CHECK(progress_text(100, 100, 10, false).ends_with("still on its way"));
  CHECK(progress_text(100, 100, 10, false, true).find("on its way") == std::string::npos);
}

}  // namespace
}  // namespace recirc::app
