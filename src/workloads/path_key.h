#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/namespace.h"

namespace recirc::workloads {

/// The key of a text: the first 64 bits of its MD5, first byte most significant (Fletch §III).
Key key_of(std::string_view text);

/// The state of MD5 after whole 64-byte blocks.
using KeyState = std::array<std::uint32_t, 4>;

/// The MD5 of a text that has been read so far, kept to go on from: the state after its whole
/// blocks, and the bytes left over. A file's key then costs one block, seldom two, where it goes on
/// from its directory's, instead of all four of its path.
class KeyPrefix {
 public:
  KeyPrefix();
  void append(std::string_view text);
  [[nodiscard]] const KeyState& state() const { return state_; }
  /// How many bytes `state` covers.
  [[nodiscard]] std::uint64_t hashed() const { return length_ - length_ % block; }
  /// The bytes that it does not cover, fewer than 64.
  [[nodiscard]] std::string_view tail() const { return {tail_.data(), length_ % block}; }

 private:
  static constexpr std::size_t block = 64;
  KeyState state_;
  std::uint64_t length_ = 0;
  std::array<char, block> tail_;
};

/// The key of a text of which `from` covers the first `hashed` bytes and `tail` (fewer than 64
/// bytes) and `rest` are what follows.
Key finish_key(const KeyState& from, std::uint64_t hashed, std::string_view tail,
               std::string_view rest);

}  // namespace recirc::workloads
