#include "model/timeline.h"
#include "model/figure.h"

#include <cmath>

#include "catch.h"
#include "model/simulation.h"

namespace recirc::model {
namespace {

Request request(workloads::OpKind kind, std::int64_t issued_us, bool by_switch) {
  Request request;
  request.operation.kind = kind;
  request.issued = sim::Time{sim::microseconds(issued_us)};
  request.answered_by_switch = by_switch;
  return request;
}

sim::Time at(std::int64_t us) { return sim::Time{sim::microseconds(us)}; }

Config hot_in(const char* system) {
  Config config;
  config.system = system;
  config.workload.files = 50'000;
  config.workload.duration = sim::milliseconds(40);
  config.workload.popularity = workloads::HotInPopularity{sim::milliseconds(20), 200};
  config.cluster.servers = 2;
  config.cache.files = 500;
  config.run.series_window = sim::milliseconds(5);
  return config;
}

ReplicationResult run_once(const Config& config) {
  RunControl control;
  return run(config, {}, 0, control);
}

double mean(const NamedSeries& series, std::size_t first, std::size_t end) {
  double sum = 0;
  for (std::size_t w = first; w < end; ++w) sum += series.values.at(w);
  return sum / static_cast<double>(end - first);
}

TEST_CASE("a timeline has a value for each window that is over, none for one without answers") {
  Timeline timeline(sim::microseconds(10));
  timeline.completed(request(workloads::OpKind::stat, 0, true), at(4));
  timeline.completed(request(workloads::OpKind::stat, 1, false), at(9));
  timeline.completed(request(workloads::OpKind::create, 2, false), at(10));
  timeline.completed(request(workloads::OpKind::stat, 25, true), at(35));
  timeline.completed(request(workloads::OpKind::stat, 30, true), at(44));
  std::vector<NamedSeries> series;
  timeline.report(at(44), series);
  REQUIRE(series.size() == 3);
  for (const NamedSeries& one : series) {
    CHECK(one.window_s == Approx(1e-5));
    REQUIRE(one.values.size() == 4);
  }
  CHECK(series[0].name == "throughput");
  CHECK(series[0].values[0] == Approx(2e5));
  CHECK(series[0].values[2] == 0);
  CHECK(series[1].values[0] == Approx(6));
  CHECK(series[1].values[1] == Approx(8));
  CHECK(std::isnan(series[1].values[2]));
  CHECK(series[2].values[0] == Approx(0.5));
  CHECK(std::isnan(series[2].values[1]));  // a write only
  CHECK(series[2].values[3] == Approx(1));
}

TEST_CASE("series are reported on request only and change no other figure") {
  Config config = hot_in("fletch");
  const ReplicationResult with = run_once(config);
  config.run.series_window.reset();
  const ReplicationResult without = run_once(config);
  CHECK(without.series.empty());
  REQUIRE(with.summary.size() == without.summary.size());
  for (std::size_t i = 0; i < with.summary.size(); ++i) {
    CHECK(with.summary[i].value == without.summary[i].value);
  }
}

TEST_CASE("a duration ends a run: nothing is sent later, everything sent is answered") {
  const ReplicationResult result = run_once(hot_in("nocache"));
  CHECK(figure(result, "ops_issued") == figure(result, "ops_completed"));
  REQUIRE(result.series.size() == 3);
  CHECK(result.series[0].values.size() == 8);
  double counted = 0;
  for (const double rate : result.series[0].values) counted += rate * 5e-3;
  CHECK(counted <= figure(result, "ops_completed"));
  CHECK(counted > 0.95 * figure(result, "ops_completed"));
  CHECK(result.phases.size() == 1);  // the operations that come last were not reached
}

TEST_CASE("a duration ends waiting clients and arrivals of their own, too") {
  Config config = hot_in("nocache");
  config.workload.arrival = workloads::PacedArrival{sim::milliseconds(30)};
  config.cluster.clients = 10;
  CHECK(figure(run_once(config), "ops_completed") == 14);  // offsets 0, 3, .. 27 ms; 10 within 40
  config.workload.arrival = workloads::OpenArrival{workloads::OpenProcess::periodic, 1000, 100};
  CHECK(figure(run_once(config), "ops_completed") == 40);
  config.workload.requests = 7;
  CHECK(figure(run_once(config), "ops_completed") == 7);
}

TEST_CASE("what happens over time needs all servers at once") {
  const auto read = [](const std::string& more) {
    return sim::config::read<Config>(sim::config::Document::parse(
        R"({"system": "nocache", "run": {"method": "rotation"}, )" + more + "}", "test"));
  };
  CHECK_NOTHROW(read(R"("workload": {"requests": 10})"));
  CHECK_THROWS_AS(read(R"("workload": {"duration": "1s"})"), sim::ConfigError);
  CHECK_THROWS_AS(read(R"("workload": {"popularity": "hot_in"})"), sim::ConfigError);
}

TEST_CASE("hit ratio and throughput fall when popularity changes") {
  const ReplicationResult result = run_once(hot_in("fletch"));
  const NamedSeries& throughput = result.series.at(0);
  const NamedSeries& hits = result.series.at(2);
  REQUIRE(throughput.values.size() == 8);
  CHECK(mean(hits, 4, 8) < 0.7 * mean(hits, 1, 4));
  CHECK(mean(throughput, 4, 8) < 0.95 * mean(throughput, 1, 4));
  const NamedSeries steady = run_once(hot_in("nocache")).series.at(0);
  CHECK(mean(steady, 4, 8) == Approx(mean(steady, 1, 4)).epsilon(0.1));
}

}  // namespace
}  // namespace recirc::model
