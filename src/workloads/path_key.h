#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/namespace.h"

namespace recirc::workloads {

/// The key of a text: the first 64 bits of its MD5, first byte most significant (Fletch §III).
Key key_of(std::string_view text);

/// The MD5 of a text that has been read so far, kept to go on from: the state after its whole
/// 64-byte blocks, and the bytes left over. A file's key costs one or two blocks when it goes on
/// from its directory's, instead of all four of its path.
class KeyPrefix {
 public:
  KeyPrefix();
  void append(std::string_view text);
  /// The key of the text so far followed by `rest`; leaves this prefix as it is.
  [[nodiscard]] Key key_with(std::string_view rest) const;

 private:
  static constexpr std::size_t block = 64;
  std::array<std::uint32_t, 4> state_;
  std::uint32_t length_ = 0;
  std::array<std::uint8_t, block> tail_{};
};

}  // namespace recirc::workloads
