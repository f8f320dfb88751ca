#include <nlohmann/json.hpp>

#include "catch.h"
#include "fake_engine.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using sim::ExitCode;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("every constant with a range is tried at both ends, and the change paired") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "slow"})");
  REQUIRE(shell({"sensitivity", config, "--json"}) == ExitCode::fine);
  CHECK(shell.engine.runs == 3 * 3);  // as it is, 8 and 64 servers
  const Json found = Json::parse(shell.out);
  const Json servers = found.at("constants")[0];
  CHECK(servers.at("pointer") == "/servers");
  CHECK(servers.at("ends")[0].at("value") == 8);
  const Json move = servers.at("ends")[0].at("moves")[0];
  CHECK(move.at("name") == "throughput_ops_per_s");
  CHECK(move.at("mean").get<double>() == Approx(-0.5).epsilon(0.02));
  CHECK(move.at("interval95").is_number());
}

TEST_CASE("the table names the end that was tried, and what is not varied, with the reason") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "slow"})");
  REQUIRE(shell({"sensitivity", config}) == ExitCode::fine);
  CHECK(contains(shell.out, "/servers"));
  CHECK(contains(shell.out, "64"));
  CHECK(contains(shell.out, "not varied: /zipf, assumed (any)"));
}

TEST_CASE("only what is asked for is varied; what is no assumption is exit code 2") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "slow"})");
  CHECK(shell({"sensitivity", config, "--only", "/servers"}) == ExitCode::fine);
  CHECK(shell({"sensitivity", config, "--only", "/run/seed"}) == ExitCode::usage);
  CHECK(shell({"sensitivity", "fake.no.such"}) == ExitCode::usage);
}

}  // namespace
}  // namespace recirc::app
