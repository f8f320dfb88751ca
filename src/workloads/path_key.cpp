#include "workloads/path_key.h"

#include <md5.h>

#include <algorithm>
#include <cstring>

namespace recirc::workloads {
namespace {

/// MD5 writes its state words with the lowest byte first; the key reads those bytes with the
/// highest first.
Key key_of_state(const std::uint32_t* state) {
  return (static_cast<Key>(__builtin_bswap32(state[0])) << 32) | __builtin_bswap32(state[1]);
}

}  // namespace

Key key_of(std::string_view text) { return finish_key(KeyPrefix{}.state(), 0, {}, text); }

KeyPrefix::KeyPrefix() : state_{0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U} {}

void KeyPrefix::append(std::string_view text) {
  for (const char c : text) {
    tail_[length_++ % block] = c;
    if (length_ % block == 0) {
      MD5Transform(state_.data(), reinterpret_cast<const std::uint8_t*>(tail_.data()));
    }
  }
}

Key finish_key(const KeyState& from, std::uint64_t hashed, std::string_view tail,
               std::string_view rest) {
  constexpr std::size_t block = MD5_BLOCK_LENGTH;
  constexpr std::size_t length_field = 8;
  KeyState state = from;
  std::uint8_t buffer[block] = {};
  if (!tail.empty()) std::memcpy(buffer, tail.data(), tail.size());  // an empty view may be null
  std::size_t used = tail.size();
  const std::uint64_t bits = (hashed + tail.size() + rest.size()) * 8;
  while (rest.size() >= block - used) {
    std::memcpy(buffer + used, rest.data(), block - used);
    rest.remove_prefix(block - used);
    used = 0;
    MD5Transform(state.data(), buffer);
    std::memset(buffer, 0, block);
  }
  if (!rest.empty()) std::memcpy(buffer + used, rest.data(), rest.size());
  used += rest.size();
  buffer[used++] = 0x80;
  if (used > block - length_field) {
    MD5Transform(state.data(), buffer);
    std::memset(buffer, 0, block);
  }
  for (std::size_t i = 0; i < length_field; ++i) {
    buffer[block - length_field + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  MD5Transform(state.data(), buffer);
  return key_of_state(state.data());
}

}  // namespace recirc::workloads
