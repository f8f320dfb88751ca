#include <cmath>
#include <vector>

#include "catch.h"
#include "model/station_under_test.h"
#include "sim/statistics.h"

// Closed forms that the station must give: the theory's value is inside a 99.9 % interval over
// independent replications, so that the tolerance is not a guess.
namespace recirc::model {
namespace {

constexpr double confidence = 0.999;
constexpr std::uint64_t replications = 20;

ServerConfig store(sim::LawKind law) {
  ServerConfig config;
  config.workers = 1'000'000;  // never the bottleneck
  config.service_time = sim::microseconds(10);
  config.law.kind = law;
  config.costs.fill(1.0);
  return config;
}

ClientConfig poisson(double rate) {
  ClientConfig config;
  config.clients = 1;
  config.arrival = workloads::OpenArrival{workloads::OpenProcess::poisson, rate, 1'000'000};
  return config;
}

sim::Interval mean_latency_us(sim::LawKind law, double load) {
  const OneOperation source(40'000, workloads::OpKind::stat, workloads::PathId{3});
  std::vector<double> means;
  for (std::uint64_t r = 0; r < replications; ++r) {
    StationUnderTest station(store(law), poisson(load * 100'000), source, 1000 + r);
    station.run();
    means.push_back(station.figure("latency_mean_us"));
  }
  return sim::mean_interval(means, confidence);
}

TEST_CASE("a store with exponential service and Poisson arrivals is M/M/1") {
  const double service = 10.0;
  for (const double load : {0.3, 0.7}) {
    const sim::Interval measured = mean_latency_us(sim::LawKind::exponential, load);
    INFO("load " << load << ", mean " << measured.mean << " +- " << *measured.half_width);
    CHECK(measured.contains(service / (1 - load)));
    CHECK(*measured.half_width < 0.05 * measured.mean);
  }
}

TEST_CASE("a store with constant service and Poisson arrivals is M/D/1") {
  const double service = 10.0;
  const double load = 0.7;
  const sim::Interval measured = mean_latency_us(sim::LawKind::constant, load);
  INFO("mean " << measured.mean << " +- " << *measured.half_width);
  CHECK(measured.contains(service + service * load / (2 * (1 - load))));
  CHECK(*measured.half_width < 0.05 * measured.mean);
}

TEST_CASE("latency in M/M/1 is exponential: its quantiles follow") {
  const double load = 0.5;
  const OneOperation source(400'000, workloads::OpKind::stat, workloads::PathId{3});
  StationUnderTest station(store(sim::LawKind::exponential), poisson(load * 100'000), source, 7);
  station.run();
  const double mean = 10.0 / (1 - load);
  CHECK(station.figure("latency_p50_us") == Approx(-std::log(0.5) * mean).epsilon(0.03));
  CHECK(station.figure("latency_p95_us") == Approx(-std::log(0.05) * mean).epsilon(0.03));
  CHECK(station.figure("latency_p99_us") == Approx(-std::log(0.01) * mean).epsilon(0.05));
}

TEST_CASE("a closed loop obeys Little's law: clients = throughput x latency") {
  const OneOperation source(50'000, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 12;
  StationUnderTest station(store(sim::LawKind::exponential), clients, source, 3);
  station.run();
  const double inside =
      station.figure("throughput_ops_per_s") * station.figure("latency_mean_us") * 1e-6;
  // At the ends of the run fewer than twelve are inside: some 12 of 50,000 operations.
  CHECK(inside == Approx(12.0).epsilon(0.001));
}

}  // namespace
}  // namespace recirc::model
