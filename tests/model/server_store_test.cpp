#include <nlohmann/json.hpp>

#include "catch.h"
#include "model/config.h"

namespace recirc::model {
namespace {

Config read(const std::string& text) {
  return read_config(sim::config::Document::parse(text, "test"));
}

double cost(const Config& config, workloads::OpKind kind) {
  return config.server.costs.by_kind[static_cast<std::size_t>(kind)];
}

TEST_CASE("a store sets workers, service time and costs, and what is given beside it stays") {
  const Config rocksdb = read(R"({"system": "nocache", "server": {"store": "rocksdb"}})");
  CHECK(rocksdb.server.workers == 1);
  CHECK(rocksdb.server.service_time == sim::nanoseconds(14'500));
  CHECK(cost(rocksdb, workloads::OpKind::create) == 2.0);
  CHECK(cost(rocksdb, workloads::OpKind::remove) == 2.7);
  CHECK(cost(rocksdb, workloads::OpKind::rename) == 25.0);
  CHECK(cost(rocksdb, workloads::OpKind::stat) == 1.0);

  const Config own = read(R"({"system": "nocache", "server":
      {"costs": {"rename": 7}, "workers": 3, "store": "rocksdb"}})");
  CHECK(own.server.workers == 3);
  CHECK(cost(own, workloads::OpKind::rename) == 7.0);
  CHECK(own.server.service_time == sim::nanoseconds(14'500));
}

TEST_CASE("without a store the numbers of one HDFS handler are used") {
  const Config config = read(R"({"system": "fletch"})");
  CHECK(config.server.store == Store::hdfs);
  CHECK(config.server.workers == 20);
  CHECK(config.server.service_time == sim::microseconds(43));
  CHECK(cost(config, workloads::OpKind::rename) == 18.0);
}

TEST_CASE("an effective configuration tells the store's values and reads back the same") {
  const Config config = read(R"({"system": "nocache", "server": {"store": "rocksdb"}})");
  const auto effective = sim::config::effective(config);
  CHECK(effective["server"]["store"] == "rocksdb");
  CHECK(effective["server"]["service_time"] == "14.5us");
  CHECK(effective["server"]["costs"]["rename"] == 25.0);
  CHECK(sim::config::effective(read(effective.dump())) == effective);
}

TEST_CASE("a store that is not there is an issue of the document") {
  CHECK_THROWS_AS(read(R"({"system": "nocache", "server": {"store": "leveldb"}})"),
                  sim::ConfigError);
  CHECK_THROWS_AS(read(R"({"system": 3, "server": {"store": 4}})"), sim::ConfigError);
}

}  // namespace
}  // namespace recirc::model
