#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace recirc::pipeline {

/// What a register action may look at: its old word (a pair has a low and a high one), two
/// operands from the packet, and constants.
enum class Source : std::uint8_t { constant, old_low, old_high, a, b };

struct Operand {
  Source source = Source::constant;
  std::int64_t constant = 0;
};

constexpr Operand constant(std::int64_t value) { return {Source::constant, value}; }
constexpr Operand old_low() { return {Source::old_low, 0}; }
constexpr Operand old_high() { return {Source::old_high, 0}; }
constexpr Operand operand_a() { return {Source::a, 0}; }
constexpr Operand operand_b() { return {Source::b, 0}; }

/// Arithmetic wraps at the word's width, except where it says that it saturates. Unsigned.
enum class AluOp : std::uint8_t {
  left,  ///< the left operand alone
  add,
  subtract,
  add_saturating,
  subtract_saturating,
  bit_and,
  bit_or,
  bit_xor,
  minimum,
  maximum,
};

struct Expression {
  AluOp op = AluOp::left;
  Operand left;
  Operand right;
};

constexpr Expression just(Operand operand) { return {AluOp::left, operand, {}}; }
constexpr Expression combine(Operand left, AluOp op, Operand right) { return {op, left, right}; }

enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
};

[[nodiscard]] constexpr bool holds(std::uint64_t left, Comparison comparison, std::uint64_t right) {
  switch (comparison) {
    case Comparison::equal:
      return left == right;
    case Comparison::not_equal:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::less_equal:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greater_equal:
      break;
  }
  return left >= right;
}

struct Condition {
  Expression value;
  Comparison comparison = Comparison::equal;
  Operand against;
};

/// A set of outcomes of the two conditions: bit (first + 2 x second) of `outcomes` is set when the
/// guard holds for that outcome. A condition that is not declared counts as false.
struct Guard {
  std::uint8_t outcomes = 0b1111;
};
inline constexpr Guard always{0b1111};
inline constexpr Guard if_first{0b1010};
inline constexpr Guard unless_first{0b0101};
inline constexpr Guard if_second{0b1100};
inline constexpr Guard unless_second{0b0011};
inline constexpr Guard if_both{0b1000};
inline constexpr Guard if_either{0b1110};
inline constexpr Guard if_neither{0b0001};

enum class Word : std::uint8_t { low, high };

/// All updates see the old words; where two hold for one word, the later one counts.
struct Update {
  Guard guard = always;
  Word word = Word::low;
  Expression value;
};

enum class OutputSource : std::uint8_t { none, old_low, old_high, new_low, new_high, one };

/// The one word an action returns: zero where the guard does not hold. `one` returns the guard.
struct Output {
  OutputSource source = OutputSource::none;
  Guard guard = always;
};

/// What a stateful ALU does with one entry, as declared data: the declaration is what runs, and
/// the chip's limits are checked on it (Layout). Vectors, so that a declaration that breaks a
/// limit can be written down, reported and refused.
struct RegisterAction {
  std::string name;
  std::vector<Condition> conditions;
  std::vector<Update> updates;
  std::vector<Output> outputs;
};

/// The usual ones.
RegisterAction read_action();                     ///< returns the word
RegisterAction write_action();                    ///< word := a
RegisterAction add_action(std::int64_t amount);   ///< word += amount, returns the new word
RegisterAction take_action(std::int64_t amount);  ///< word -= amount, not below zero; likewise
RegisterAction add_a_action();                    ///< word += a, returns the new word
RegisterAction set_constant_action(std::int64_t value);  ///< word := value, returns the old word
RegisterAction is_zero_action();                         ///< returns 1 when the word is zero
/// word += 1, not above its greatest value; returns the new word.
RegisterAction count_action();

/// The action under another name.
RegisterAction named(const char* name, RegisterAction action);

}  // namespace recirc::pipeline
