#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/model_engine.h"
#include "catch.h"
#include "fake_engine.h"
#include "model/experiment/jobs.h"
#include "model/experiment/saturate.h"
#include "model/metrics_catalogue.h"
#include "model/page_systems.h"
#include "model/systems.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using sim::ExitCode;

/// The command line with the real model.
struct Program {
  ExitCode operator()(const std::vector<std::string>& words) {
    std::ostringstream out_stream;
    std::ostringstream err_stream;
    model::RunControl control;
    Environment environment{out_stream, err_stream, engine, false, false, control};
    const ExitCode code = run_command_line(words, environment);
    out = out_stream.str();
    err = err_stream.str();
    return code;
  }
  ModelEngine engine;
  std::string out;
  std::string err;
};

std::string shipped(const std::string& name) {
  std::ostringstream path;
  path << RECIRC_ROOT << "/configs/" << name;
  return path.str();
}

std::string small(const std::string& system) {
  return R"({"system": ")" + system +
         R"(", "workload": {"requests": 20000, "files": 100000},
           "cluster": {"servers": 2}, "run": {"replications": 2}})";
}

/// Configurations that report all figures between them.
std::vector<sim::config::Document> configs_with_all_figures() {
  std::vector<sim::config::Document> configs;
  for (const std::string_view system : model::system_names()) {
    const auto plain = sim::config::Document::parse(small(std::string(system)), "x");
    configs.push_back(plain);
    if (system == "netcache") continue;  // knows no faults
    configs.push_back(plain);
    configs.back().set("/faults/client_links/loss=0.01");
    configs.back().set("/client/retransmit/timeout=20ms");
  }
  configs.push_back(configs.front());
  configs.back().set("/run/method=rotation");
  configs.push_back(sim::config::Document::parse(small("fletch"), "x"));
  configs.back().set("/cache/key_bits=20");
  configs.back().set("/client/unknown_token=none");  // now clients keep tokens
  configs.push_back(sim::config::Document::parse(small("fletch"), "x"));
  configs.back().set("/switch/server_pipes=2");
  configs.push_back(sim::config::Document::parse(small("fletch"), "x"));
  configs.back().set("/cache/write=back");
  configs.push_back(sim::config::Document::parse(small("fletch"), "x"));
  configs.back().set("/client/retransmit/timeout=20ms");
  configs.back().set(
      R"(/faults/crashes=[{"component": "server", "at": "10ms", "down_for": "1ms"},
                          {"component": "controller", "at": "100ms", "down_for": "1ms"},
                          {"component": "switch", "at": "300ms", "down_for": "1ms"}])");
  for (const std::string_view system : model::page_system_names()) {
    configs.push_back(sim::config::Document::parse(
        R"({"system": ")" + std::string(system) +
            R"(", "workload": {"benchmark": "drwom", "operations": 1000}})",
        "x"));
  }
  configs.push_back(sim::config::Document::parse(
      R"({"system": "callosal", "workload": {"benchmark": "dwoh", "operations": 100}})", "x"));
  configs.push_back(sim::config::Document::parse(
      R"({"system": "ext4", "workload": {"benchmark": "dwal", "operations": 100}})", "x"));
  configs.push_back(sim::config::Document::parse(
      R"({"system": "callosal", "workload": {"benchmark": "drwom", "operations": 100},
          "verify": {"linearizable": true, "swmr": true},
          "callosal": {"faults": {"node_links": {"delay": "1us"}}}})",
      "x"));
  return configs;
}

TEST_CASE("every figure of a run is in the catalogue, and the reverse") {
  const ModelEngine engine;
  std::vector<sim::config::Document> configs = configs_with_all_figures();
  std::vector<std::shared_ptr<const model::experiment::PreparedRun>> runs;
  for (const sim::config::Document& config : configs) runs.push_back(engine.prepare(config));
  configs.front().set("/workload/requests=1000");
  runs.push_back(model::experiment::saturation_of(configs.front(), {}, engine));
  std::set<std::string_view> seen;
  for (const auto& run : runs) {
    model::RunControl control;
    const model::ReplicationResult result = run->run(0, control, {});
    for (const model::Figure& figure : result.summary) {
      const model::Metric* metric = model::find_metric(figure.name);
      INFO(figure.name);
      REQUIRE(metric != nullptr);
      CHECK(metric->kind == figure.kind);
      seen.insert(metric->name);
    }
    for (const model::PhaseResult& phase : result.phases) {
      for (const model::Figure& figure : phase.figures) {
        const auto known = model::phase_metrics();
        INFO(phase.name << "/" << figure.name);
        CHECK(std::find(known.begin(), known.end(), figure.name) != known.end());
      }
    }
  }
  for (const model::Metric& metric : model::metrics()) {
    INFO(metric.name);
    CHECK(seen.count(metric.name) == 1);
  }
}

TEST_CASE("every system's summary has the figures that other tools rely on") {
  const Scratch scratch;
  Program program;
  for (const std::string_view system : model::system_names()) {
    REQUIRE(program({"run", scratch.file("a.json", small(std::string(system))), "--json"}) ==
            ExitCode::fine);
    const Json summary = Json::parse(program.out).at("summary");
    for (const char* name :
         {"throughput_ops_per_s", "latency_mean_us", "latency_p50_us", "latency_p95_us",
          "latency_p99_us", "latency_p999_us", "latency_max_us", "recirculations_per_op",
          "switch_hit_ratio", "server_share_max", "ops_issued", "ops_completed", "ops_failed",
          "ops_denied", "locks_leaked", "client_limited", "events"}) {
      INFO(system << " " << name);
      CHECK(summary.contains(name));
    }
  }
}

TEST_CASE("the program gives the same bytes on one thread and on two") {
  const Scratch scratch;
  Program program;
  const std::string config = scratch.file("a.json", small("fletch"));
  REQUIRE(program({"run", config, "--json", "--jobs", "1"}) == ExitCode::fine);
  const std::string one = program.out;
  REQUIRE(program({"run", config, "--json", "--jobs", "2"}) == ExitCode::fine);
  CHECK(program.out == one);
}

TEST_CASE("what --print writes is a configuration that prints itself") {
  const Scratch scratch;
  Program program;
  const std::string config = scratch.file("a.json", "// short\n{\"system\": \"fletch\"}");
  REQUIRE(program({"check", config, "--print"}) == ExitCode::fine);
  const std::string printed = program.out;
  REQUIRE(program({"check", scratch.file("b.json", printed), "--print"}) == ExitCode::fine);
  CHECK(program.out == printed);
}

TEST_CASE("check reports every file, and the exit code is that of the first bad one") {
  const Scratch scratch;
  Program program;
  const std::string good = scratch.file("good.json", small("nocache"));
  const std::string bad = scratch.file("bad.json", R"({"system": "nocach", "x": 1})");
  const std::string sweep =
      scratch.file("s.json", R"({"base": "good.json", "grid": {"/cluster/servers": [2, 4]}})");
  const std::string trace = shipped("traces/hdfs_audit_synthetic.log");
  CHECK(program({"check", good, sweep, trace, "--json"}) == ExitCode::fine);
  const Json found = Json::parse(program.out);
  CHECK(found[0].at("kind") == "config");
  CHECK(found[1].at("kind") == "sweep");
  CHECK(found[1].at("facts").at("points") == 2);
  CHECK(found[2].at("kind") == "trace");
  CHECK(program({"check", bad, good, scratch.path("missing.json")}) == ExitCode::usage);
  CHECK(program.err.find("nocache") != std::string::npos);
  CHECK(program({"check", scratch.path("missing.json")}) == ExitCode::input_output);
}

TEST_CASE("a log lies beside the sweep that names it") {
  const Scratch scratch;
  Program program;
  scratch.file("a.csv", "0,stat,/a\n");
  scratch.file("b.csv", "0,stat,/a\n1,stat,/b\n");
  const std::string base = R"({"system": "nocache", "workload": {"trace": {"file": "a.csv"}}})";
  const std::string axis = R"("/workload/trace/file": ["a.csv", "b.csv"])";
  CHECK(program(
            {"check", scratch.file("s.json", R"({"base": )" + base +
                                                 R"(, "grid": {"/cluster/servers": [1, 2]}})")}) ==
        ExitCode::fine);
  REQUIRE(program({"check", "--json",
                   scratch.file("t.json", R"({"base": )" + base + R"(, "grid": {)" + axis +
                                              R"(}, "baseline": {"/workload/trace/file": "a.csv"},
                    "replications": 1})")}) == ExitCode::fine);
  CHECK(Json::parse(program.out)[0].at("facts").at("operations") == 3);
}

TEST_CASE(
    "a log is found from the file that names it, and its result repeats the path as written") {
  const Scratch scratch;
  Program program;
  std::filesystem::create_directories(scratch.path("p/configs"));
  std::filesystem::create_directories(scratch.path("p/results/x"));
  scratch.file("p/logs.csv", "0,stat,/a\n");
  const auto config = [](const std::string& log) {
    return R"({"system": "nocache", "run": {"replications": 1}, "workload": {"trace": {"file": ")" +
           log + "\"}}}";
  };
  const std::string file = scratch.file("p/configs/a.json", config("logs.csv"));
  const std::string result = scratch.path("p/results/x/r.json");
  REQUIRE(program({"run", file, "--out", result}) == ExitCode::fine);
  const std::string wanted = read_text(result);
  CHECK(Json::parse(wanted)["config"]["workload"]["trace"]["file"] == "logs.csv");
  REQUIRE(program({"run", result, "--json"}) == ExitCode::fine);
  CHECK(program.out == wanted);
  CHECK(program({"trace", file, "--ops", "0"}) == ExitCode::fine);

  // The nearest one counts; an override is no word of the file's, so not looked for beside it.
  scratch.file("p/configs/logs.csv", "0,stat,/a\n1,stat,/a\n");
  REQUIRE(program({"run", file, "--json"}) == ExitCode::fine);
  CHECK(Json::parse(program.out)["summary"]["ops_issued"] == 2);
  CHECK(program({"run", file, "--set", "/workload/trace/file=logs.csv"}) == ExitCode::input_output);
  CHECK(program({"run", file, "--set", "/workload/trace={\"file\": \"logs.csv\"}"}) ==
        ExitCode::input_output);
  CHECK(program.err.find("cannot find the log 'logs.csv'") != std::string::npos);
}

TEST_CASE(
    "contradictory settings are found even at their defaults, but not where all are written") {
  const Scratch scratch;
  Program program;
  const auto check = [&](const std::string& text, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"check", scratch.file("a.json", text)});
    return program(more);
  };
  const std::string log = scratch.file("a.csv", "0,stat,/a\n");
  const std::string trace = R"("trace": {"file": ")" + log + "\"}";
  const std::string shared = R"({"system": "fletch", "cache": {"share": 0.1}})";
  CHECK(check(shared) == ExitCode::fine);
  CHECK(check(shared, {"--set", "/cache/files=5000"}) == ExitCode::usage);
  CHECK(program.err.find("/cache/share") != std::string::npos);
  CHECK(check(R"({"system": "fletch", "workload": {"mix": "linkedin", "zipf": 0.9, )" + trace +
              "}}") == ExitCode::usage);
  CHECK(program.err.find("/workload/mix") != std::string::npos);
  CHECK(program.err.find("/workload/zipf") != std::string::npos);

  REQUIRE(check(R"({"system": "fletch", "cache": {"share": 0.1}, "workload": {)" + trace + "}}",
                {"--print"}) == ExitCode::fine);
  const std::string effective = program.out;
  CHECK(check(effective) == ExitCode::fine);
  CHECK(check(effective, {"--set", "/workload/mix=thumb"}) == ExitCode::usage);
}

TEST_CASE("check goes by a file's name, then by how it begins") {
  const Scratch scratch;
  Program program;
  CHECK(program({"check", scratch.file("a.json", "[1]")}) == ExitCode::usage);
  CHECK(program({"check", scratch.file("b.json", "")}) == ExitCode::usage);
  CHECK(program({"check", scratch.file("c", " {\"system\": \"nocache\"}")}) == ExitCode::fine);
  CHECK(program({"check", scratch.file("d.csv",
                                       "\xef\xbb\xbf"
                                       "0,stat,/a\n")}) == ExitCode::fine);
}

TEST_CASE("check finds what no run could be built from") {
  const Scratch scratch;
  Program program;
  const std::string config = scratch.file("a.json", small("fletch"));
  CHECK(program({"check", config, "--set", "/network/client_rate=400Gbps", "--set",
                 "/cluster/servers=4096", "--set", "/cluster/ring/vnodes=10000"}) ==
        ExitCode::usage);
  CHECK(program.err.find("/network/client_rate") != std::string::npos);
  CHECK(program.err.find("/cluster/ring/vnodes") != std::string::npos);
}

TEST_CASE("check refuses what run would refuse before it simulates, with the same exit code") {
  const Scratch scratch;
  Program program;
  const std::string config = scratch.file("a.json", small("fletch"));
  const auto both = [&](std::vector<std::string> words, ExitCode code, const char* why) {
    words.insert(words.begin(), {"run", config, "--quiet"});
    CHECK(program(words) == code);
    CHECK(program.err.find(why) != std::string::npos);
    words.erase(words.begin() + 2);
    words.front() = "check";
    CHECK(program(words) == code);
    CHECK(program.err.find(why) != std::string::npos);
  };
  both({"--set", "/cache/layout=prototype", "--set", "/cache/lock=write_pending"},
       ExitCode::constraint_violation, "does not fit");
  both({"--set", R"(/workload/popularity={"kind": "cached_paths", "depth": 12})"}, ExitCode::usage,
       "no cached path is at depth 12");
}

TEST_CASE("repetitions that come before any answer can are refused") {
  const Scratch scratch;
  Program program;
  const std::string config = scratch.file("a.json", small("ccache"));
  const auto refused = [&](const char* assignment, const char* pointer) {
    CHECK(program({"check", config, "--set", assignment}) == ExitCode::usage);
    CHECK(program.err.find(pointer) != std::string::npos);
  };
  refused("/client/retransmit/timeout=10us", "/client/retransmit/timeout: is over before");
  refused("/client_cache/announcement_cost=800", "/client_cache/announce_again: is over before");
}

TEST_CASE("check names the first points of a sweep that no run could be built from") {
  const Scratch scratch;
  Program program;
  const std::string sweep = scratch.file(
      "s.json", R"({"base": )" + small("fletch") +
                    R"(, "grid": {"/cache/lock": ["reader_preferring", "write_pending"],
                                  "/cache/layout": ["paper", "prototype"]}})");
  CHECK(program({"check", sweep}) == ExitCode::constraint_violation);
  CHECK(program.err.find(R"([at /cache/lock="write_pending", /cache/layout="prototype"])") !=
        std::string::npos);
  CHECK(program.err.find("more of the") == std::string::npos);
  const std::string seven =
      scratch.file("t.json", R"({"base": )" + small("fletch") +
                                 R"(, "grid": {"/cache/lock": ["write_pending"],
                                  "/cache/layout": ["paper", "prototype"],
                                  "/cache/threshold": [3, 4, 5, 6, 7, 8, 9]}})");
  CHECK(program({"check", seven}) == ExitCode::constraint_violation);
  CHECK(program.err.find("/cache/threshold=7]") != std::string::npos);
  CHECK(program.err.find("/cache/threshold=8]") == std::string::npos);
  CHECK(program.err.find("2 more of the 14 points cannot be run") != std::string::npos);
}

TEST_CASE("all shipped configurations pass check") {
  Program program;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shipped(""))) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path().string());
    CHECK(program({"check", entry.path().string()}) == ExitCode::fine);
    ++files;
  }
  CHECK(files >= 10);
}

TEST_CASE("trace walks with the operations named and refuses those that are not there") {
  const Scratch scratch;
  Program program;
  const std::string config = scratch.file("a.json", small("fletch"));
  REQUIRE(program({"trace", config, "--ops", "17,40-41", "--json"}) == ExitCode::fine);
  std::set<std::uint64_t> operations;
  for (const Json& step : Json::parse(program.out)) {
    operations.insert(step.at("operation").get<std::uint64_t>());
  }
  CHECK(operations == std::set<std::uint64_t>{17, 40, 41});
  for (const char* list : {"", "x", "1-", "5-3", "20000", "1,,2", "-1", "0-19999"}) {
    INFO(list);
    CHECK(program({"trace", config, "--ops", list}) == ExitCode::usage);
  }
  CHECK(program({"trace", config}) == ExitCode::usage);
  CHECK(program({"trace", config, "--ops", "1", "--replication", "1"}) == ExitCode::fine);
  for (const char* replication : {"2", "-1", "x", ""}) {
    CHECK(program({"trace", config, "--ops", "1", "--replication", replication}) ==
          ExitCode::usage);
    CHECK(program.err.find("--replication takes a number from 0 to 1") != std::string::npos);
  }
}

TEST_CASE("lists, schemas and generated pages can be had of everything that is offered") {
  Program program;
  for (const char* what : {"systems", "mixes", "chips", "commands", "metrics"}) {
    CHECK(program({"list", what}) == ExitCode::fine);
    CHECK(program({"list", what, "--json"}) == ExitCode::fine);
    CHECK_FALSE(Json::parse(program.out).empty());
  }
  for (const char* what : {"any", "config", "sweep", "chip", "program"}) {
    CHECK(program({"schema", what}) == ExitCode::fine);
    CHECK(Json::parse(program.out).is_object());
  }
  CHECK(program({"docs", "config"}) == ExitCode::fine);
  CHECK(program({"docs", "metrics"}) == ExitCode::fine);
  CHECK(program({"list", "mixs"}) == ExitCode::usage);
  CHECK(program({"schema", "nothing"}) == ExitCode::usage);
}

TEST_CASE("rmt report shows what a program uses of its chip") {
  const Scratch scratch;
  Program program;
  REQUIRE(program({"rmt", "report", scratch.file("a.json", R"({"system": "fletch"})")}) ==
          ExitCode::fine);
  CHECK(program.out.find("stateful ALUs") != std::string::npos);
  CHECK(program({"rmt", "repot", "x"}) == ExitCode::usage);
}

}  // namespace
}  // namespace recirc::app
