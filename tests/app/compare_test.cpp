#include <nlohmann/json.hpp>

#include "catch.h"
#include "fake_engine.h"
#include "model/experiment/reduce.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using sim::ExitCode;

model::ReplicationResult replication(std::uint64_t number, double throughput) {
  model::ReplicationResult result;
  result.replication = number;
  result.summary = {{"throughput_ops_per_s", throughput, model::Figure::Kind::real}};
  return result;
}

TEST_CASE("a gain is the mean of the ratios of pairs, with their interval") {
  // Ratios 2, 3 and 4: mean 3; s = 1; t(2) = 4.30265.
  const std::vector<model::ReplicationResult> ours{replication(0, 20), replication(1, 60),
                                                   replication(2, 120)};
  const std::vector<model::ReplicationResult> base{replication(0, 10), replication(1, 20),
                                                   replication(2, 30)};
  const auto gains = model::experiment::paired_gains(ours, base);
  REQUIRE(gains.size() == 1);
  CHECK(gains[0].interval.mean == Approx(2));
  REQUIRE(gains[0].interval.half_width.has_value());
  CHECK(*gains[0].interval.half_width == Approx(4.30265 / std::sqrt(3.0)).epsilon(1e-5));
}

TEST_CASE("replications are paired by number, not by place") {
  const std::vector<model::ReplicationResult> ours{replication(1, 30), replication(0, 20)};
  const std::vector<model::ReplicationResult> base{replication(0, 10), replication(1, 15),
                                                   replication(2, 1)};
  const auto gains = model::experiment::paired_gains(ours, base);
  REQUIRE(gains.size() == 1);
  CHECK(gains[0].interval.mean == Approx(1));
  CHECK(gains[0].interval.observations == 2);
}

TEST_CASE("a baseline of zero has no gain") {
  CHECK(model::experiment::paired_gains(std::vector{replication(0, 1)},
                                        std::vector{replication(0, 0)})
            .empty());
}

TEST_CASE("compare runs the systems named and states the gain") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "slow"})");
  REQUIRE(shell({"compare", config, "--systems", "slow,fast", "--json"}) == ExitCode::fine);
  const Json result = Json::parse(shell.out);
  CHECK(result.at("baseline") == "slow");
  CHECK(result.at("results")[0].at("gains").is_null());
  const Json& gain = result.at("results")[1].at("gains").at("throughput_ops_per_s");
  CHECK(gain.at("gain") == 1.0);
  CHECK(gain.at("interval95").get<double>() == Approx(0).margin(1e-7));
  CHECK(gain.at("pairs") == 3);
}

TEST_CASE("compare refuses seeds that differ and says how to mend it") {
  const Scratch scratch;
  Shell shell;
  const std::string a = scratch.file("a.json", R"({"system": "slow"})");
  const std::string b = scratch.file("b.json", R"({"system": "fast", "run": {"seed": 2}})");
  CHECK(shell({"compare", a, b}) == ExitCode::usage);
  CHECK(shell.err.find("/run/seed") != std::string::npos);
  CHECK(shell({"compare", a, b, "--set", "/run/seed=9"}) == ExitCode::fine);
}

TEST_CASE("an interrupted comparison keeps the replications that all have finished") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "slow"})");
  REQUIRE(shell({"compare", config, "--systems", "interrupting,slow", "--jobs", "1", "--json"}) ==
          ExitCode::interrupted);
  const Json answer = Json::parse(shell.out);
  for (const Json& one : answer.at("results")) {
    CHECK(one.at("result").at("complete") == false);
    REQUIRE(one.at("result").at("replications").size() == 1);
    CHECK(one.at("result").at("replications")[0].at("replication") == 0);
  }
}

TEST_CASE("compare names the file of every issue, once") {
  const Scratch scratch;
  Shell shell;
  const std::string a = scratch.file("a.json", R"({"system": "slow", "zipf": 9})");
  const std::string b = scratch.file("b.json", "// nothing\n");
  CHECK(shell({"compare", a, b}) == ExitCode::usage);
  CHECK(shell.err.find(a + ": /zipf: ") != std::string::npos);
  CHECK(shell.err.find("\n" + b + ", line ") != std::string::npos);
  CHECK(shell.err.find(": :") == std::string::npos);
}

TEST_CASE("compare with one system only is a mistake") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "slow"})");
  CHECK(shell({"compare", config}) == ExitCode::usage);
  CHECK(shell({"compare", config, "--systems", "fast"}) == ExitCode::usage);
  CHECK(shell({"compare", config, "--systems", "slow,fast", "--baseline", "fats"}) ==
        ExitCode::usage);
  CHECK(shell.err.find("did you mean \"fast\"") != std::string::npos);
}

}  // namespace
}  // namespace recirc::app
