#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sim/config/value.h"

namespace recirc::sim::config {

template <class T>
Value value_of(T& value);
template <class T>
Group group_of(T& value);

/// What a struct's describe() reports its fields to. Reader, writer, schema and reference are
/// visitors; a describe() lists every field once, always, in the order users shall see.
///
/// Types of a field: bool, int32/uint32/int64/uint64, double, std::string, Duration ("1.5us"),
/// Bytes ("4MiB"), BitsPerSecond ("100Gbps"), enums with names_of(), structs with describe(),
/// std::vector, std::array and std::optional of these, std::variant of structs that have
/// `static constexpr std::string_view kind` (and `kind_doc`, optional), nlohmann::ordered_json.
class Visitor {
 public:
  Visitor() = default;
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;
  virtual ~Visitor() = default;

  template <class T>
  void field(std::string_view name, T& value, const FieldInfo& info) {
    on_field(name, value_of(value), info);
  }
  /// An integer (or a list of them) that may also be written "32M", "3k" or "1.5M".
  template <class T>
  void count(std::string_view name, T& value, FieldInfo info) {
    info.count = true;
    on_field(name, value_of(value), info);
  }
  /// A nested struct.
  template <class T>
  void group(std::string_view name, T& value, std::string_view doc) {
    on_field(name, value_of(value), FieldInfo{.doc = doc});
  }

 protected:
  virtual void on_field(std::string_view name, const Value& value, const FieldInfo& info) = 0;
};

namespace detail {

template <class T>
inline constexpr bool is_scalar =
    std::is_same_v<T, bool> || std::is_same_v<T, std::int32_t> ||
    std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::string> || std::is_same_v<T, Duration> || std::is_same_v<T, Bytes> ||
    std::is_same_v<T, BitsPerSecond> || std::is_same_v<T, nlohmann::ordered_json>;

template <class T>
concept Validated = requires(const T& value, Issues& issues) {
  validate(value, issues);
};

template <class T>
constexpr std::string_view kind_doc_of() {
  if constexpr (requires { T::kind_doc; }) {
    return T::kind_doc;
  } else {
    return {};
  }
}

template <class T>
struct Container {
  static constexpr bool known = false;
};

template <class T>
struct Container<std::vector<T>> {
  static constexpr bool known = true;
  using Vector = std::vector<T>;
  static_assert(!std::is_same_v<T, bool>, "vector<bool> has no addressable items");
  static Value value(Vector& list) {
    return {List{&list, [](const void* p) { return static_cast<const Vector*>(p)->size(); },
                 [](void* p, std::size_t n) {
                   static_cast<Vector*>(p)->clear();
                   static_cast<Vector*>(p)->resize(n);
                 },
                 [](void* p, std::size_t i) { return value_of((*static_cast<Vector*>(p))[i]); }}};
  }
};

template <class T, std::size_t N>
struct Container<std::array<T, N>> {
  static constexpr bool known = true;
  static Value value(std::array<T, N>& list) {
    return {List{
        &list, [](const void*) { return N; }, nullptr,
        [](void* p, std::size_t i) { return value_of((*static_cast<std::array<T, N>*>(p))[i]); }}};
  }
};

template <class T>
struct Container<std::optional<T>> {
  static constexpr bool known = true;
  using Maybe = std::optional<T>;
  static Value value(Maybe& maybe) {
    return {Optional{&maybe,
                     [](const void* p) { return static_cast<const Maybe*>(p)->has_value(); },
                     [](void* p) { static_cast<Maybe*>(p)->emplace(); },
                     [](void* p) { static_cast<Maybe*>(p)->reset(); },
                     [](void* p) { return value_of(**static_cast<Maybe*>(p)); }}};
  }
};

template <class... Ts>
struct Container<std::variant<Ts...>> {
  static constexpr bool known = true;
  using Either = std::variant<Ts...>;
  static constexpr Choice::Alternative alternatives[] = {{Ts::kind, kind_doc_of<Ts>()}...};
  static void emplace(void* p, std::size_t index) {
    using Make = void (*)(Either&);
    static constexpr Make make[] = {[](Either& either) { either.template emplace<Ts>(); }...};
    make[index](*static_cast<Either*>(p));
  }
  static Group held(void* p) {
    return std::visit([](auto& alternative) { return group_of(alternative); },
                      *static_cast<Either*>(p));
  }
  static Value value(Either& either) {
    return {Choice{&either, alternatives,
                   [](const void* p) { return static_cast<const Either*>(p)->index(); }, &emplace,
                   &held}};
  }
};

}  // namespace detail

/// The handle of a struct that has a describe().
template <class T>
Group group_of(T& value) {
  Group group{&value, [](Visitor& v, void* p) { describe(v, *static_cast<T*>(p)); }, nullptr};
  if constexpr (detail::Validated<T>) {
    group.validate = [](const void* p, Issues& issues) {
      validate(*static_cast<const T*>(p), issues);
    };
  }
  return group;
}

/// The handle of a value of any type that can be described.
template <class T>
Value value_of(T& value) {
  if constexpr (detail::is_scalar<T>) {
    return {Scalar{&value}};
  } else if constexpr (std::is_enum_v<T>) {
    return {Scalar{EnumRef{
        &value, [](const void* p) { return static_cast<std::int64_t>(*static_cast<const T*>(p)); },
        [](void* p, std::int64_t v) { *static_cast<T*>(p) = static_cast<T>(v); }, names_of(T{})}}};
  } else if constexpr (detail::Container<T>::known) {
    return detail::Container<T>::value(value);
  } else {
    return {group_of(value)};
  }
}

}  // namespace recirc::sim::config
