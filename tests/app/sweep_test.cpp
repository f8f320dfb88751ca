#include <nlohmann/json.hpp>

#include "catch.h"
#include "fake_engine.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using sim::ExitCode;

constexpr const char* sweep_text = R"({
  "base": {"system": "slow"},
  "grid": {"/system": ["slow", "fast"], "/servers": [16, 128]},
  "replications": 3,
  "baseline": {"/system": "slow"}
})";

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_CASE("a sweep runs the product of its axes and compares with its baseline") {
  const Scratch scratch;
  Shell shell;
  REQUIRE(shell({"sweep", scratch.file("s.json", sweep_text), "--json"}) == ExitCode::fine);
  const Json result = Json::parse(shell.out);
  CHECK(shell.engine.runs == 12);
  REQUIRE(result.at("points").size() == 4);
  CHECK(result.at("complete") == true);
  CHECK(result["points"][3]["point"] == Json{{"/system", "fast"}, {"/servers", 128}});
  CHECK_FALSE(result["points"][0].contains("gains"));
  CHECK(result["points"][3]["gains"]["throughput_ops_per_s"]["gain"] == 1.0);
}

TEST_CASE("settings of all points go into the base, and are no axes") {
  const Scratch scratch;
  Shell shell;
  Json sweep = Json::parse(sweep_text);
  sweep["set"] = {{"/zipf", 1.5}, {"/run/seed", 7}};
  REQUIRE(shell({"sweep", scratch.file("s.json", sweep.dump()), "--json"}) == ExitCode::fine);
  const Json result = Json::parse(shell.out);
  for (const Json& point : result.at("points")) {
    CHECK(point["config"]["zipf"] == 1.5);
    CHECK(point["seed"] == 7);
    CHECK_FALSE(point["point"].contains("/zipf"));
  }
  sweep["set"] = {{"/servers", 3}, {"zipf", 1}, {"/zipff", 1}};
  CHECK(shell({"sweep", scratch.file("s.json", sweep.dump())}) == ExitCode::usage);
  CHECK(shell.err.find("/set/~1servers") != std::string::npos);
  CHECK(shell.err.find("/set/zipf") != std::string::npos);
}

TEST_CASE("the points of a sweep keep their series, in point files and when merged") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  const std::string out = scratch.path("points.jsonl");
  REQUIRE(shell({"sweep", sweep, "--out", out, "--json"}) == ExitCode::fine);
  const Json series = Json::parse(shell.out)["points"][0]["series"]["completions"];
  CHECK(series["window_s"] == 0.1);
  REQUIRE(series["values"].size() == 3);
  CHECK(series["values"][2] == Json({0.333333333, 0.285714286}));
  REQUIRE(shell({"merge", out, "--json"}) == ExitCode::fine);
  CHECK(Json::parse(shell.out)["points"][0]["series"]["completions"] == series);
}

TEST_CASE("excluded points are not run") {
  const Scratch scratch;
  Shell shell;
  Json sweep = Json::parse(sweep_text);
  sweep["exclude"] = Json::parse(R"([{"/system": ["slow"], "/servers": [16]}])");
  REQUIRE(shell({"sweep", scratch.file("s.json", sweep.dump()), "--json"}) == ExitCode::fine);
  CHECK(Json::parse(shell.out).at("points").size() == 3);
  sweep["exclude"] = Json::parse(R"([{"/system": ["slow", "fast"]}])");
  CHECK(shell({"sweep", scratch.file("s.json", sweep.dump())}) == ExitCode::usage);
}

TEST_CASE("the mistakes of a sweep are reported together") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", R"({
    "base": {"system": "slow", "zipff": 1},
    "grid": {"servers": [16], "/zipf": [], "/system": ["slow", "slow"]},
    "baseline": {"/zipf": 3}, "exclude": [{"/nothing": [1]}]})");
  CHECK(shell({"sweep", sweep}) == ExitCode::usage);
  for (const char* part :
       {"/servers", "/grid/~1zipf", "/grid/~1system", "/baseline/~1zipf", "/exclude/0/~1nothing"}) {
    CHECK(shell.err.find(part) != std::string::npos);
  }
}

TEST_CASE("a mistake of the base is said once, one of a point names the point") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", R"({
    "base": {"system": "slow", "zipff": 1}, "grid": {"/servers": [16, 0, 17]}})");
  CHECK(shell({"sweep", sweep}) == ExitCode::usage);
  const std::size_t first = shell.err.find("/zipff");
  REQUIRE(first != std::string::npos);
  CHECK(shell.err.find("/zipff", first + 1) == std::string::npos);
  CHECK(shell.err.find("/servers=0") != std::string::npos);
  CHECK(shell.engine.runs == 0);
}

TEST_CASE("a killed sweep goes on where it was: the torn line again, the others not") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  const std::string out = scratch.path("points.jsonl");
  REQUIRE(shell({"sweep", sweep, "--out", out, "--jobs", "1", "--json"}) == ExitCode::fine);
  const std::string whole = read_text(out);
  const std::string table = shell.out;
  CHECK(lines_of(whole) == 13);
  // Cut at every kind of place: in the header, at its end, in and at the end of later lines.
  std::vector<std::size_t> cuts{0, 10, whole.find('\n') + 1, whole.size() - 1, whole.size()};
  cuts.push_back(whole.find('\n', whole.find('\n') + 1) + 7);
  for (const std::size_t cut : cuts) {
    const std::string part = scratch.file("part.jsonl", whole.substr(0, cut));
    shell.engine.runs = 0;
    REQUIRE(shell({"sweep", sweep, "--out", part, "--resume", "--jobs", "1", "--json"}) ==
            ExitCode::fine);
    CHECK(read_text(part) == whole);
    CHECK(shell.out == table);
    const std::size_t kept = lines_of(whole.substr(0, cut));
    CHECK(shell.engine.runs == 12 - static_cast<int>(kept > 0 ? kept - 1 : 0));
  }
}

TEST_CASE("a point file that exists is not overwritten") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  const std::string out = scratch.file("points.jsonl", "precious");
  CHECK(shell({"sweep", sweep, "--out", out}) == ExitCode::usage);
  CHECK(shell.err.find("--resume") != std::string::npos);
  CHECK(shell({"sweep", sweep, "--out", out, "--resume"}) == ExitCode::usage);
  CHECK(read_text(out) == "precious");
  CHECK(shell.engine.runs == 0);
}

TEST_CASE("another grid's point file is exit code 2, more replications are not another grid") {
  const Scratch scratch;
  Shell shell;
  const std::string out = scratch.path("points.jsonl");
  const std::string sweep = scratch.file("s.json", sweep_text);
  REQUIRE(shell({"sweep", sweep, "--out", out}) == ExitCode::fine);
  Json other = Json::parse(sweep_text);
  other["grid"]["/servers"] = {16, 64};
  CHECK(shell({"sweep", scratch.file("o.json", other.dump()), "--out", out, "--resume"}) ==
        ExitCode::usage);
  Json more = Json::parse(sweep_text);
  more["replications"] = 4;
  shell.engine.runs = 0;
  CHECK(shell({"sweep", scratch.file("m.json", more.dump()), "--out", out, "--resume"}) ==
        ExitCode::fine);
  CHECK(shell.engine.runs == 4);
}

TEST_CASE("points of another build are run again") {
  const Scratch scratch;
  Shell shell;
  const std::string out = scratch.path("points.jsonl");
  const std::string sweep = scratch.file("s.json", sweep_text);
  REQUIRE(shell({"sweep", sweep, "--out", out}) == ExitCode::fine);
  shell.engine.build = "beef";
  shell.engine.runs = 0;
  REQUIRE(shell({"sweep", sweep, "--out", out, "--resume"}) == ExitCode::fine);
  CHECK(shell.engine.runs == 12);
}

TEST_CASE("an interrupted sweep keeps its finished points and exits with 130") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", R"({
    "base": {"system": "slow"}, "grid": {"/system": ["slow", "interrupting", "fast"]}})");
  const std::string out = scratch.path("points.jsonl");
  CHECK(shell({"sweep", sweep, "--out", out, "--jobs", "1"}) == ExitCode::interrupted);
  CHECK(lines_of(read_text(out)) == 5);  // header, three slow ones, one of "interrupting"
}

TEST_CASE("parts of a sweep merge to the file of the whole") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  const auto sweep_to = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words{"sweep", sweep, "--jobs", "1", "--out", scratch.path(name)};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(shell(words) == ExitCode::fine);
  };
  sweep_to("all", {});
  const std::string table = shell.out;
  sweep_to("one", {"--part", "1/2"});
  sweep_to("two", {"--part", "2/2"});
  REQUIRE(shell({"merge", scratch.path("two"), scratch.path("one"), "--out",
                 scratch.path("merged")}) == ExitCode::fine);
  CHECK(read_text(scratch.path("merged")) == read_text(scratch.path("all")));
  CHECK(shell.out == table);
}

TEST_CASE("a merged sweep is complete when it holds every replication of every point") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  REQUIRE(shell({"sweep", sweep, "--out", scratch.path("all"), "--json"}) == ExitCode::fine);
  const std::string whole = shell.out;
  REQUIRE(shell({"merge", scratch.path("all"), "--json"}) == ExitCode::fine);
  CHECK(shell.out == whole);
  const std::string text = read_text(scratch.path("all"));
  const std::string less = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
  REQUIRE(shell({"merge", scratch.file("less", less), "--json"}) == ExitCode::fine);
  CHECK(Json::parse(shell.out).at("complete") == false);
  REQUIRE(shell({"sweep", sweep, "--part", "1/2", "--out", scratch.path("half")}) ==
          ExitCode::fine);
  REQUIRE(shell({"merge", scratch.path("half"), "--json"}) == ExitCode::fine);
  CHECK(Json::parse(shell.out).at("complete") == false);
}

TEST_CASE("merge joins files that were to have different numbers of replications") {
  const Scratch scratch;
  Shell shell;
  Json sweep = Json::parse(sweep_text);
  REQUIRE(shell({"sweep", scratch.file("s.json", sweep.dump()), "--out", scratch.path("three")}) ==
          ExitCode::fine);
  sweep["replications"] = 4;
  REQUIRE(shell({"sweep", scratch.file("m.json", sweep.dump()), "--out", scratch.path("four"),
                 "--json"}) == ExitCode::fine);
  REQUIRE(shell({"merge", scratch.path("three"), scratch.path("four"), "--json"}) ==
          ExitCode::fine);
  const Json merged = Json::parse(shell.out);
  CHECK(merged.at("complete") == true);
  CHECK(merged.at("points")[0].at("replications") == 4);
}

TEST_CASE("merge finds contradictions, foreign grids and broken lines") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  REQUIRE(shell({"sweep", sweep, "--jobs", "1", "--out", scratch.path("a")}) == ExitCode::fine);
  std::string text = read_text(scratch.path("a"));
  CHECK(shell({"merge", scratch.path("a"), scratch.path("a")}) == ExitCode::fine);
  const std::size_t at = text.find("\"ops_completed\":1000");
  REQUIRE(at != std::string::npos);
  const std::string changed = std::string(text).replace(at + 16, 4, "1001");
  CHECK(shell({"merge", scratch.path("a"), scratch.file("b", changed)}) == ExitCode::input_output);
  const std::string broken = std::string(text).insert(text.find('\n') + 1, "{]\n");
  CHECK(shell({"merge", scratch.file("c", broken)}) == ExitCode::input_output);
  CHECK(shell.err.find("line 2") != std::string::npos);
  CHECK(shell({"merge", scratch.file("d", "{}\n")}) == ExitCode::usage);
}

TEST_CASE("the long table has a line a point and figure") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  REQUIRE(shell({"sweep", sweep, "--csv", scratch.path("t.csv")}) == ExitCode::fine);
  const std::string csv = read_text(scratch.path("t.csv"));
  CHECK(csv.rfind("/system,/servers,figure,mean,interval95,replications\n", 0) == 0);
  CHECK(csv.find("\nfast,128,ops_completed,1000,0,3\n") != std::string::npos);
  CHECK(csv.find("\nfast,128,gain/throughput_ops_per_s,1,") != std::string::npos);
}

TEST_CASE("one thread and four give the same table") {
  const Scratch scratch;
  Shell shell;
  const std::string sweep = scratch.file("s.json", sweep_text);
  REQUIRE(shell({"sweep", sweep, "--jobs", "1"}) == ExitCode::fine);
  const std::string one = shell.out;
  REQUIRE(shell({"sweep", sweep, "--jobs", "4"}) == ExitCode::fine);
  CHECK(shell.out == one);
}

}  // namespace
}  // namespace recirc::app
