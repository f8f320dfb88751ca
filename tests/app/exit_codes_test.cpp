#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "catch.h"
#include "fake_engine.h"

namespace recirc::app {
namespace {

using sim::ExitCode;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a mistyped verb is exit code 2 and names the verb that was meant") {
  Shell shell;
  CHECK(shell({"swep", "x.json"}) == ExitCode::usage);
  CHECK(contains(shell.err, "did you mean \"sweep\""));
}

TEST_CASE("a mistyped option is exit code 2, names the option that was meant, and runs nothing") {
  const Scratch scratch;
  Shell shell;
  CHECK(shell({"run", scratch.file("a.json", R"({"system": "fast"})"), "--job", "2"}) ==
        ExitCode::usage);
  CHECK(contains(shell.err, "--jobs"));
  CHECK(shell.engine.runs == 0);
}

TEST_CASE("a result is not written over the configuration that was read") {
  const Scratch scratch;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  Shell shell;
  for (const char* verb : {"run", "check"}) {
    CHECK(shell({verb, config, "--out", config}) == ExitCode::usage);
    CHECK(contains(shell.err, "would overwrite"));
  }
  std::ifstream kept(config);
  CHECK(std::string(std::istreambuf_iterator<char>(kept), {}) == R"({"system": "fast"})");
}

TEST_CASE("a table of a sweep is written over neither its points nor its base") {
  const Scratch scratch;
  const std::string base = scratch.file("base.json", R"({"system": "fast"})");
  const std::string sweep =
      scratch.file("sweep.json", R"({"base": "base.json", "grid": {"/system": ["fast"]}})");
  const std::string points = scratch.path("points.jsonl");
  Shell shell;
  CHECK(shell({"sweep", sweep, "--csv", base}) == ExitCode::usage);
  CHECK(contains(shell.err, "would overwrite"));
  CHECK(shell({"sweep", sweep, "--out", points, "--csv", points}) == ExitCode::usage);
  CHECK(contains(shell.err, "name the same file"));
}

TEST_CASE("bad numbers of threads are exit code 2") {
  const Scratch scratch;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  Shell shell;
  for (const char* jobs : {"0", "-1", "two", "1.5", "99999999999999999999", ""}) {
    CHECK(shell({"run", config, "--jobs", jobs}) == ExitCode::usage);
  }
  CHECK(shell({"run"}) == ExitCode::usage);
  CHECK(shell({"run", config, config}) == ExitCode::usage);
  CHECK(shell({}) == ExitCode::usage);
  CHECK(shell.engine.runs == 0);
}

TEST_CASE("everything wrong with a configuration is reported at once, exit code 2") {
  const Scratch scratch;
  Shell shell;
  const std::string config =
      scratch.file("a.json", R"({"system": "fast", "servres": 3, "zipf": 7, "zipf": 8})");
  CHECK(shell({"run", config}) == ExitCode::usage);
  CHECK(contains(shell.err, "/servres"));
  CHECK(contains(shell.err, "/zipf"));
  CHECK(contains(shell.err, "servers"));
}

TEST_CASE("a missing file is exit code 3") {
  Shell shell;
  CHECK(shell({"run", "/nowhere/a.json"}) == ExitCode::input_output);
}

TEST_CASE("each way a model fails has its exit code") {
  const Scratch scratch;
  Shell shell;
  const auto run = [&](const std::string& system) {
    return shell({"run", scratch.file("a.json", R"({"system": ")" + system + "\"}")});
  };
  CHECK(run("violating") == ExitCode::constraint_violation);
  CHECK(contains(shell.err, "values"));
  CHECK(run("broken") == ExitCode::invariant_broken);
  CHECK(contains(shell.err, "one operation too many"));
  CHECK(run("starving") == ExitCode::input_output);
  CHECK(contains(shell.err, "memory"));
  CHECK(run("fast") == ExitCode::fine);
}

TEST_CASE("an interrupted run writes what was finished and exits with 130") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "interrupting"})");
  CHECK(shell({"run", config, "--jobs", "1", "--out", scratch.path("r.json")}) ==
        ExitCode::interrupted);
  const std::string result = read_text(scratch.path("r.json"));
  CHECK(contains(result, "\"complete\": false"));
  CHECK(contains(result, "\"replication\": 0"));
  CHECK_FALSE(contains(result, "\"replication\": 1"));
}

TEST_CASE("an output file that cannot be written is found before anything runs") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  for (const std::string& out : {scratch.path("no/such/folder.json"), scratch.path("")}) {
    CHECK(shell({"run", config, "--out", out}) == ExitCode::input_output);
  }
  CHECK(shell.engine.runs == 0);
}

TEST_CASE("a sweep given to run, and a configuration given to sweep, are told apart") {
  const Scratch scratch;
  Shell shell;
  const std::string config = scratch.file("a.json", R"({"system": "fast"})");
  const std::string sweep =
      scratch.file("s.json", R"({"base": "a.json", "grid": {"/servers": [1, 2]}})");
  CHECK(shell({"run", sweep}) == ExitCode::usage);
  CHECK(contains(shell.err, "recirc sweep"));
  CHECK(shell({"sweep", config}) == ExitCode::usage);
  CHECK(contains(shell.err, "recirc run"));
  CHECK(shell({"sweep", sweep}) == ExitCode::fine);
}

TEST_CASE("what cannot be used is called what it is") {
  const Scratch scratch;
  Shell shell;
  const std::string bad = scratch.file("a.json", R"({"base": {"system": "fast"}, "gird": {}})");
  CHECK(shell({"sweep", bad, "--out", scratch.path("p")}) == ExitCode::usage);
  CHECK(contains(shell.err, "the sweep cannot be used"));
  CHECK(shell({"check", bad}) == ExitCode::usage);
  CHECK(contains(shell.err, "the sweep cannot be used"));
  CHECK(shell({"merge", bad}) == ExitCode::usage);
  CHECK(contains(shell.err, "the point file cannot be used"));
  CHECK(shell({"run", scratch.file("b.json", "[1]")}) == ExitCode::usage);
  CHECK(contains(shell.err, "the configuration cannot be used"));
}

TEST_CASE("a comparison's result is no configuration, and run says what to give instead") {
  const Scratch scratch;
  Shell shell;
  const std::string a = scratch.file("a.json", R"({"system": "slow"})");
  const std::string b = scratch.file("b.json", R"({"system": "fast"})");
  REQUIRE(shell({"compare", a, b, "--out", scratch.path("c.json")}) == ExitCode::fine);
  CHECK(shell({"run", scratch.path("c.json")}) == ExitCode::usage);
  CHECK(contains(shell.err, "c.json is the result of several configurations"));
  CHECK(shell.err.find("unknown key") == std::string::npos);
}

TEST_CASE("a run that fails leaves an old result alone and no temporary file") {
  const Scratch scratch;
  Shell shell;
  const std::string out = scratch.file("r.json", "old");
  CHECK(shell({"run", scratch.file("a.json", R"({"system": "broken"})"), "--out", out}) ==
        ExitCode::invariant_broken);
  CHECK(read_text(out) == "old");
  CHECK(scratch.names().size() == 2);
}

TEST_CASE("standard output that cannot be written is exit code 3") {
  const FakeEngine engine;
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  model::RunControl control;
  Environment environment{out, err, engine, false, false, control};
  CHECK(run_command_line({"--help"}, environment) == ExitCode::input_output);
}

TEST_CASE("verbs that read no configuration refuse --set") {
  Shell shell;
  using Words = std::vector<std::string>;
  for (Words words : {Words{"list", "mixes"}, Words{"schema"}, Words{"docs", "metrics"},
                      Words{"merge", "points.jsonl"}}) {
    words.insert(words.end(), {"--set", "/zipf=1"});
    CHECK(shell(words) == ExitCode::usage);
    CHECK(contains(shell.err, "--set changes nothing"));
  }
}

TEST_CASE("a configuration in a pipe is checked under its own name") {
  const Scratch scratch;
  Shell shell;
  const std::string pipe = scratch.path("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto check = [&](const std::string& text) {
    std::jthread writer([&] { std::ofstream(pipe) << text; });
    return shell({"check", pipe});
  };
  CHECK(check(R"({"system": "fast"})") == ExitCode::fine);
  CHECK(contains(shell.out, pipe + ": a configuration of fast"));
  CHECK(check("0,stat,/a/b\n0,stat,/a/c\n") == ExitCode::fine);
  CHECK(contains(shell.out, pipe + ": csv trace, 2 lines"));
  CHECK(check("what is this\n") == ExitCode::input_output);
  CHECK(contains(shell.err, "format of " + pipe));
}

TEST_CASE("every verb has a help text, and it runs nothing") {
  Shell shell;
  for (const char* verb : {"run", "compare", "sweep", "merge"}) {
    CHECK(shell({verb, "--help"}) == ExitCode::fine);
    const std::string help = shell.out;
    CHECK(contains(help, std::string("usage: recirc ") + verb));
    CHECK(shell({verb, "-h"}) == ExitCode::fine);
    CHECK(shell.out == help);
    CHECK(shell({"help", verb}) == ExitCode::fine);
    CHECK(shell.out == help);
  }
  CHECK(shell({"--version"}) == ExitCode::fine);
  CHECK(contains(shell.out, "recirc 0."));
}

}  // namespace
}  // namespace recirc::app
