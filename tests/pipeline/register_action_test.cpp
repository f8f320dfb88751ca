#include "catch.h"
#include "pipeline/register_array.h"
#include "sim/rng.h"

namespace recirc::pipeline {
namespace {

/// One array of eight entries with one action.
struct OneArray {
  Layout layout;
  RegisterBlock block;

  static Layout made(RegisterAction action, RegisterWidth width) {
    Layout layout;
    layout.add(ArraySpec{"A", Gress::ingress, 0, 8, width, {std::move(action)}});
    return layout;
  }
  OneArray(RegisterAction action, RegisterWidth width)
      : layout(made(std::move(action), width)), block(layout) {}

  std::uint32_t run(std::uint32_t index, std::uint32_t a = 0, std::uint32_t b = 0) {
    return block[ArrayId{0}].execute(ActionId{0}, index, a, b);
  }
  Words at(std::uint32_t index) { return block[ArrayId{0}].load(index); }
  void set(std::uint32_t index, Words words) { block[ArrayId{0}].store(index, words); }
};

TEST_CASE("A lock counter counts up and down and wraps at its width", "[register]") {
  OneArray up(add_action(1), RegisterWidth::half);
  CHECK(up.run(3) == 1);
  CHECK(up.run(3) == 2);
  CHECK(up.at(2).low == 0);
  up.set(3, {0xffff, 0});
  CHECK(up.run(3) == 0);

  OneArray down(add_action(-1), RegisterWidth::half);
  CHECK(down.run(0) == 0xffff);
  CHECK(down.at(1).low == 0);
}

TEST_CASE("A saturating counter with a threshold reports the crossing once", "[register]") {
  // value := min(value + 1, max); returns 1 when the old value is one below the operand.
  OneArray sketch({"count",
                   {{just(old_low()), Comparison::equal, operand_a()}},
                   {{always, Word::low, combine(old_low(), AluOp::add_saturating, constant(1))}},
                   {{OutputSource::one, if_first}}},
                  RegisterWidth::byte);
  std::uint32_t reports = 0;
  for (int i = 0; i < 300; ++i) reports += sketch.run(0, 9);
  CHECK(reports == 1);
  CHECK(sketch.at(0).low == 255);
}

TEST_CASE("Guards choose between two updates of one word, and both words of a pair", "[register]") {
  // low := a when a > low, else low - 1 saturating at 0; high counts the first case.
  OneArray decaying(
      {"decay",
       {{just(operand_a()), Comparison::greater, old_low()}},
       {{if_first, Word::low, just(operand_a())},
        {unless_first, Word::low, combine(old_low(), AluOp::subtract_saturating, constant(1))}},
       {{OutputSource::new_low, always}}},
      RegisterWidth::word);
  CHECK(decaying.run(0, 5) == 5);
  CHECK(decaying.run(0, 5) == 4);
  CHECK(decaying.run(0, 0) == 3);

  OneArray pair({"swap",
                 {},
                 {{always, Word::low, just(old_high())}, {always, Word::high, just(old_low())}},
                 {{OutputSource::new_high, always}}},
                RegisterWidth::pair);
  pair.set(1, {7, 8});
  CHECK(pair.run(1) == 7);
  CHECK(pair.at(1) == Words{8, 7});
}

TEST_CASE("A test-and-set returns the old bit", "[register]") {
  OneArray claim(set_constant_action(1), RegisterWidth::bit);
  CHECK(claim.run(0) == 0);
  CHECK(claim.run(0) == 1);
  CHECK(claim.at(0).low == 1);
}

TEST_CASE("Recognised shapes do what their declaration says step by step", "[register]") {
  sim::CounterRng rng(42);
  const RegisterAction shaped[] = {read_action(), write_action(), add_action(1), add_action(-1),
                                   add_action(300), is_zero_action()};
  for (const RegisterWidth width :
       {RegisterWidth::bit, RegisterWidth::byte, RegisterWidth::half, RegisterWidth::word}) {
    for (const RegisterAction& action : shaped) {
      CompiledAction general = compile(action, width);
      CHECK(general.shape != CompiledAction::Shape::general);
      general.shape = CompiledAction::Shape::general;
      OneArray array(action, width);
      for (int i = 0; i < 200; ++i) {
        const auto a = static_cast<std::uint32_t>(rng.next());
        array.set(0, {static_cast<std::uint32_t>(rng.next()), 0});
        Words expected = array.at(0);
        const std::uint32_t output = evaluate(general, width, expected, a, 0);
        REQUIRE(array.run(0, a) == output);
        REQUIRE(array.at(0) == expected);
      }
    }
  }
}

TEST_CASE("Every operation and comparison follows its name", "[register]") {
  const auto result = [](AluOp op, std::uint32_t old, std::uint32_t a) {
    OneArray array({"op",
                    {},
                    {{always, Word::low, combine(old_low(), op, operand_a())}},
                    {{OutputSource::new_low, always}}},
                   RegisterWidth::byte);
    array.set(0, {old, 0});
    return array.run(0, a);
  };
  CHECK(result(AluOp::left, 5, 9) == 5);
  CHECK(result(AluOp::add, 250, 9) == 3);
  CHECK(result(AluOp::subtract, 5, 9) == 252);
  CHECK(result(AluOp::add_saturating, 250, 9) == 255);
  CHECK(result(AluOp::subtract_saturating, 5, 9) == 0);
  CHECK(result(AluOp::bit_and, 12, 10) == 8);
  CHECK(result(AluOp::bit_or, 12, 10) == 14);
  CHECK(result(AluOp::bit_xor, 12, 10) == 6);
  CHECK(result(AluOp::minimum, 12, 10) == 10);
  CHECK(result(AluOp::maximum, 12, 10) == 12);

  const auto holds = [](Comparison comparison, std::uint32_t old, std::uint32_t a) {
    OneArray array({"compare",
                    {{just(old_low()), comparison, operand_a()}},
                    {},
                    {{OutputSource::one, if_first}}},
                   RegisterWidth::word);
    array.set(0, {old, 0});
    return array.run(0, a) == 1;
  };
  for (std::uint32_t old = 0; old < 3; ++old) {
    CHECK(holds(Comparison::equal, old, 1) == (old == 1));
    CHECK(holds(Comparison::not_equal, old, 1) == (old != 1));
    CHECK(holds(Comparison::less, old, 1) == (old < 1));
    CHECK(holds(Comparison::less_equal, old, 1) == (old <= 1));
    CHECK(holds(Comparison::greater, old, 1) == (old > 1));
    CHECK(holds(Comparison::greater_equal, old, 1) == (old >= 1));
  }
}

}  // namespace
}  // namespace recirc::pipeline
