#include <nlohmann/json.hpp>

#include "app/model_engine.h"
#include "catch.h"
#include "fake_engine.h"
#include "model/experiment/scale.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using sim::ExitCode;

Json sweep_of(const Json& workload, std::uint64_t replications) {
  return {{"base", {{"system", "slow"}, {"workload", workload}}},
          {"grid", {{"/servers", {16, 128}}}},
          {"replications", replications}};
}

/// The effective configurations of the points that a sweep ran at a scale.
std::vector<Json> run_at(const std::string& scale, const Json& sweep) {
  const Scratch scratch;
  Shell shell;
  REQUIRE(shell({"sweep", scratch.file("s.json", sweep.dump()), "--scale", scale, "--json"}) ==
          ExitCode::fine);
  std::vector<Json> configs;
  const Json result = Json::parse(shell.out);
  for (const Json& point : result.at("points")) {
    CHECK(point.at("replications") == point.at("config").at("run").at("replications"));
    configs.push_back(point.at("config"));
  }
  return configs;
}

TEST_CASE("a small sweep has fewer requests and replications and is otherwise the same") {
  const Json sweep = sweep_of({{"requests", 3'000'000}}, 5);
  std::vector<Json> full = run_at("full", sweep);
  const std::vector<Json> small = run_at("small", sweep);
  REQUIRE(small.size() == 2);
  for (std::size_t i = 0; i < small.size(); ++i) {
    CHECK(full[i]["workload"]["requests"] == 3'000'000);
    full[i]["workload"]["requests"] = 100'000;
    full[i]["run"]["replications"] = 3;
    CHECK(small[i] == full[i]);
  }
}

TEST_CASE("the paper's scale makes three million requests 32 and repeats them as often") {
  const Json paper = run_at("paper", sweep_of({{"requests", 3'000'000}}, 5)).front();
  CHECK(paper["workload"]["requests"] == 32'000'000);
  CHECK(paper["run"]["replications"] == 5);
}

TEST_CASE("a run that a duration ends keeps its length at any scale") {
  const Json sweep = sweep_of({{"requests", 3'000'000}, {"duration", "60s"}}, 5);
  for (const char* scale : {"small", "paper"}) {
    const Json config = run_at(scale, sweep).front();
    CHECK(config["workload"]["duration"] == "60s");
    CHECK(config["workload"]["requests"] == 3'000'000);
  }
  CHECK(run_at("small", sweep).front()["run"]["replications"] == 3);
}

TEST_CASE("however small, a sweep has one request and one replication left") {
  const Json config = run_at("small", sweep_of({{"requests", 20}}, 1)).front();
  CHECK(config["workload"]["requests"] == 1);
  CHECK(config["run"]["replications"] == 1);
}

TEST_CASE("the requests of an axis are scaled, too") {
  Json sweep = sweep_of(Json::object(), 2);
  sweep["grid"] = {{"/workload/requests", {3000, 6000}}};
  const std::vector<Json> configs = run_at("small", sweep);
  CHECK(configs[0]["workload"]["requests"] == 100);
  CHECK(configs[1]["workload"]["requests"] == 200);
}

TEST_CASE("a sweep says its factor, in the table and in merged files, but not at full scale") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_of({{"requests", 3000}}, 4).dump());
  const std::string out = scratch.path("points.jsonl");
  const std::string factor = "a thirtieth of the requests, half of the replications";
  REQUIRE(shell({"sweep", sweep, "--scale", "small", "--out", out}) == ExitCode::fine);
  CHECK(shell.out.find(factor) != std::string::npos);
  REQUIRE(shell({"merge", out}) == ExitCode::fine);
  CHECK(shell.out.find(factor) != std::string::npos);
  REQUIRE(shell({"sweep", sweep}) == ExitCode::fine);
  CHECK(shell.out.find("scale") == std::string::npos);
}

TEST_CASE("operations on pages are scaled like requests, and what warms caches up is not") {
  const auto document = [](const char* more) {
    return sim::config::Document::parse(
        std::string(R"({"system": "nfs", "workload": {"benchmark": "drbh", "warm_up": "10k")") +
            more + "}}",
        "test");
  };
  const ModelEngine engine;
  sim::config::Document config = document(R"(, "operations": "3M")");
  rescale(config, *engine.prepare(config), *model::experiment::find_scale("small"));
  const Json workload = engine.prepare(config)->effective().at("workload");
  CHECK(workload.at("operations") == 100'000);
  CHECK(workload.at("warm_up") == 10'000);
}

TEST_CASE("a point file goes on at its own scale only") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_of({{"requests", 3000}}, 4).dump());
  const std::string out = scratch.path("points.jsonl");
  REQUIRE(shell({"sweep", sweep, "--scale", "small", "--out", out}) == ExitCode::fine);
  CHECK(shell({"sweep", sweep, "--out", out, "--resume"}) == ExitCode::usage);
  const int before = shell.engine.runs;
  CHECK(shell({"sweep", sweep, "--scale", "small", "--out", out, "--resume"}) == ExitCode::fine);
  CHECK(shell.engine.runs == before);
}

TEST_CASE("a file may name its scale, and only one that there is") {
  const Scratch scratch;
  Shell shell;
  Json sweep = sweep_of({{"requests", 3000}}, 4);
  sweep["scale"] = "small";
  const std::string path = scratch.file("s.json", sweep.dump());
  REQUIRE(shell({"sweep", path, "--json"}) == ExitCode::fine);
  CHECK(shell.engine.runs == 4);
  sweep["scale"] = "tiny";
  CHECK(shell({"sweep", scratch.file("t.json", sweep.dump())}) == ExitCode::usage);
  CHECK(shell({"sweep", path, "--scale", "tiny"}) == ExitCode::usage);
  CHECK(shell.err.find("small, full or paper") != std::string::npos);
}

TEST_CASE("what is scaled are the requests, not the operations that a rotation replays") {
  const ModelEngine engine;
  sim::config::Document config = sim::config::Document::parse(
      R"({"system": "nocache", "run": {"method": "rotation"}, "workload": {"files": 1000}})", "t");
  const auto run = engine.prepare(config);
  CHECK(run->operations() > run->requests());
  model::experiment::rescale(config, *run, *model::experiment::find_scale("small"));
  const auto small = engine.prepare(config);
  CHECK(small->requests() == 100'000);
  CHECK(small->replications() == 3);
}

}  // namespace
}  // namespace recirc::app
