#include "catch.h"
#include "improvised_program.h"
#include "program_under_test.h"
#include "sim/error.h"

namespace recirc::pipeline {
namespace {

using testing::array_in;
using testing::ImprovisedProgram;
using testing::ProgramUnderTest;

constexpr ProtocolTag tag{0};
constexpr TableId table{0};
constexpr ArrayId array{0};
constexpr ControlSpec costs{sim::microseconds(10), sim::microseconds(100), sim::microseconds(1)};

/// A controller that notes when its answers come.
struct Controller final : sim::Component {
  explicit Controller(ProgramUnderTest& test_) : test(test_) {}
  void handle(const sim::Event& event) override { answers.push_back({event.at, event.arg}); }

  ControlPort::Batch ask(std::vector<ControlOperation> operations, std::uint32_t arg = 0) {
    return test.control.submit(operations, *this, 0, arg);
  }

  ProgramUnderTest& test;
  std::vector<std::pair<sim::Time, std::uint32_t>> answers;
};

struct World {
  ProgramUnderTest::Ports ports;
  ImprovisedProgram program{layout(), [](PassContext& pass) { pass.drop(); }};
  ProgramUnderTest test{program, ProgramUnderTest::two_pipes(ports), costs};
  Controller controller{test};

  static Layout layout() {
    Layout layout;
    layout.program = "test";
    layout.add(TableSpec{"T", MatchKind::exact, Gress::ingress, 0, {{"h.key", 64}}, 2, 16});
    layout.add(array_in("A", Gress::egress, 1, {read_action()}));
    return layout;
  }
};

TEST_CASE("Control operations are done one after the other and answered after the bus's latency",
          "[control]") {
  World w;
  w.controller.ask({ControlOperation::insert(tag, table, {1, 0}, 11)}, 1);
  w.controller.ask({ControlOperation::insert(tag, table, {2, 0}, 22)}, 2);
  w.test.run();
  const sim::Duration gress = w.test.rmt.timing().gress();
  REQUIRE(w.controller.answers.size() == 2);
  CHECK(w.controller.answers[0].second == 1);
  CHECK(w.controller.answers[0].first.time_since_epoch() == sim::microseconds(120) + gress);
  CHECK(w.controller.answers[1].first.time_since_epoch() == sim::microseconds(220) + gress);
  CHECK(w.test.rmt.table(tag, table).lookup({2, 0}).result == 22);
}

TEST_CASE("A full table and a missing entry are reported, not ignored", "[control]") {
  World w;
  const auto batch = w.controller.ask({ControlOperation::insert(tag, table, {1, 0}, 1),
                                       ControlOperation::insert(tag, table, {2, 0}, 2),
                                       ControlOperation::insert(tag, table, {3, 0}, 3),
                                       ControlOperation::erase(tag, table, {9, 0})});
  w.test.run();
  CHECK(w.test.control.succeeded(batch, 1));
  CHECK_FALSE(w.test.control.succeeded(batch, 2));
  CHECK_FALSE(w.test.control.succeeded(batch, 3));
  CHECK_FALSE(w.test.control.succeeded(batch));
  CHECK(w.test.control.refused() == 2);
  CHECK(w.test.rmt.table(tag, table).size() == 2);
}

TEST_CASE("Registers are written in one pipe or all, and read in one", "[control]") {
  World w;
  w.controller.ask({ControlOperation::fill(tag, PipeId::none(), array, 0, 16, {5, 0}),
                    ControlOperation::write(tag, PipeId{1}, array, 3, {9, 0})});
  const auto batch = w.controller.ask({ControlOperation::read(tag, PipeId{1}, array, 2, 3)});
  w.test.run();
  const auto values = w.test.control.values(batch);
  REQUIRE(values.size() == 3);
  CHECK(values[0].low == 5);
  CHECK(values[1].low == 9);
  CHECK(w.test.register_of(PipeId{0}, array, 3).low == 5);
  // Two writes of 100 us, three reads of 1 us, 10 us each way.
  CHECK(w.controller.answers[1].first.time_since_epoch() ==
        sim::microseconds(223) + w.test.rmt.timing().gress());
}

TEST_CASE("Entries that an array does not have cannot be written", "[control]") {
  World w;
  const ControlOperation beyond[] = {ControlOperation::write(tag, PipeId{0}, array, 16, {1, 0})};
  w.test.control.submit(beyond);
  CHECK_THROWS_AS(w.test.run(), sim::InvariantBroken);
}

}  // namespace
}  // namespace recirc::pipeline
