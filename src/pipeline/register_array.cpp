#include "pipeline/register_array.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::pipeline {
namespace {

constexpr std::uint32_t mask_of(RegisterWidth width) {
  switch (width) {
    case RegisterWidth::bit:
      return 1;
    case RegisterWidth::byte:
      return 0xff;
    case RegisterWidth::half:
    case RegisterWidth::half_pair:
      return 0xffff;
    case RegisterWidth::word:
    case RegisterWidth::pair:
      break;
  }
  return 0xffff'ffff;
}

constexpr std::size_t bytes_of(RegisterWidth width) {
  switch (width) {
    case RegisterWidth::bit:
    case RegisterWidth::byte:
      return 1;
    case RegisterWidth::half:
      return 2;
    case RegisterWidth::word:
    case RegisterWidth::half_pair:
      return 4;
    case RegisterWidth::pair:
      break;
  }
  return 8;
}

CompiledAction::Side compile_side(const Operand& operand, std::uint32_t mask) {
  return {operand.source, static_cast<std::uint32_t>(operand.constant) & mask};
}

CompiledAction::Sum compile_sum(const Expression& expression, std::uint32_t mask) {
  return {expression.op, compile_side(expression.left, mask), compile_side(expression.right, mask)};
}

bool is_old_low(const Operand& operand) { return operand.source == Source::old_low; }

bool is_zero_test(const RegisterAction& action) {
  if (action.conditions.size() != 1 || !action.updates.empty() || action.outputs.size() != 1) {
    return false;
  }
  const Condition& condition = action.conditions[0];
  return condition.comparison == Comparison::equal && condition.value.op == AluOp::left &&
         is_old_low(condition.value.left) && condition.against.source == Source::constant &&
         condition.against.constant == 0 && action.outputs[0].source == OutputSource::one &&
         action.outputs[0].guard.outcomes == if_first.outcomes;
}

/// Recognises the declarations that occur most; anything else is run step by step.
CompiledAction::Shape shape_of(const RegisterAction& action, RegisterWidth width) {
  using Shape = CompiledAction::Shape;
  if (is_pair(width)) return Shape::general;
  if (is_zero_test(action)) return Shape::is_zero;
  if (!action.conditions.empty()) return Shape::general;
  const bool returns_old = action.outputs.size() == 1 &&
                           action.outputs[0].source == OutputSource::old_low &&
                           action.outputs[0].guard.outcomes == always.outcomes;
  if (action.updates.empty()) return returns_old ? Shape::read : Shape::general;
  const Update& update = action.updates[0];
  if (action.updates.size() > 1 || update.guard.outcomes != always.outcomes ||
      update.word != Word::low) {
    return Shape::general;
  }
  const Expression& value = update.value;
  if (action.outputs.empty() && value.op == AluOp::left && value.left.source == Source::a) {
    return Shape::write;
  }
  const bool returns_new = action.outputs.size() == 1 &&
                           action.outputs[0].source == OutputSource::new_low &&
                           action.outputs[0].guard.outcomes == always.outcomes;
  if (returns_new && value.op == AluOp::add && is_old_low(value.left) &&
      value.right.source == Source::constant) {
    return Shape::add_constant;
  }
  if (returns_new && value.op == AluOp::subtract_saturating && is_old_low(value.left) &&
      value.right.source == Source::constant) {
    return Shape::take_constant;
  }
  return Shape::general;
}

/// One execution: the old words and the operands, all cut to the width.
struct Inputs {
  Words old;
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t mask;

  [[nodiscard]] std::uint32_t operator()(const CompiledAction::Side& side) const {
    switch (side.source) {
      case Source::constant:
        return side.constant;
      case Source::old_low:
        return old.low;
      case Source::old_high:
        return old.high;
      case Source::a:
        return a;
      case Source::b:
        break;
    }
    return b;
  }

  [[nodiscard]] std::uint32_t operator()(const CompiledAction::Sum& sum) const {
    const std::uint32_t left = (*this)(sum.left);
    if (sum.op == AluOp::left) return left;
    const std::uint32_t right = (*this)(sum.right);
    switch (sum.op) {
      case AluOp::left:
        break;
      case AluOp::add:
        return (left + right) & mask;
      case AluOp::subtract:
        return (left - right) & mask;
      case AluOp::add_saturating:
        return right > mask - left ? mask : left + right;
      case AluOp::subtract_saturating:
        return left < right ? 0 : left - right;
      case AluOp::bit_and:
        return left & right;
      case AluOp::bit_or:
        return left | right;
      case AluOp::bit_xor:
        return left ^ right;
      case AluOp::minimum:
        return std::min(left, right);
      case AluOp::maximum:
        return std::max(left, right);
    }
    return left;
  }

  [[nodiscard]] bool operator()(const CompiledAction::Test& test) const {
    return holds((*this)(test.value), test.comparison, (*this)(test.against));
  }
};

std::uint32_t output_of(OutputSource source, const Words& old, const Words& now) {
  switch (source) {
    case OutputSource::none:
      break;
    case OutputSource::old_low:
      return old.low;
    case OutputSource::old_high:
      return old.high;
    case OutputSource::new_low:
      return now.low;
    case OutputSource::new_high:
      return now.high;
    case OutputSource::one:
      return 1;
  }
  return 0;
}

}  // namespace

CompiledAction compile(const RegisterAction& action, RegisterWidth width) {
  if (action.conditions.size() > 2 || action.updates.size() > 2 || action.outputs.size() > 1) {
    throw sim::InvariantBroken("register action " + action.name +
                               " was run without having been checked");
  }
  const std::uint32_t mask = mask_of(width);
  CompiledAction compiled;
  compiled.shape = shape_of(action, width);
  for (const Condition& condition : action.conditions) {
    compiled.test[compiled.tests++] = {compile_sum(condition.value, mask), condition.comparison,
                                       compile_side(condition.against, mask)};
  }
  for (const Update& update : action.updates) {
    compiled.change[compiled.changes++] = {update.guard.outcomes, update.word,
                                           compile_sum(update.value, mask)};
  }
  if (!action.outputs.empty()) {
    compiled.output = action.outputs[0].source;
    compiled.output_outcomes = action.outputs[0].guard.outcomes;
  }
  if (compiled.shape == CompiledAction::Shape::add_constant ||
      compiled.shape == CompiledAction::Shape::take_constant) {
    compiled.amount = compiled.change[0].value.right.constant;
  }
  return compiled;
}

std::uint32_t evaluate(const CompiledAction& action, RegisterWidth width, Words& words,
                       std::uint32_t a, std::uint32_t b) {
  const std::uint32_t mask = mask_of(width);
  const Inputs inputs{words, a & mask, b & mask, mask};
  unsigned outcome = 0;
  for (unsigned i = 0; i < action.tests; ++i) {
    outcome |= static_cast<unsigned>(inputs(action.test[i])) << i;
  }
  for (unsigned i = 0; i < action.changes; ++i) {
    const CompiledAction::Change& change = action.change[i];
    if (((change.outcomes >> outcome) & 1U) == 0) continue;
    (change.word == Word::low ? words.low : words.high) = inputs(change.value);
  }
  if (((action.output_outcomes >> outcome) & 1U) == 0) return 0;
  return output_of(action.output, inputs.old, words);
}

std::uint32_t ArrayState::evaluate_at(const CompiledAction& action, std::uint32_t index,
                                      std::uint32_t a, std::uint32_t b) {
  Words words = load(index);
  const std::uint32_t output = evaluate(action, width, words, a, b);
  store(index, words);
  return output;
}

RegisterBlock::RegisterBlock(const Layout& layout) {
  constexpr std::size_t line = 64;  // every array starts on a cache line of its own
  std::size_t actions = 0;
  std::size_t bytes = 0;
  for (const ArraySpec& spec : layout.arrays) {
    actions += spec.actions.size();
    bytes += (spec.entries * bytes_of(spec.width) + line - 1) / line * line;
  }
  actions_.reserve(actions);
  data_.resize(bytes);
  std::size_t offset = 0;
  for (const ArraySpec& spec : layout.arrays) {
    ArrayState& array = arrays_.emplace_back();
    array.data = data_.data() + offset;
    array.actions = actions_.data() + actions_.size();
    array.entries = spec.entries;
    array.position = position_of(spec.gress, spec.stage);
    array.width = spec.width;
    array.action_count = static_cast<std::uint8_t>(spec.actions.size());
    for (const RegisterAction& action : spec.actions) {
      actions_.push_back(compile(action, spec.width));
    }
    offset += (spec.entries * bytes_of(spec.width) + line - 1) / line * line;
  }
}

}  // namespace recirc::pipeline
