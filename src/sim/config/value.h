#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "sim/config/field_info.h"

// What a described value is, without its C++ type: the readers and writers of configurations are
// compiled once, on these handles. A handle does not own what it refers to.
namespace recirc::sim::config {

class Visitor;
class Issues;
struct Value;

/// A name of an enumerator. An enum E is described by a function found beside it:
///     constexpr EnumName loop_names[] = {{"cable", Loop::cable, "…"}, {"native", Loop::native}};
///     inline std::span<const EnumName> names_of(Loop) { return loop_names; }
struct EnumName {
  template <class E>
  requires std::is_enum_v<E>
  constexpr EnumName(std::string_view name_, E value_, std::string_view doc_ = {})
      : name(name_), value(static_cast<std::int64_t>(value_)), doc(doc_) {}
  std::string_view name;
  std::int64_t value;
  std::string_view doc;
};

struct EnumRef {
  void* object;
  std::int64_t (*get)(const void*);
  void (*set)(void*, std::int64_t);
  std::span<const EnumName> names;
};

enum class ScalarKind : std::uint8_t {
  boolean,
  integer,
  real,
  text,
  duration,
  bytes,
  rate,
  enumeration,
  json,  ///< any JSON value, read by the program itself
};

/// A value that is written as one JSON scalar.
struct Scalar {
  std::variant<bool*, std::int32_t*, std::uint32_t*, std::int64_t*, std::uint64_t*, double*,
               std::string*, Duration*, Bytes*, BitsPerSecond*, EnumRef, nlohmann::ordered_json*>
      is;

  [[nodiscard]] ScalarKind kind() const;
  /// Of integers, durations, bytes, rates and enumerations.
  [[nodiscard]] Integer integer() const;
  void set_integer(Integer value) const;
  /// What the C++ type can hold, e.g. 0 and 4,294,967,295.
  [[nodiscard]] Integer lowest() const;
  [[nodiscard]] Integer highest() const;
};

/// A struct with a describe() of its own.
struct Group {
  void* object;
  void (*describe)(Visitor&, void*);
  void (*validate)(const void*, Issues&);  ///< null if the struct has no validate()
};

/// A std::vector, or a std::array, whose size is fixed.
struct List {
  void* object;
  std::size_t (*size)(const void*);
  void (*resize)(void*, std::size_t);  ///< null if fixed; new items are default-constructed
  Value (*item)(void*, std::size_t);
};

struct Optional {
  void* object;
  bool (*engaged)(const void*);
  void (*engage)(void*);  ///< with a default-constructed value
  void (*reset)(void*);
  Value (*held)(void*);
};

/// A std::variant of structs: {"kind": "lognormal", "sigma": 0.4}.
struct Choice {
  struct Alternative {
    std::string_view kind;
    std::string_view doc;
  };
  void* object;
  std::span<const Alternative> alternatives;
  std::size_t (*index)(const void*);
  void (*emplace)(void*, std::size_t);  ///< a default-constructed alternative
  Group (*held)(void*);
};

/// The n-th alternative to look at when looking at all: the one held comes first, while it still
/// has its defaults, as emplacing another one loses them.
constexpr std::size_t held_first(std::size_t held, std::size_t n) {
  if (n == 0) return held;
  return n <= held ? n - 1 : n;
}

struct Value {
  std::variant<Scalar, Group, List, Optional, Choice> is;
};

}  // namespace recirc::sim::config
