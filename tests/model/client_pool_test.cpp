#include "catch.h"
#include "model/station_under_test.h"
#include "sim/error.h"

namespace recirc::model {
namespace {

ServerConfig constant_store() {
  ServerConfig config;
  config.service_time = sim::microseconds(10);
  config.law.kind = sim::LawKind::constant;
  config.costs.fill(1.0);
  return config;
}

TEST_CASE("a closed workload ends with everything issued completed") {
  const OneOperation source(1000, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 7;
  StationUnderTest station(constant_store(), clients, source, 1);
  station.run();
  CHECK(station.tracker().issued() == 1000);
  CHECK(station.tracker().completed() == 1000);
  CHECK(station.tracker().failed() == 0);
  CHECK(station.tracker().in_flight() == 0);
  CHECK(station.clients().done());
}

TEST_CASE("clients give up after the time-out, and issued = completed + failed") {
  const OneOperation source(20, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 4;
  clients.timeout = sim::milliseconds(1);
  StationUnderTest station(constant_store(), clients, source, 1);
  station.silent = true;
  station.run();
  CHECK(station.tracker().issued() == 20);
  CHECK(station.tracker().failed() == 20);
  CHECK(station.clients().timeouts() == 20);
  CHECK(station.clients().done());
  CHECK(station.tracker().time_lost() == sim::Duration::zero());  // nothing completed: no length
  // five rounds of four, one time-out each
  CHECK(station.scheduler().now() >= sim::Time{sim::milliseconds(5)});
}

TEST_CASE("time in time-outs counts up to the last completion") {
  const OneOperation source(3, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 3;
  clients.timeout = sim::microseconds(25);  // the store takes ten for each: the third is late
  StationUnderTest station(constant_store(), clients, source, 1);
  station.run();
  CHECK(station.tracker().failed() == 1);
  const double lost = sim::as_microseconds(station.tracker().time_lost());
  CHECK(lost == Approx(20.0).margin(0.3));  // from its issue until the second's answer
}

TEST_CASE("an answer that comes after its time-out is counted and changes nothing else") {
  const OneOperation source(3, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 1;
  clients.timeout = sim::microseconds(4);  // the store takes ten
  StationUnderTest station(constant_store(), clients, source, 1);
  station.run();
  CHECK(station.tracker().failed() == 3);
  CHECK(station.tracker().completed() == 0);
  CHECK(station.clients().late_answers() == 3);
}

TEST_CASE("paced clients issue at fixed distances") {
  const OneOperation source(100, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 2;
  clients.arrival = workloads::PacedArrival{sim::microseconds(100)};
  StationUnderTest station(constant_store(), clients, source, 1);
  station.run();
  // 2 clients / 100 us, less the end of the run
  CHECK(station.figure("throughput_ops_per_s") == Approx(20'000).epsilon(0.02));
  CHECK(station.figure("latency_mean_us") == Approx(10.0).epsilon(0.001));
}

TEST_CASE("a run that would outlast simulated time is refused, and says so") {
  const OneOperation source(300, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 1;
  ServerConfig store = constant_store();
  SECTION("by its clients' thinking") {
    clients.arrival = workloads::ClosedArrival{sim::seconds(86'400)};
  }
  SECTION("by its clients' pace") {
    clients.arrival = workloads::PacedArrival{sim::seconds(86'400)};
  }
  SECTION("by its store's work") {
    clients.timeout = sim::seconds(3600);
    store.service_time = sim::seconds(86'400);
  }
  StationUnderTest station(store, clients, source, 1);
  CHECK_THROWS_AS(station.run(), sim::ConfigError);
}

TEST_CASE("an open workload does not send what would exceed its bound, and counts it") {
  const OneOperation source(1000, workloads::OpKind::stat, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 1;
  // twice what the store can serve
  clients.arrival = workloads::OpenArrival{workloads::OpenProcess::periodic, 200'000, 5};
  StationUnderTest station(constant_store(), clients, source, 1);
  station.run();
  CHECK(station.clients().excess() > 400);
  CHECK(station.tracker().issued() + station.clients().excess() == 1000);
  CHECK(station.tracker().completed() == station.tracker().issued());
}

TEST_CASE("the time parts of operations add up to their latency") {
  const OneOperation source(500, workloads::OpKind::chmod, workloads::PathId{3});
  ClientConfig clients;
  clients.clients = 3;
  StationUnderTest station(constant_store(), clients, source, 1);
  station.run();
  const double sum = station.figure("time/wire_us") + station.figure("time/queues_us") +
                     station.figure("time/service_us");
  CHECK(sum == Approx(station.figure("latency_mean_us")));
  CHECK(station.figure("time/service_us") == Approx(10.0));
  CHECK(station.figure("time/queues_us") == Approx(20.0).epsilon(0.02));
}

}  // namespace
}  // namespace recirc::model
