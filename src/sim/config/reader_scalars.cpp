#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/config/bounds.h"
#include "sim/config/quantity.h"
#include "sim/config/reader.h"
#include "sim/config/suggestion.h"

// The part of the strict reader that takes single values.
namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

/// Beyond this a double no longer tells neighbouring integers apart.
constexpr double largest_exact = 9'007'199'254'740'992.0;

std::string shown(const Json& json) {
  if (json.is_null()) return "null";
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list";
  if (json.is_string()) return "the text " + in_quotes(json.get_ref<const std::string&>());
  return json.dump();
}

}  // namespace

void Reader::report_type(std::string_view wanted, const Json& found, std::string suggestion) {
  report(fmt::format("must be {}, found {}", wanted, shown(found)), std::move(suggestion));
}

void Reader::read_scalar(const Json& json, const Scalar& scalar, const FieldInfo& info) {
  switch (scalar.kind()) {
    case ScalarKind::boolean:
      if (json.is_boolean()) {
        *std::get<bool*>(scalar.is) = json.get<bool>();
      } else {
        report_type("true or false", json);
      }
      return;
    case ScalarKind::integer:
      return read_integer(json, scalar, info);
    case ScalarKind::real:
      return read_real(json, scalar, info);
    case ScalarKind::text:
      return read_text(json, scalar, info);
    case ScalarKind::duration:
    case ScalarKind::bytes:
    case ScalarKind::rate:
      return read_quantity(json, scalar, info);
    case ScalarKind::enumeration:
      return read_enumeration(json, scalar);
    case ScalarKind::json:
      *std::get<Json*>(scalar.is) = json;
      return;
  }
}

void Reader::set_in_range(const Scalar& scalar, Integer value, const FieldInfo& info) {
  const Integer low = lowest_of(scalar, info);
  const Integer high = highest_of(scalar, info);
  if (value >= low && value <= high) {
    scalar.set_integer(value);
    return;
  }
  const ScalarKind kind = scalar.kind();
  report(fmt::format("must be {} to {}, found {}", written(kind, low), written(kind, high),
                     written(kind, value)));
}

void Reader::read_integer(const Json& json, const Scalar& scalar, const FieldInfo& info) {
  if (json.is_number_unsigned()) {
    set_in_range(scalar, static_cast<Integer>(json.get<std::uint64_t>()), info);
  } else if (json.is_number_integer()) {
    set_in_range(scalar, static_cast<Integer>(json.get<std::int64_t>()), info);
  } else if (json.is_number_float()) {
    const double value = json.get<double>();
    if (!(std::abs(value) <= largest_exact)) {  // NaN too
      report(fmt::format("must be an integer, found {}, which is too large to be exact", value));
    } else if (const auto whole = static_cast<std::int64_t>(value);
               static_cast<double>(whole) != value) {
      report(fmt::format("must be an integer, found {}", value));
    } else {
      set_in_range(scalar, whole, info);
    }
  } else if (json.is_string() && info.count) {
    read_quantity(json, scalar, info);
  } else {
    report_type(info.count ? "an integer or a count such as \"32M\"" : "an integer", json);
  }
}

void Reader::read_real(const Json& json, const Scalar& scalar, const FieldInfo& info) {
  if (!json.is_number()) {
    report_type("a number", json);
    return;
  }
  const double value = json.get<double>();
  const bool low = info.min.given() && value < info.min.real();
  const bool high = info.max.given() && value > info.max.real();
  if (!std::isfinite(value)) {
    report("must be a finite number");
  } else if (low || high) {
    report(fmt::format("must be {}, found {}", range_text(scalar, info), value));
  } else {
    *std::get<double*>(scalar.is) = value;
  }
}

void Reader::read_text(const Json& json, const Scalar& scalar, const FieldInfo& info) {
  if (!json.is_string()) {
    report_type("text", json, info.allowed.empty() ? "" : suggest("", info.allowed, "one of"));
    return;
  }
  const auto& text = json.get_ref<const std::string&>();
  if (text.size() < info.min_size || text.size() > info.max_size) {
    report(fmt::format("must have {} to {} bytes, found {}", info.min_size, info.max_size,
                       text.size()));
  } else if (!info.allowed.empty() &&
             std::find(info.allowed.begin(), info.allowed.end(), text) == info.allowed.end()) {
    report(fmt::format("{} is not known here", in_quotes(text)),
           suggest(text, info.allowed, "one of"));
  } else {
    *std::get<std::string*>(scalar.is) = text;
  }
}

void Reader::read_quantity(const Json& json, const Scalar& scalar, const FieldInfo& info) {
  const ScalarKind kind = scalar.kind();
  const std::string_view example = info.example.empty() ? quantity_example(kind) : info.example;
  if (!json.is_string()) {
    const std::string_view unitless = json.is_number() ? ", found a bare number" : "";
    report(fmt::format("must be {} with its unit{}", quantity_noun(kind),
                       unitless.empty() ? ", found " + shown(json) : std::string(unitless)),
           fmt::format("e.g. \"{}\"", example));
    return;
  }
  const auto& text = json.get_ref<const std::string&>();
  const ParsedQuantity parsed = parse_quantity(kind, text);
  if (parsed.value) {
    set_in_range(scalar, *parsed.value, info);
  } else {
    report(
        fmt::format("must be {}, but {} {}", quantity_noun(kind), in_quotes(text), parsed.problem),
        fmt::format("e.g. \"{}\"", example));
  }
}

void Reader::read_enumeration(const Json& json, const Scalar& scalar) {
  const EnumRef& ref = std::get<EnumRef>(scalar.is);
  std::vector<std::string_view> names;
  for (const EnumName& name : ref.names) names.push_back(name.name);
  if (!json.is_string()) {
    report_type("text", json, suggest("", names, "one of"));
    return;
  }
  const auto& text = json.get_ref<const std::string&>();
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    report(fmt::format("{} is no value of it", in_quotes(text)), suggest(text, names, "one of"));
    return;
  }
  ref.set(ref.object, ref.names[static_cast<std::size_t>(found - names.begin())].value);
}

}  // namespace recirc::sim::config
