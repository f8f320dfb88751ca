#pragma once

#include <array>
#include <cstdint>

namespace recirc::pipeline::programs {

namespace detail {

template <class Word, Word polynomial>
constexpr std::array<Word, 256> crc_table() {
  std::array<Word, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    auto remainder = static_cast<Word>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      const bool odd = (remainder & 1U) != 0;
      remainder = static_cast<Word>((remainder >> 1U) ^ (odd ? polynomial : Word{0}));
    }
    table[byte] = remainder;
  }
  return table;
}

template <class Word, Word polynomial>
constexpr Word crc(std::uint64_t key, Word start) {
  constexpr std::array<Word, 256> table = crc_table<Word, polynomial>();
  Word remainder = start;
  for (int byte = 0; byte < 8; ++byte) {
    const auto index = static_cast<std::uint8_t>(remainder ^ (key >> (8 * byte)));
    remainder = static_cast<Word>((remainder >> 8U) ^ table[index]);
  }
  return remainder;
}

}  // namespace detail

constexpr std::uint16_t crc16(std::uint64_t key) {
  return detail::crc<std::uint16_t, 0xa001>(key, 0);
}
constexpr std::uint32_t crc32(std::uint64_t key) {
  return ~detail::crc<std::uint32_t, 0xedb88320>(key, ~std::uint32_t{0});
}

/// The entry of a key in each row of a sketch: identity, CRC-16, and both halves of CRC-32, as a
/// Tofino's hash units give them.
constexpr std::uint32_t row_index(unsigned row, std::uint64_t key) {
  switch (row) {
    case 0:
      return static_cast<std::uint32_t>(key & 0xffffU);
    case 1:
      return crc16(key);
    case 2:
      return crc32(key) & 0xffffU;
    default:
      return crc32(key) >> 16U;
  }
}

}  // namespace recirc::pipeline::programs
