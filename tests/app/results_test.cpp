#include <nlohmann/json.hpp>

#include "catch.h"
#include "fake_engine.h"
#include "model/experiment/result_document.h"
#include "model/experiment/rounding.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using sim::ExitCode;

TEST_CASE("a result holds configuration, provenance, means, intervals and every replication") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  REQUIRE(shell({"run", config, "--json", "--set", "/servers=32"}) == ExitCode::fine);
  const Json result = Json::parse(shell.out);
  CHECK(result.at("config").at("servers") == 32);
  CHECK(result.at("provenance").at("/zipf") == "paper: fake");
  CHECK(result.at("revision") == "f00d");
  CHECK(result.at("seed") == 1);
  CHECK(result.at("replications").size() == 3);
  // Replications give 64000, 64285.7 and 64571.4: mean 64285.7, half-width t(2) s / sqrt(3).
  CHECK(result.at("summary").at("throughput_ops_per_s") == 64285.7143);
  CHECK(result.at("interval95").at("throughput_ops_per_s").get<double>() ==
        Approx(4.30265 * 285.714286 / std::sqrt(3.0)).epsilon(1e-5));
  CHECK(result.at("summary").at("operations").at("stat").at("count") == 601.0);
  CHECK(result.at("replications")[1].at("summary").at("operations").at("stat").at("count") == 601);
  CHECK(result.at("summary").at("client_limited") == false);
  CHECK(result.at("phases")[0].at("name") == "steady");
  CHECK(result.at("histograms").at("latency").at("count") == 3);
  CHECK(result.at("series").at("completions").at("values")[0][0] == 0.333333333);
}

TEST_CASE("a kind of operation that a replication has not counts as none there") {
  using Kind = model::Figure::Kind;
  const std::vector<std::vector<model::Figure>> replications{
      {{"operations/rmdir/count", 3, Kind::count}, {"operations/rmdir/latency_mean_us", 8}},
      {},
      {}};
  const auto estimates = model::experiment::reduce(replications);
  REQUIRE(estimates.size() == 2);
  CHECK(estimates[0].interval.mean == 1);
  CHECK(estimates[0].interval.observations == 3);
  CHECK(estimates[1].interval.mean == 8);
  CHECK(estimates[1].interval.observations == 1);
}

TEST_CASE("a single replication has no interval") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  REQUIRE(shell({"run", config, "--json", "--set", "/run/replications=1"}) == ExitCode::fine);
  CHECK(Json::parse(shell.out).at("interval95").at("throughput_ops_per_s").is_null());
}

TEST_CASE("one thread and four give the same bytes") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  REQUIRE(shell({"run", config, "--json", "--jobs", "1", "--set", "/run/replications=40"}) ==
          ExitCode::fine);
  const std::string one = shell.out;
  REQUIRE(shell({"run", config, "--json", "--jobs", "4", "--set", "/run/replications=40"}) ==
          ExitCode::fine);
  CHECK(shell.out == one);
}

TEST_CASE("a result file can be run again and gives itself") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "fast", "servers": 5})");
  REQUIRE(shell({"run", config, "--out", scratch.path("r.json")}) == ExitCode::fine);
  REQUIRE(shell({"run", scratch.path("r.json"), "--out", scratch.path("again.json")}) ==
          ExitCode::fine);
  CHECK(read_text(scratch.path("r.json")) == read_text(scratch.path("again.json")));
}

TEST_CASE("host times stand in a block of their own, and only when asked for") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  REQUIRE(shell({"run", config, "--json"}) == ExitCode::fine);
  CHECK_FALSE(Json::parse(shell.out).contains("host"));
  REQUIRE(shell({"run", config, "--json", "--host-stats"}) == ExitCode::fine);
  CHECK(Json::parse(shell.out).at("host").contains("seconds"));
}

TEST_CASE("figures survive the way to JSON and back") {
  using Kind = model::Figure::Kind;
  const std::vector<model::Figure> figures{{"a/b", 1.5, Kind::real},
                                           {"a/c", 4, Kind::count},
                                           {"d", 1, Kind::flag},
                                           {"e", 7, Kind::real}};
  const auto back = model::experiment::figures_of(
      Json::parse(model::experiment::figures_document(figures).dump()));
  REQUIRE(back.size() == figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i) {
    CHECK(back[i].name == figures[i].name);
    CHECK(back[i].value == figures[i].value);
    CHECK(back[i].kind == figures[i].kind);
  }
}

TEST_CASE("two figures of one name are a broken invariant, not a lost figure") {
  const std::vector<model::Figure> twice{{"a", 1, {}}, {"a", 2, {}}};
  const std::vector<model::Figure> nested{{"a", 1, {}}, {"a/b", 2, {}}};
  CHECK_THROWS_AS(model::experiment::figures_document(twice), sim::InvariantBroken);
  CHECK_THROWS_AS(model::experiment::figures_document(nested), sim::InvariantBroken);
}

TEST_CASE("nine significant digits are kept") {
  CHECK(model::experiment::nine_digits(1.0 / 3) == 0.333333333);
  CHECK(model::experiment::nine_digits(123456789012.0) == 123456789000.0);
  CHECK(model::experiment::nine_digits(-2e-300 / 3) == -6.66666667e-301);
  CHECK(model::experiment::nine_digits(0) == 0);
}

}  // namespace
}  // namespace recirc::app
