#include "sim/config/varied.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sim/config/field_walk.h"
#include "sim/config/json_value.h"
#include "sim/config/quantity.h"

namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

/// "1us..10us", "poisson or periodic", "validation, leases".
std::vector<std::string> ends_of(std::string_view range) {
  for (const std::string_view between : {"..", " or ", ", "}) {
    const std::size_t at = range.find(between);
    if (at == std::string_view::npos) continue;
    return {trimmed(range.substr(0, at)), trimmed(range.substr(at + between.size()))};
  }
  return {};
}

std::optional<Json> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Json(value);
}

std::optional<Json> whole_number_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Json(value);
}

/// One end of a range as a value of this scalar, if it is one.
std::optional<Json> value_in(const Scalar& scalar, const std::string& text) {
  const ScalarKind kind = scalar.kind();
  switch (kind) {
    case ScalarKind::real:
      return number_of(text);
    case ScalarKind::integer:
      return whole_number_of(text);
    case ScalarKind::enumeration:
      for (const EnumName& name : std::get<EnumRef>(scalar.is).names) {
        if (name.name == text) return Json(text);
      }
      return std::nullopt;
    case ScalarKind::boolean:
    case ScalarKind::text:
    case ScalarKind::json:
      return std::nullopt;
    default:
      return parse_quantity(kind, text).value ? std::optional<Json>(text) : std::nullopt;
  }
}

std::optional<Json> value_in(const Value& value, const std::string& text) {
  if (const auto* scalar = std::get_if<Scalar>(&value.is)) return value_in(*scalar, text);
  if (const auto* choice = std::get_if<Choice>(&value.is)) {
    for (const Choice::Alternative& alternative : choice->alternatives) {
      if (alternative.kind == text) return Json(text);
    }
  }
  if (const auto* optional = std::get_if<Optional>(&value.is)) {
    const bool was_engaged = optional->engaged(optional->object);
    if (!was_engaged) optional->engage(optional->object);
    auto found = value_in(optional->held(optional->object), text);
    if (!was_engaged) optional->reset(optional->object);
    return found;
  }
  return std::nullopt;
}

class Lister final : public FieldWalk {
 public:
  std::vector<VariedField> list;

 private:
  void found(const std::string& pointer, const Value& value, const FieldInfo& info) override {
    const auto kind = info.from.kind;
    if (kind != Provenance::Kind::assumed && kind != Provenance::Kind::fitted) return;
    VariedField field{pointer, to_text(info.from), json_of(value).dump(), {}};
    for (const std::string& end : ends_of(info.from.range)) {
      if (const auto json = value_in(value, end)) field.values.push_back(json->dump());
    }
    if (field.values.size() != 2) field.values.clear();
    std::erase(field.values, field.value);  // an end where it stands already moves nothing
    list.push_back(std::move(field));
  }
};

}  // namespace

std::vector<VariedField> varied_fields_of(const Group& source) {
  Lister lister;
  lister.look_into(Value{source});
  return std::move(lister.list);
}

}  // namespace recirc::sim::config
