#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/units.h"

namespace recirc::sim::config {

/// Wide enough for every integer field, int64 and uint64 alike.
using Integer = __int128;

/// Where the default of a field comes from. Every constant that models something has one; only a
/// plain control of the run (its seed, the number of requests) may go without.
struct Provenance {
  enum class Kind : std::uint8_t { control, paper, measured, derived, assumed, fitted };
  Kind kind = Kind::control;
  std::string_view text{};   ///< the section, the derivation, the reason, or the claim's id
  std::string_view range{};  ///< of an assumed or fitted value: what is believable
};

constexpr Provenance paper(std::string_view section) {
  return {Provenance::Kind::paper, section, {}};
}
constexpr Provenance measured(std::string_view how) {
  return {Provenance::Kind::measured, how, {}};
}
constexpr Provenance derived(std::string_view from) {
  return {Provenance::Kind::derived, from, {}};
}
/// `range` is text such as "1us..10us".
constexpr Provenance assumed(std::string_view why, std::string_view range) {
  return {Provenance::Kind::assumed, why, range};
}
/// A claim that a constant was fitted to is reported as calibrated, never as reproduced.
/// `range`, where one is believable.
constexpr Provenance fitted(std::string_view claim, std::string_view range = {}) {
  return {Provenance::Kind::fitted, claim, range};
}

/// "paper: Fletch §IX-A", "assumed (1us..10us): the paper is silent", "" for a plain control.
[[nodiscard]] std::string to_text(const Provenance& provenance);

/// An inclusive bound of a field, in the field's own unit (picoseconds, bytes, bits per second).
class Bound {
 public:
  constexpr Bound() = default;
  template <std::integral I>
  constexpr Bound(I value) : kind_(Kind::integer), integer_(value) {}  // NOLINT: meant implicit
  constexpr Bound(double value) : kind_(Kind::real), real_(value) {}   // NOLINT
  constexpr Bound(Duration value) : Bound(value.count()) {}            // NOLINT
  constexpr Bound(Bytes value) : Bound(value.count()) {}               // NOLINT
  constexpr Bound(BitsPerSecond value) : Bound(value.count()) {}       // NOLINT

  [[nodiscard]] constexpr bool given() const { return kind_ != Kind::none; }
  [[nodiscard]] constexpr Integer integer() const {
    return kind_ == Kind::real ? static_cast<Integer>(real_) : integer_;
  }
  [[nodiscard]] constexpr double real() const {
    return kind_ == Kind::real ? real_ : static_cast<double>(integer_);
  }

 private:
  enum class Kind : std::uint8_t { none, integer, real };
  Kind kind_ = Kind::none;
  Integer integer_ = 0;
  double real_ = 0;
};

/// What happens when a run reaches a limit: it is counted, or the run ends with an error.
enum class LimitKind : std::uint8_t { none, metric, error };

/// What a field is besides its name, type and default. Strings must outlive the call to describe()
/// (write literals); members in this order, as designated initialisers want them.
struct FieldInfo {
  std::string_view doc{};             ///< one sentence
  Provenance from{};                  ///< of the default
  Bound min{};                        ///< inclusive; quantities are never below 0 unless given
  Bound max{};                        ///< inclusive
  std::size_t min_size = 0;           ///< of a list: items; of a text: bytes
  std::size_t max_size = 65'536;      ///< likewise
  std::string_view example{};         ///< as a user would write it, e.g. "1.5us"
  LimitKind limit = LimitKind::none;  ///< set on every field that limits something
  std::span<const std::string_view> allowed{};  ///< of a text: its values, if they are listable
  bool count = false;                           ///< an integer that may be written "32M" or "1.5k"
  bool required = false;  ///< has no usable default: leaving it out is an issue
};

}  // namespace recirc::sim::config
