#include "sim/config/value.h"

#include <limits>

#include "sim/config/visitor.h"

namespace recirc::sim::config {
namespace {

template <class T>
constexpr bool is_plain_integer =
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> ||
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;

template <class T>
constexpr ScalarKind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return ScalarKind::boolean;
  if constexpr (is_plain_integer<T>) return ScalarKind::integer;
  if constexpr (std::is_same_v<T, double>) return ScalarKind::real;
  if constexpr (std::is_same_v<T, std::string>) return ScalarKind::text;
  if constexpr (std::is_same_v<T, Duration>) return ScalarKind::duration;
  if constexpr (std::is_same_v<T, Bytes>) return ScalarKind::bytes;
  if constexpr (std::is_same_v<T, BitsPerSecond>) return ScalarKind::rate;
  return ScalarKind::json;
}

template <class T>
constexpr bool has_count =
    std::is_same_v<T, Duration> || std::is_same_v<T, Bytes> || std::is_same_v<T, BitsPerSecond>;

template <class P>
using Pointee = std::remove_pointer_t<std::decay_t<P>>;

}  // namespace

ScalarKind Scalar::kind() const {
  return std::visit(
      [](const auto& p) {
        if constexpr (std::is_same_v<std::decay_t<decltype(p)>, EnumRef>) {
          return ScalarKind::enumeration;
        } else {
          return kind_of<Pointee<decltype(p)>>();
        }
      },
      is);
}

Integer Scalar::integer() const {
  return std::visit(
      [](const auto& p) -> Integer {
        using T = Pointee<decltype(p)>;
        if constexpr (std::is_same_v<T, EnumRef>) {
          return p.get(p.object);
        } else if constexpr (is_plain_integer<T>) {
          return *p;
        } else if constexpr (has_count<T>) {
          return p->count();
        } else {
          return 0;
        }
      },
      is);
}

void Scalar::set_integer(Integer value) const {
  std::visit(
      [value](const auto& p) {
        using T = Pointee<decltype(p)>;
        if constexpr (std::is_same_v<T, EnumRef>) {
          p.set(p.object, static_cast<std::int64_t>(value));
        } else if constexpr (is_plain_integer<T>) {
          *p = static_cast<T>(value);
        } else if constexpr (has_count<T>) {
          *p = T{static_cast<std::int64_t>(value)};
        }
      },
      is);
}

Integer Scalar::lowest() const {
  return std::visit(
      [](const auto& p) -> Integer {
        using T = Pointee<decltype(p)>;
        if constexpr (is_plain_integer<T>) {
          return std::numeric_limits<T>::min();
        } else {
          return -std::numeric_limits<std::int64_t>::max();
        }
      },
      is);
}

Integer Scalar::highest() const {
  return std::visit(
      [](const auto& p) -> Integer {
        using T = Pointee<decltype(p)>;
        if constexpr (is_plain_integer<T>) {
          return std::numeric_limits<T>::max();
        } else {
          return std::numeric_limits<std::int64_t>::max();
        }
      },
      is);
}

}  // namespace recirc::sim::config
