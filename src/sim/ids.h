#pragma once

#include <compare>
#include <cstdint>

namespace recirc::sim {

/// An index that cannot be mixed up with an index of another kind.
template <class Tag, class Rep = std::uint32_t>
class Id {
 public:
  using rep = Rep;
  constexpr Id() = default;
  explicit constexpr Id(Rep value) : value_(value) {}
  [[nodiscard]] constexpr Rep value() const { return value_; }
  /// The id that names nothing.
  static constexpr Id none() { return Id{static_cast<Rep>(~Rep{0})}; }
  [[nodiscard]] constexpr bool is_none() const { return *this == none(); }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  Rep value_ = static_cast<Rep>(~Rep{0});
};

}  // namespace recirc::sim
