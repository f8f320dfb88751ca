#include "catch.h"
#include "pipeline/interpreted_program.h"
#include "program_under_test.h"
#include "sim/config.h"
#include "sim/error.h"

namespace recirc::pipeline {
namespace {

using testing::ProgramUnderTest;

spec::ProgramSpec read(const char* text) {
  return sim::config::read<spec::ProgramSpec>(sim::config::Document::parse(text, "test"));
}

/// A rate limiter: the third packet of a key is dropped, and so on until the control plane resets.
constexpr const char* limiter = R"({
  "name": "limiter",
  "header": [{"name": "key", "bits": 8}],
  "metadata": [{"name": "over", "bits": 1}],
  "arrays": [{"name": "count", "stage": 2, "entries": 256, "width": "16", "actions": [
    {"name": "count",
     "conditions": [{"left": "low", "is": "greater_equal", "value": "2"}],
     "updates": [{"when": "not_first", "left": "low", "op": "add", "right": "1"}],
     "outputs": [{"source": "one", "when": "first"}]}]}],
  "ingress": [
    {"stage": 2, "operation": {"kind": "execute", "array": "count", "action": "count",
                               "index": "key", "output": "over"}},
    {"stage": 3, "when": [{"field": "over", "value": "1"}], "operation": "drop"},
    {"stage": 3, "when": [{"field": "over", "value": "0"}],
     "operation": {"kind": "forward", "port": "1"}}]
})";

TEST_CASE("A program from a JSON file decides as it says", "[spec]") {
  const InterpretedProgram program(read(limiter));
  ProgramUnderTest::Ports ports;
  ProgramUnderTest test(program, ProgramUnderTest::two_pipes(ports));
  for (const int key : {7, 7, 7, 8, 7})
    test.send(ports.front[0][0], static_cast<std::uint8_t>(key));
  test.run();
  CHECK(test.sent.size() == 3);
  CHECK(test.drops.size() == 2);
  CHECK(test.register_of(PipeId{0}, ArrayId{0}, 7).low == 2);
}

TEST_CASE("What a program says wrongly is reported all at once, each with its place", "[spec]") {
  spec::ProgramSpec program = read(limiter);
  program.ingress[0].stage = 1;
  std::get<spec::Execute>(program.ingress[0].operation).action = "cuont";
  program.ingress[1].when[0].field = "ovre";
  program.egress.push_back({0, {}, spec::Forward{"1"}});
  try {
    const InterpretedProgram linked(program);
    FAIL("accepted");
  } catch (const sim::ConfigError& error) {
    std::vector<std::string> pointers;
    for (const sim::Issue& issue : error.issues()) pointers.push_back(issue.pointer);
    CHECK(pointers == std::vector<std::string>{"/ingress/0/operation/array",
                                               "/ingress/0/operation/action", "/ingress/1/when/0",
                                               "/egress/0/operation/port"});
  }
}

TEST_CASE("13: a condition wider than a gateway is refused", "[spec]") {
  spec::ProgramSpec program;
  program.name = "wide";
  program.header = {{"a", 32}, {"b", 32}};
  program.ingress = {{0, {{"a", Comparison::equal, "b"}}, spec::Drop{}}};
  CHECK_THROWS_AS(InterpretedProgram(program), sim::ConfigError);
  program.header[1].bits = 12;
  CHECK_NOTHROW(InterpretedProgram(program));
}

TEST_CASE("A program's unknown keys are errors", "[spec]") {
  CHECK_THROWS_AS(read(R"({"name": "x", "header": [{"name": "a", "bit": 8}]})"), sim::ConfigError);
}

}  // namespace
}  // namespace recirc::pipeline
