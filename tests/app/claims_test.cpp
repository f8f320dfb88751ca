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

Json operand(const std::string& system, const std::string& figure = "throughput_ops_per_s") {
  return {{"run", "main"}, {"figure", figure}, {"select", {{"/system", system}}}};
}

Json part(const Json& accept, const std::string& ours = "fast") {
  return {{"reduce", "gain"}, {"of", operand(ours)}, {"to", operand("slow")}, {"accept", accept}};
}

Json claim(const std::string& id, const Json& value, const Json& parts) {
  return {{"id", id},       {"statement", "Fast over slow"},
          {"unit", "%"},    {"value", value},
          {"parts", parts}, {"status", value.is_null() ? "withheld" : "given"}};
}

/// A world with a configuration, bindings of `claims` and a point file.
struct World {
  explicit World(const Json& claims, const Json& alternatives = Json::array()) {
    scratch.file("c.json", R"({"system": "slow", "workload": {"requests": 3000}})");
    const Json bindings = {
        {"system", "fast"},
        {"runs", Json::array({Json{{"name", "main"}, {"file", "c.json"}, {"replications", 6}}})},
        {"alternatives", alternatives},
        {"claims", claims}};
    file = scratch.file("claims.json", bindings.dump());
  }
  ExitCode run(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"claims", file, "--points", scratch.path("p.jsonl")};
    words.insert(words.end(), more.begin(), more.end());
    return shell(words);
  }
  Json result(std::vector<std::string> more = {}) {
    more.emplace_back("--json");
    run(more);
    return Json::parse(shell.out);
  }

  Scratch scratch;
  Shell shell;
  std::string file;
};

const Json hundred = {{"target", 100}, {"absolute", 5}};
const Json fifty = {{"target", 50}, {"absolute", 5}};

TEST_CASE("a claim's row has the paper's value, ours, the verdict and what was fitted to it") {
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)})),
                           claim("a.wrong", 50, Json::array({part(fifty)})),
                           claim("a.kept", nullptr, Json::array({part(Json::object())}))}));
  CHECK(world.run() == ExitCode::fine);
  CHECK(contains(world.shell.err, "scale small"));
  CHECK(contains(world.shell.err, "about"));
  const Json rows = world.result().at("claims");
  CHECK(rows[0].at("verdict") == "pass");
  CHECK(rows[0].at("parts")[0].at("mean") == Approx(100));
  CHECK(rows[0].at("parts")[0].at("accepted") == Json::array({95, 105}));
  CHECK(rows[0].at("fitted").empty());
  CHECK(rows[1].at("verdict") == "FAIL");
  CHECK(rows[2].at("verdict") == "-");
  CHECK(rows[2].at("parts")[0].at("mean") == Approx(100));
  CHECK_FALSE(rows[2].at("parts")[0].contains("accepted"));
}

TEST_CASE("strict is exit code 1 unless every given claim passes; a withheld one does not matter") {
  const Json right = claim("a.right", 100, Json::array({part(hundred)}));
  const Json kept = claim("a.kept", nullptr, Json::array({part(Json::object())}));
  CHECK(World(Json::array({right, kept})).run({"--strict"}) == ExitCode::fine);
  World wrong(Json::array({right, claim("a.wrong", 50, Json::array({part(fifty)}))}));
  CHECK(wrong.run({"--strict"}) == ExitCode::answer_is_no);
  CHECK(wrong.run({"--strict", "--only", "a.right"}) == ExitCode::fine);
  CHECK(wrong.run({"--strict", "--only", "a.r*"}) == ExitCode::fine);
  CHECK(wrong.run({"--strict", "--only", "a.*"}) == ExitCode::answer_is_no);
  CHECK(wrong.run({}) == ExitCode::fine);
}

TEST_CASE("what cannot be configured is not available, with the reason and no value") {
  Json other = part(hundred);
  other["of"]["select"]["/no_such_setting"] = 1;
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)})),
                           claim("a.gone", 1, Json::array({other}))}));
  const Json rows = world.result().at("claims");
  CHECK(rows[0].at("verdict") == "pass");
  CHECK(rows[1].at("verdict") == "not available");
  CHECK(contains(rows[1].at("parts")[0].at("why_not").get<std::string>(), "/no_such_setting"));
  CHECK_FALSE(rows[1].at("parts")[0].contains("mean"));
  CHECK(world.run({"--strict"}) == ExitCode::answer_is_no);
}

TEST_CASE("a setting that no run can take is a mistake; one that some can take is not") {
  Json other = part(hundred);
  other["of"]["select"]["/no_such_setting"] = 1;
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)}))}));
  CHECK(world.run({"--set", "/no_such_setting=1"}) == ExitCode::usage);
  CHECK(contains(world.shell.err, "/no_such_setting"));
  CHECK(world.run({"--set", "/servers=8"}) == ExitCode::fine);
  CHECK(world.run({"--set", "/servers=8"}) == ExitCode::fine);  // of finished runs
  World mixed(Json::array({claim("a.right", 100, Json::array({part(hundred)})),
                           claim("a.gone", 1, Json::array({other}))}));
  CHECK(mixed.run({"--set", "/servers=8"}) == ExitCode::fine);
}

TEST_CASE("a figure that runs do not have is not available rather than zero") {
  Json no_figure = part(hundred);
  no_figure["of"]["figure"] = "no_such_figure";
  World world(Json::array({claim("a.gone", 100, Json::array({no_figure}))}));
  CHECK(world.result().at("claims")[0].at("verdict") == "not available");
}

TEST_CASE("what is finished is not run again, whatever claim asks for it, and of this build only") {
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)})),
                           claim("a.again", 100, Json::array({part(hundred)}))}));
  world.run();
  CHECK(world.shell.engine.runs == 6);  // two systems, half of six replications, once
  world.run();
  CHECK(world.shell.engine.runs == 6);
  world.run({"--scale", "full"});
  CHECK(world.shell.engine.runs == 6 + 12);
  world.shell.engine.build = "beef";
  world.run();
  CHECK(world.shell.engine.runs == 6 + 12 + 6);
}

TEST_CASE("an interrupted run keeps what was finished and says which claims lack it") {
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)})),
                           claim("a.cut", 100, Json::array({part(hundred, "interrupting")}))}));
  CHECK(world.run({"--jobs", "1"}) == ExitCode::interrupted);
  CHECK(contains(world.shell.out, "not finished"));
}

TEST_CASE("a scale changes requests and replications and nothing else") {
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)}))}));
  world.run();
  const std::string points = read_text(world.scratch.path("p.jsonl"));
  CHECK(contains(points, R"("requests":100,)"));
  CHECK(contains(points, R"("servers":16)"));
  CHECK(world.result().at("requests_over") == 30);
  CHECK(world.run({"--scale", "smal"}) == ExitCode::usage);
}

TEST_CASE("variations are combined as the part says") {
  const Json several = {{"of", operand("slow")},
                        {"over", Json::array({Json{{"select", Json{{"/servers", 8}}}},
                                              Json{{"select", Json{{"/servers", 32}}}}})},
                        {"combine", "most"},
                        {"times", 0.001},
                        {"accept", {{"target", 32}, {"absolute", 1}}}};
  World world(Json::array({claim("a.most", 32, Json::array({several}))}));
  const Json row = world.result().at("claims")[0];
  CHECK(row.at("verdict") == "pass");
  CHECK(row.at("parts")[0].at("mean") == Approx(32 + 1.0 / 7));
}

TEST_CASE("alternatives show all rows under settings of the system that the claims are about") {
  const Json other = {{"name", "doubled"}, {"set", {{"/servers", 32}}}, {"fitted", {"a.gain"}}};
  const Json slow = {{"of", operand("slow")}, {"accept", {{"least", 1}}}};
  World world(Json::array({claim("a.gain", 100, Json::array({part(hundred)})),
                           claim("a.slow", 1, Json::array({slow}))}),
              Json::array({other}));
  const Json result = world.result();
  CHECK(result.at("claims")[0].at("verdict") == "pass");
  const Json changed = result.at("alternatives")[0];
  CHECK(changed.at("claims")[0].at("verdict") == "FAIL");
  CHECK(changed.at("claims")[0].at("parts")[0].at("mean") == Approx(300).epsilon(0.02));
  CHECK(changed.at("claims")[1] == result.at("claims")[1]);
  CHECK(world.shell.engine.runs == 3 * 3);  // slow once, fast twice
  world.run();
  CHECK(contains(world.shell.out, "doubled"));
  CHECK(contains(world.shell.out, "FAIL (fitted)"));
  CHECK(contains(world.shell.out, " =\n"));
}

TEST_CASE("an alternative that is fitted to a claim that there is not is exit code 2") {
  const Json other = {{"name", "doubled"}, {"fitted", {"a.left"}}};
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)}))}),
              Json::array({other}));
  CHECK(world.run() == ExitCode::usage);
  CHECK(contains(world.shell.err, "a.left"));
}

TEST_CASE("what stands beside a claim is shown without a verdict and changes none") {
  const Json beside = {{"label", "beside"}, {"of", operand("slow")}, {"beside", true}};
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred), beside}))}));
  const Json row = world.result().at("claims")[0];
  CHECK(row.at("verdict") == "pass");
  CHECK(row.at("parts")[1].at("verdict") == "-");
  CHECK(row.at("parts")[1].at("mean") == Approx(16'285).epsilon(0.01));
}

TEST_CASE("everything wrong with the bindings is said at once, exit code 2") {
  Json nothing_to_compare = part(hundred);
  nothing_to_compare.erase("to");
  Json judged = part(hundred);
  judged["of"]["run"] = "other";
  World world(Json::array({claim("a.one", 100, Json::array({nothing_to_compare})),
                           claim("a.kept", nullptr, Json::array({judged}))}));
  CHECK(world.run() == ExitCode::usage);
  CHECK(contains(world.shell.err, "/claims/0/parts/0/to"));
  CHECK(contains(world.shell.err, "no run is called"));
  CHECK(contains(world.shell.err, "withheld"));
  CHECK(world.shell.engine.runs == 0);
}

TEST_CASE("a claim that there is not is exit code 2; so are the claims of nobody") {
  World world(Json::array({claim("a.right", 100, Json::array({part(hundred)}))}));
  CHECK(world.run({"--only", "a.left"}) == ExitCode::usage);
  CHECK(world.shell({"claims", "nobodys"}) == ExitCode::usage);
}

}  // namespace
}  // namespace recirc::app
