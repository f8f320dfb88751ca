#include "catch.h"
#include "improvised_program.h"
#include "pipeline/diagnostics.h"
#include "pipeline/switch.h"
#include "program_under_test.h"
#include "sim/error.h"

// The refusals of facts/rmt.md §5 that the model can make: by number.

namespace recirc::pipeline {
namespace {

using testing::array_in;
using testing::ImprovisedProgram;
using testing::ProgramUnderTest;

constexpr ActionId first_action{0};

/// Two arrays A (ingress, stage 3) and B (ingress, stage 5), C (egress, stage 4) and a table T.
Layout small_layout() {
  Layout layout;
  layout.program = "test";
  layout.add(array_in("A", Gress::ingress, 3, {add_action(1), read_action()}));
  layout.add(array_in("B", Gress::ingress, 5, {add_action(1)}));
  layout.add(array_in("C", Gress::egress, 4, {add_action(1)}));
  layout.add(TableSpec{"T", MatchKind::exact, Gress::ingress, 2, {{"h.key", 64}}, 16, 16});
  return layout;
}
constexpr ArrayId a{0};
constexpr ArrayId b{1};
constexpr ArrayId c{2};
constexpr TableId t{0};

/// Runs one packet and returns what was refused.
std::string refusal(
    ImprovisedProgram::Part ingress, ImprovisedProgram::Part egress = [](PassContext&) {}) {
  ProgramUnderTest::Ports ports;
  const SwitchSpec spec = ProgramUnderTest::two_pipes(ports);
  const ImprovisedProgram program(small_layout(), std::move(ingress), std::move(egress));
  ProgramUnderTest test(program, spec);
  test.send(ports.front[0][0], std::uint64_t{0});
  try {
    test.run();
  } catch (const sim::ConstraintViolation& violation) {
    CHECK(violation.where().program == "test");
    return violation.where().array + ": " + violation.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("1: a second access to a register array in one pass is refused", "[constraints]") {
  const std::string text = refusal([](PassContext& pass) {
    pass.enter_stage(3);
    pass.execute(a, first_action, 0);
    pass.execute(a, ActionId{1}, 0);
  });
  CHECK(says(text, "A: "));
  CHECK(says(text, "second time in one pass"));
}

TEST_CASE("2, 3: going back to an earlier stage's array is refused", "[constraints]") {
  CHECK(says(refusal([](PassContext& pass) {
               pass.enter_stage(5);
               pass.execute(b, first_action, 0);
               pass.execute(a, first_action, 0);
             }),
             "before stage 5"));
  CHECK(says(refusal([](PassContext& pass) {
               pass.enter_stage(5);
               pass.enter_stage(3);
             }),
             "earlier stage"));
}

template <class Context>
concept can_be_put_anywhere = requires(Context& context) {
  context.template enter<Gress::egress, 4>();
};
static_assert(!can_be_put_anywhere<PassContext>, "only StepProgram knows its steps' order");

/// Forwards in stage 0, and in stage mode uses stage 3's array from stage 2.
class Hasty final : public Program {
 public:
  [[nodiscard]] const Layout& layout() const override { return layout_; }
  void run(Gress gress, PassContext& context) const override {
    if (gress == Gress::ingress) context.forward(PortId{0});
  }
  void run_stage(Gress gress, unsigned stage, PassContext& context) const override {
    if (gress == Gress::egress) return;
    if (stage == 0) context.forward(PortId{0});
    if (stage != 2) return;
    context.enter_stage(3);
    context.execute(a, first_action, 0);
  }

 private:
  Layout layout_ = small_layout();
};

TEST_CASE("In stage mode a packet is in one stage and reaches no other", "[constraints]") {
  ProgramUnderTest::Ports ports;
  SwitchSpec spec = ProgramUnderTest::two_pipes(ports);
  const Hasty program;
  spec.mode = PassMode::stage;
  ProgramUnderTest test(program, spec);
  test.send(ports.front[0][0], std::uint64_t{0});
  CHECK_THROWS_AS(test.run(), sim::ConstraintViolation);
}

TEST_CASE("4: an array of the other gress is refused", "[constraints]") {
  CHECK(says(refusal([](PassContext& pass) {
               pass.enter_stage(4);
               pass.execute(c, first_action, 0);
             }),
             "used in ingress but lies in egress"));
}

TEST_CASE("15: a table applied twice in one pass is refused", "[constraints]") {
  CHECK(says(refusal([](PassContext& pass) {
               pass.enter_stage(2);
               (void)pass.lookup(t, {1, 0});
               (void)pass.lookup(t, {2, 0});
             }),
             "applied a second time"));
}

TEST_CASE("An ingress makes exactly one decision, an egress chooses no port", "[constraints]") {
  CHECK(says(refusal([](PassContext&) {}), "without a verdict"));
  CHECK(says(refusal([](PassContext& pass) {
               pass.drop();
               pass.forward(PortId{0});
             }),
             "more than one verdict"));
  const auto send = [](PassContext& pass) { pass.forward(PortId{0}); };
  CHECK(refusal(send).empty());
  CHECK(says(refusal(send, send), "only ingress can"));
  CHECK(says(refusal(send,
                     [](PassContext& pass) {
                       pass.drop();
                       pass.drop();
                     }),
             "more than one verdict"));
}

TEST_CASE("What is not there is refused", "[constraints]") {
  CHECK(says(refusal([](PassContext& pass) {
               pass.enter_stage(3);
               pass.execute(a, first_action, 16);
             }),
             "16 entries"));
  CHECK(says(refusal([](PassContext& pass) {
               pass.enter_stage(3);
               pass.execute(a, ActionId{2}, 0);
             }),
             "2 register actions"));
  CHECK(says(refusal([](PassContext& pass) { pass.execute(ArrayId{9}, first_action, 0); }),
             "did not declare"));
  CHECK(says(refusal([](PassContext& pass) { pass.forward(PortId{99}); }), "does not have"));
  CHECK(says(refusal([](PassContext& pass) { pass.mirror(SessionId{3}); }), "not set up"));
}

TEST_CASE("A loop port is reached by recirculating, a front port by forwarding", "[constraints]") {
  CHECK(says(refusal([](PassContext& pass) { pass.recirculate(PortId{0}); }),
             "no loop or cable port"));
  CHECK(says(refusal([](PassContext& pass) { pass.forward(pass.loop_port()); }), "loop or cable"));
}

std::vector<std::string> rules_broken(const Layout& layout) {
  const Layout* layouts[] = {&layout};
  std::vector<std::string> rules;
  for (const Violation& violation : report(ChipSpec{}, layouts).violations) {
    rules.push_back(violation.rule);
  }
  return rules;
}

Layout with_array(ArraySpec array) {
  Layout layout;
  layout.program = "test";
  layout.add(std::move(array));
  return layout;
}

using Rules = std::vector<std::string>;

TEST_CASE("5: a fifth register array in a stage is refused, whatever its gress", "[constraints]") {
  Layout layout = small_layout();
  for (int i = 0; i < 2; ++i) {
    layout.add(array_in("in" + std::to_string(i), Gress::ingress, 9, {read_action()}));
    layout.add(array_in("eg" + std::to_string(i), Gress::egress, 9, {read_action()}));
  }
  CHECK(rules_broken(layout).empty());
  layout.add(array_in("one_more", Gress::egress, 9, {read_action()}));
  CHECK(rules_broken(layout) == Rules{"stateful_alus"});

  sim::Scheduler scheduler;
  const ImprovisedProgram program(layout, [](PassContext& pass) { pass.drop(); });
  ProgramUnderTest::Ports ports;
  CHECK_THROWS_AS(ProgramUnderTest(program, ProgramUnderTest::two_pipes(ports)),
                  sim::ConstraintViolation);
}

TEST_CASE("7: more than four actions on an array are refused", "[constraints]") {
  CHECK(rules_broken(with_array(array_in("A", Gress::ingress, 0,
                                         {read_action(), write_action(), add_action(1),
                                          add_a_action(), is_zero_action()}))) == Rules{"actions"});
}

TEST_CASE("8, 10: three conditions, three updates, two outputs are refused", "[constraints]") {
  const Condition positive{just(old_low()), Comparison::greater, constant(0)};
  const Update clear{always, Word::low, just(constant(0))};
  const Output old{OutputSource::old_low, always};
  CHECK(rules_broken(with_array(
            array_in("A", Gress::ingress, 0, {{"act", {positive, positive, positive}, {}, {}}}))) ==
        Rules{"conditions"});
  CHECK(rules_broken(with_array(
            array_in("A", Gress::ingress, 0, {{"act", {}, {clear, clear, clear}, {old, old}}}))) ==
        Rules{"updates", "outputs"});
}

TEST_CASE("11: a fifth large constant on an array is refused", "[constraints]") {
  std::vector<RegisterAction> actions{set_constant_action(7), set_constant_action(-8)};
  CHECK(rules_broken(with_array(array_in("A", Gress::ingress, 0, actions))).empty());
  const auto two_constants = [](std::int64_t value) {
    return RegisterAction{"act",
                          {{just(old_low()), Comparison::equal, constant(value)}},
                          {{if_first, Word::low, just(constant(value + 1))}},
                          {}};
  };
  actions = {two_constants(10), two_constants(20)};
  CHECK(rules_broken(with_array(array_in("A", Gress::ingress, 0, actions))).empty());
  actions.push_back(set_constant_action(8));
  CHECK(rules_broken(with_array(array_in("A", Gress::ingress, 0, actions))) == Rules{"constants"});
}

TEST_CASE("16, 17, 18: stages, keys and arrays beyond the chip's are refused", "[constraints]") {
  CHECK(rules_broken(with_array(array_in("A", Gress::ingress, 12, {read_action()}))) ==
        Rules{"stages"});
  CHECK(rules_broken(with_array(
            array_in("A", Gress::ingress, 0, {read_action()}, RegisterWidth::word, 2'000'000))) ==
        Rules{"array_size", "sram_blocks", "map_rams"});
  Layout wide;
  wide.add(TableSpec{"T", MatchKind::exact, Gress::ingress, 0, {{"h.path", 1280}}, 64, 16});
  CHECK(rules_broken(wide) == Rules{"key_width", "exact_crossbar_bytes"});
}

TEST_CASE("19: headers beyond the header vector are refused, overlays counted once",
          "[constraints]") {
  Layout layout;
  layout.add(HeaderSpec{"path", {{"bytes", 6'000}}, false, "body"});
  layout.add(HeaderSpec{"value", {{"bytes", 6'000}}, false, "body"});
  CHECK(rules_broken(layout).empty());
  layout.add(HeaderSpec{"more", {{"bytes", 200}}, false, ""});
  CHECK(rules_broken(layout) == Rules{"header_bits"});
}

TEST_CASE("A 1-bit register can only be set, cleared and read; only pairs have a high word",
          "[constraints]") {
  CHECK(rules_broken(
            with_array(array_in("A", Gress::egress, 0,
                                {set_constant_action(1), set_constant_action(0), read_action()},
                                RegisterWidth::bit)))
            .empty());
  CHECK(rules_broken(with_array(array_in("A", Gress::egress, 0, {add_action(1)},
                                         RegisterWidth::bit))) == Rules{"bit_actions"});
  const RegisterAction high{"high", {}, {}, {{OutputSource::old_high, always}}};
  CHECK(rules_broken(with_array(array_in("A", Gress::egress, 0, {high}))) == Rules{"words"});
}

TEST_CASE("Memories are counted as the compiler counts them", "[constraints]") {
  // Derived in facts/fletch.md §1.5: eight lock arrays 72 blocks, 32 value arrays 128, and so on.
  const auto blocks = [](std::uint32_t entries, RegisterWidth width) {
    const Layout layout =
        with_array(array_in("A", Gress::ingress, 0, {read_action()}, width, entries));
    const Layout* layouts[] = {&layout};
    return report(ChipSpec{}, layouts).total().sram_blocks;
  };
  CHECK(blocks(65'536, RegisterWidth::half) == 9);
  CHECK(blocks(10'384, RegisterWidth::word) == 4);
  CHECK(blocks(49'152, RegisterWidth::word) == 13);
  CHECK(blocks(49'152, RegisterWidth::half) == 7);
  CHECK(blocks(49'152, RegisterWidth::bit) == 2);
}

TEST_CASE("Programs of one switch share its stages", "[constraints]") {
  Layout one = with_array(array_in("A", Gress::ingress, 0, {read_action()}));
  one.add(array_in("B", Gress::ingress, 0, {read_action()}));
  Layout other = one;
  other.add(array_in("C", Gress::ingress, 0, {read_action()}));
  const Layout* fine[] = {&one, &one};
  const Layout* too_many[] = {&one, &other};
  CHECK(report(ChipSpec{}, fine).violations.empty());
  CHECK(report(ChipSpec{}, too_many).violations.size() == 1);
  CHECK(says(to_text(report(ChipSpec{}, too_many)), "stage 0 needs 5 stateful_alus, it has 4"));
}

}  // namespace
}  // namespace recirc::pipeline
