#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pipeline/diagnostics.h"
#include "pipeline/interpreted_program.h"
#include "sim/rng.h"

namespace recirc::pipeline::testing {

/// Makes up valid programs: random arrays, tables, actions and steps, and verdicts that always end
/// the packet's journey. A pure function of the seed.
class ProgramGenerator {
 public:
  explicit ProgramGenerator(std::uint64_t seed) : rng_(seed) {}

  spec::ProgramSpec make(std::uint32_t stages) {
    stages_ = stages;
    program_ = {};
    program_.name = "generated";
    program_.header = {{"destination", 16}, {"hops", 8}, {"op", 8},
                       {"key", 32},         {"x", 32},   {"y", 20}};
    program_.metadata = {{"m", 32}, {"n", 16}, {"hit", 1}};
    add_tables();
    add_arrays();
    add_ingress();
    add_egress();
    for (auto* steps : {&program_.ingress, &program_.egress}) {
      std::stable_sort(steps->begin(), steps->end(),
                       [](const auto& a, const auto& b) { return a.stage < b.stage; });
    }
    return program_;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(rng_.next() % n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <std::size_t n>
  std::string one_of(const char* const (&names)[n]) {
    return names[below(n)];
  }
  std::string any_field() { return one_of({"key", "x", "y", "m", "n", "op", "hops"}); }
  std::string any_target() { return one_of({"x", "y", "m", "n"}); }
  std::string any_value() { return chance(30) ? std::to_string(below(16)) : any_field(); }
  AluOp any_op() { return static_cast<AluOp>(below(10)); }
  Comparison any_comparison() { return static_cast<Comparison>(below(6)); }

  void add_tables() {
    for (std::uint32_t i = 0; i < 1 + below(3); ++i) {
      spec::Table table;
      table.name = "table" + std::to_string(i);
      table.gress = chance(70) ? Gress::ingress : Gress::egress;
      table.stage = below(stages_);
      table.key = chance(70) ? "key" : "x";
      if (chance(50)) table.token = "op";
      table.entries = 4 + below(8);
      program_.tables.push_back(table);
    }
  }

  std::string any_operand(bool pair) {
    switch (below(pair ? 5 : 4)) {
      case 0:
        return std::to_string(static_cast<int>(below(16)) - 8);
      case 1:
        return "a";
      case 2:
        return "b";
      case 3:
        return "low";
      default:
        return "high";
    }
  }

  spec::ActionSpec any_action(RegisterWidth width, std::uint32_t number) {
    spec::ActionSpec action;
    action.name = "action" + std::to_string(number);
    const bool pair = is_pair(width);
    const bool bit = width == RegisterWidth::bit;
    for (std::uint32_t i = 0; !bit && i < below(3); ++i) {
      action.conditions.push_back(
          {any_operand(pair), any_op(), any_operand(pair), any_comparison(), any_operand(pair)});
    }
    for (std::uint32_t i = 0; i < below(3); ++i) {
      spec::ActionUpdate update;
      update.when = static_cast<spec::GuardName>(below(8));
      update.word = pair && chance(50) ? Word::high : Word::low;
      update.left = bit ? std::to_string(below(2)) : any_operand(pair);
      update.op = bit ? AluOp::left : any_op();
      update.right = bit ? "0" : any_operand(pair);
      action.updates.push_back(update);
    }
    if (chance(80)) {
      constexpr OutputSource sources[] = {OutputSource::old_low, OutputSource::new_low,
                                          OutputSource::one, OutputSource::old_high,
                                          OutputSource::new_high};
      action.outputs.push_back(
          {sources[below(pair ? 5 : 3)], static_cast<spec::GuardName>(below(8))});
    }
    return action;
  }

  void add_arrays() {
    std::vector<std::uint32_t> in_stage(stages_, 0);
    for (std::uint32_t i = 0; i < 3 + below(10); ++i) {
      spec::Array array;
      array.stage = below(stages_);
      if (in_stage[array.stage]++ == 4) continue;
      array.name = "array" + std::to_string(i);
      array.gress = chance(50) ? Gress::ingress : Gress::egress;
      array.entries = 1 + below(8);
      array.width = static_cast<RegisterWidth>(below(5));
      for (std::uint32_t k = 0; k < 1 + below(4); ++k) {
        array.actions.push_back(any_action(array.width, k));
      }
      program_.arrays.push_back(array);
    }
  }

  void add(Gress gress, std::uint32_t stage, spec::Operation operation,
           std::vector<spec::When> when = {}) {
    auto& steps = gress == Gress::ingress ? program_.ingress : program_.egress;
    steps.push_back({stage, std::move(when), std::move(operation)});
  }

  std::vector<spec::When> sometimes() {
    if (chance(60)) return {};
    return {{any_field(), any_comparison(), std::to_string(below(8))}};
  }

  void add_work(Gress gress) {
    for (const spec::Table& table : program_.tables) {
      if (table.gress != gress || chance(20)) continue;
      add(gress, table.stage, spec::Lookup{table.name, "hit", any_target()}, sometimes());
    }
    for (const spec::Array& array : program_.arrays) {
      if (array.gress != gress || chance(10)) continue;
      const auto& action = array.actions[below(static_cast<std::uint32_t>(array.actions.size()))];
      add(gress, array.stage,
          spec::Execute{array.name, action.name, any_value(), any_value(), any_value(),
                        chance(80) ? any_target() : ""},
          sometimes());
    }
    for (std::uint32_t i = 0; i < below(6); ++i) {
      add(gress, below(stages_), spec::Set{any_target(), any_value(), any_op(), any_value()},
          sometimes());
    }
    if (chance(50)) add(gress, below(stages_), spec::Random{any_target(), below(4)}, sometimes());
  }

  /// Every packet counts its hops: loops below a limit, at it a verdict by `op`, beyond it out.
  void add_ingress() {
    const std::string limit = std::to_string(1 + below(5));
    add(Gress::ingress, 0, spec::Set{"hops", "hops", AluOp::add, "1"});
    add_work(Gress::ingress);
    const std::uint32_t stage = below(stages_);
    const spec::When below_limit{"hops", Comparison::less, limit};
    const spec::When at_limit{"hops", Comparison::equal, limit};
    const spec::When beyond{"hops", Comparison::greater, limit};
    const auto op = [](const char* is) { return spec::When{"op", Comparison::equal, is}; };
    const spec::When other{"op", Comparison::greater, "2"};
    const spec::When few{"op", Comparison::less_equal, "2"};
    for (const char* pipe : {"0", "1"}) {
      const char* there = *pipe == '0' ? "1" : "0";
      add(Gress::ingress, stage, spec::Cross{there},
          {below_limit, few, {"@pipe", Comparison::equal, pipe}});
    }
    add(Gress::ingress, stage, spec::Recirculate{"", chance(30)}, {below_limit, other});
    add(Gress::ingress, stage, spec::Drop{}, {at_limit, op("0")});
    add(Gress::ingress, stage, spec::Multicast{"0"}, {at_limit, op("1")});
    add(Gress::ingress, stage, spec::Forward{"destination"},
        {at_limit, {"op", Comparison::greater, "1"}});
    add(Gress::ingress, stage, spec::Forward{"destination"}, {beyond});
    add(Gress::ingress, stage, spec::Mirror{"0", 0, PayloadRule::keep}, {op("5"), at_limit});
    add(Gress::ingress, stage, spec::SendDigest{{"key", "x", "hops"}}, {op("6")});
    if (chance(50)) add(Gress::ingress, stage, spec::Finish{}, {op("7")});
  }

  void add_egress() {
    add_work(Gress::egress);
    const std::uint32_t stage = below(stages_);
    const spec::When original{"@mirrored", Comparison::equal, "0"};
    const auto rule = static_cast<PayloadRule>(below(3));
    add(Gress::egress, stage, spec::Mirror{"1", chance(50) ? 64U : 0U, rule},
        {original, {"op", Comparison::equal, "3"}});
    add(Gress::egress, stage, spec::Drop{},
        {original, {"op", Comparison::equal, "3"}, {"y", Comparison::less, "300000"}});
    add(Gress::egress, stage, spec::Drop{},
        {{"op", Comparison::equal, "4"}, {"hops", Comparison::greater, "2"}});
  }

  sim::CounterRng rng_;
  std::uint32_t stages_ = 0;
  spec::ProgramSpec program_;
};

}  // namespace recirc::pipeline::testing
