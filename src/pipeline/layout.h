#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/ids.h"
#include "pipeline/register_action.h"

namespace recirc::pipeline {

struct Field {
  std::string name;
  std::uint32_t bits = 0;
};

struct HeaderSpec {
  std::string name;
  std::vector<Field> fields;
  bool metadata = false;  ///< bridged or local metadata, not on the wire
  /// Headers with the same overlay name are never valid together and may share containers.
  std::string overlay;
};

enum class MatchKind : std::uint8_t { exact, ternary, longest_prefix };

struct TableSpec {
  std::string name;
  MatchKind match = MatchKind::exact;
  Gress gress = Gress::ingress;
  std::uint8_t stage = 0;
  std::vector<Field> key;  ///< field names as "header.field"; their bits
  std::uint32_t entries = 0;
  std::uint32_t result_bits = 0;  ///< at most 64
};

/// A pair is two words of 32 bits, a half_pair two of 16.
enum class RegisterWidth : std::uint8_t { bit, byte, half, word, pair, half_pair };

[[nodiscard]] constexpr bool is_pair(RegisterWidth width) {
  return width == RegisterWidth::pair || width == RegisterWidth::half_pair;
}

[[nodiscard]] std::uint32_t bits_of(RegisterWidth width);

struct ArraySpec {
  std::string name;
  Gress gress = Gress::ingress;
  std::uint8_t stage = 0;
  std::uint32_t entries = 0;
  RegisterWidth width = RegisterWidth::word;
  std::vector<RegisterAction> actions;  ///< ActionId is the index
};

/// Something a native program computes in C++ on header fields. Declared for the reports and for
/// placement; unlike tables and register actions, it is not enforced.
struct Computation {
  std::string name;
  Gress gress = Gress::ingress;
  std::uint8_t stage = 0;
  std::vector<std::string> reads;
  std::vector<std::string> writes;
};

/// The declaration of a program: what it is checked by, reported by and run with.
struct Layout {
  std::string program;
  std::vector<HeaderSpec> headers;
  std::vector<TableSpec> tables;
  std::vector<ArraySpec> arrays;
  std::vector<Computation> computations;
  std::uint32_t parser_rows = 1;
  /// The program mirrors in ingress: such a copy is of the packet as received, so that it is kept.
  bool ingress_mirror = false;

  HeaderId add(HeaderSpec header);
  TableId add(TableSpec table);
  ArrayId add(ArraySpec array);
  void add(Computation computation);

  /// By name; InvariantBroken when there is none.
  [[nodiscard]] TableId table(std::string_view name) const;
  [[nodiscard]] ArrayId array(std::string_view name) const;
  [[nodiscard]] ActionId action(ArrayId array, std::string_view name) const;
};

}  // namespace recirc::pipeline
