#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "pipeline/ids.h"
#include "pipeline/layout.h"
#include "pipeline/register_action.h"

namespace recirc::pipeline {

/// The words of one entry; `high` is of pairs only.
struct Words {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  bool operator==(const Words&) const = default;
};

/// A RegisterAction in fixed-size form, with its constants already cut to the word's width.
struct CompiledAction {
  struct Side {
    Source source;
    std::uint32_t constant;
  };
  struct Sum {
    AluOp op;
    Side left;
    Side right;
  };
  struct Test {
    Sum value;
    Comparison comparison;
    Side against;
  };
  struct Change {
    std::uint8_t outcomes;
    Word word;
    Sum value;
  };
  /// Shapes that need no interpretation; `general` runs the declaration step by step.
  enum class Shape : std::uint8_t {
    general,
    read,
    write,
    add_constant,
    take_constant,  ///< not below zero
    is_zero
  };

  Shape shape = Shape::general;
  std::uint8_t tests = 0;
  std::uint8_t changes = 0;
  OutputSource output = OutputSource::none;
  std::uint8_t output_outcomes = 0b1111;
  std::uint32_t amount = 0;  ///< of add_constant and take_constant
  std::array<Test, 2> test{};
  std::array<Change, 2> change{};

  [[nodiscard]] bool only_looks() const {
    return shape == Shape::read || shape == Shape::is_zero ||
           (shape == Shape::general && changes == 0);
  }
};

/// Checked against the chip before (check_layouts); here a declaration that does not fit into the
/// fixed-size form is an InvariantBroken.
CompiledAction compile(const RegisterAction& action, RegisterWidth width);

/// What one execution does; `words` is the old entry and becomes the new one.
std::uint32_t evaluate(const CompiledAction& action, RegisterWidth width, Words& words,
                       std::uint32_t a, std::uint32_t b);

/// One array of one pipe: what a pass checks and touches, beside each other.
struct ArrayState {
  std::uint64_t last_pass = 0;  ///< stamp of the last pass that used it
  std::byte* data = nullptr;
  const CompiledAction* actions = nullptr;
  std::uint32_t entries = 0;
  std::uint16_t position = 0;
  RegisterWidth width = RegisterWidth::word;
  std::uint8_t action_count = 0;
  std::uint32_t watchers = 0;  ///< packets in the switch's WaitLine

  [[nodiscard]] Words load(std::uint32_t index) const {
    switch (width) {
      case RegisterWidth::bit:
      case RegisterWidth::byte:
        return {std::to_integer<std::uint32_t>(data[index]), 0};
      case RegisterWidth::half: {
        std::uint16_t half;
        std::memcpy(&half, data + std::size_t{index} * 2, sizeof half);
        return {half, 0};
      }
      case RegisterWidth::word: {
        std::uint32_t word;
        std::memcpy(&word, data + std::size_t{index} * 4, sizeof word);
        return {word, 0};
      }
      case RegisterWidth::half_pair: {
        std::uint32_t both;
        std::memcpy(&both, data + std::size_t{index} * 4, sizeof both);
        return {both & 0xffffU, both >> 16U};
      }
      case RegisterWidth::pair:
        break;
    }
    Words words;
    std::memcpy(&words, data + std::size_t{index} * 8, sizeof words);
    return words;
  }

  void store(std::uint32_t index, Words words) {
    switch (width) {
      case RegisterWidth::bit:
        data[index] = static_cast<std::byte>(words.low & 1U);
        return;
      case RegisterWidth::byte:
        data[index] = static_cast<std::byte>(words.low);
        return;
      case RegisterWidth::half: {
        const auto half = static_cast<std::uint16_t>(words.low);
        std::memcpy(data + std::size_t{index} * 2, &half, sizeof half);
        return;
      }
      case RegisterWidth::word:
        std::memcpy(data + std::size_t{index} * 4, &words.low, sizeof words.low);
        return;
      case RegisterWidth::half_pair: {
        const std::uint32_t both = (words.low & 0xffffU) | (words.high << 16U);
        std::memcpy(data + std::size_t{index} * 4, &both, sizeof both);
        return;
      }
      case RegisterWidth::pair:
        std::memcpy(data + std::size_t{index} * 8, &words, sizeof words);
    }
  }

  /// One switch for width and shape together: the usual actions take a dozen instructions.
  std::uint32_t execute(ActionId id, std::uint32_t index, std::uint32_t a, std::uint32_t b) {
    const CompiledAction& action = actions[id.value()];
    if (action.shape == CompiledAction::Shape::general) return evaluate_at(action, index, a, b);
    switch (width) {
      case RegisterWidth::bit:
        return execute_as<std::uint8_t>(action, index, a, 1);
      case RegisterWidth::byte:
        return execute_as<std::uint8_t>(action, index, a, 0xff);
      case RegisterWidth::half:
        return execute_as<std::uint16_t>(action, index, a, 0xffff);
      case RegisterWidth::word:
      case RegisterWidth::pair:  // pairs are always `general`
      case RegisterWidth::half_pair:
        break;
    }
    return execute_as<std::uint32_t>(action, index, a, 0xffff'ffff);
  }

 private:
  template <class T>
  std::uint32_t execute_as(const CompiledAction& action, std::uint32_t index, std::uint32_t a,
                           std::uint32_t mask) {
    std::byte* const entry = data + std::size_t{index} * sizeof(T);
    T word;
    std::memcpy(&word, entry, sizeof word);
    if (action.shape == CompiledAction::Shape::read) return word;
    if (action.shape == CompiledAction::Shape::is_zero) return word == 0 ? 1 : 0;
    const bool adds = action.shape == CompiledAction::Shape::add_constant;
    if (action.shape == CompiledAction::Shape::take_constant) {
      const auto less = static_cast<T>(word < action.amount ? 0U : word - action.amount);
      std::memcpy(entry, &less, sizeof less);
      return less;
    }
    const auto now = static_cast<T>((adds ? word + action.amount : a) & mask);
    std::memcpy(entry, &now, sizeof now);
    return adds ? now : 0;
  }
  std::uint32_t evaluate_at(const CompiledAction& action, std::uint32_t index, std::uint32_t a,
                            std::uint32_t b);
};

/// The register arrays of one pipe and one program, their data in one contiguous block.
class RegisterBlock {
 public:
  explicit RegisterBlock(const Layout& layout);
  RegisterBlock(const RegisterBlock&) = delete;
  RegisterBlock& operator=(const RegisterBlock&) = delete;
  RegisterBlock(RegisterBlock&&) = default;
  RegisterBlock& operator=(RegisterBlock&&) = default;

  [[nodiscard]] ArrayState* arrays() { return arrays_.data(); }
  [[nodiscard]] ArrayState& operator[](ArrayId id) { return arrays_[id.value()]; }
  [[nodiscard]] const ArrayState& operator[](ArrayId id) const { return arrays_[id.value()]; }
  [[nodiscard]] std::size_t size() const { return arrays_.size(); }
  void clear() { std::fill(data_.begin(), data_.end(), std::byte{0}); }

 private:
  std::vector<CompiledAction> actions_;
  std::vector<std::byte> data_;
  std::vector<ArrayState> arrays_;
};

}  // namespace recirc::pipeline
