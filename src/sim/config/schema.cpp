#include <nlohmann/json.hpp>

#include "sim/config.h"
#include "sim/config/bounds.h"
#include "sim/config/json_value.h"
#include "sim/config/quantity.h"

namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const Scalar& scalar, const FieldInfo& info) {
  Json schema{{"type", "number"}};
  if (scalar.kind() == ScalarKind::integer) {
    schema["type"] = "integer";
    schema["minimum"] = json_of(lowest_of(scalar, info));
    schema["maximum"] = json_of(highest_of(scalar, info));
  } else {
    if (info.min.given()) schema["minimum"] = info.min.real();
    if (info.max.given()) schema["maximum"] = info.max.real();
  }
  return schema;
}

Json quantity_schema(const Scalar& scalar, const FieldInfo& info) {
  const bool below_zero = lowest_of(scalar, info) < 0;
  return {{"type", "string"}, {"pattern", quantity_pattern(scalar.kind(), below_zero)}};
}

Json text_schema(const FieldInfo& info) {
  if (!info.allowed.empty()) {
    Json names = Json::array();
    for (const std::string_view name : info.allowed) names.push_back(std::string(name));
    return {{"enum", names}};
  }
  // Sizes are in bytes and the schema's lengths in characters, of at most four bytes each.
  return {{"type", "string"}, {"minLength", (info.min_size + 3) / 4}, {"maxLength", info.max_size}};
}

Json scalar_schema(const Scalar& scalar, const FieldInfo& info) {
  const ScalarKind kind = scalar.kind();
  switch (kind) {
    case ScalarKind::boolean:
      return {{"type", "boolean"}};
    case ScalarKind::integer:
      if (!info.count) return number_schema(scalar, info);
      return {{"anyOf", Json::array({number_schema(scalar, info), quantity_schema(scalar, info)})}};
    case ScalarKind::real:
      return number_schema(scalar, info);
    case ScalarKind::text:
      return text_schema(info);
    case ScalarKind::enumeration: {
      Json names = Json::array();
      for (const EnumName& name : std::get<EnumRef>(scalar.is).names) {
        names.push_back(std::string(name.name));
      }
      return {{"enum", names}};
    }
    case ScalarKind::json:
      return Json::object();
    default:
      return quantity_schema(scalar, info);
  }
}

Json schema_of_value(const Value& value, const FieldInfo& info);

/// Collects the properties of one struct.
class SchemaWriter final : public Visitor {
 public:
  /// `kind` is the name of a choice's alternative, or empty.
  static Json write(const Group& group, std::string_view kind) {
    SchemaWriter writer;
    if (!kind.empty()) {
      writer.properties_["kind"] = {{"const", std::string(kind)}};
      writer.required_.push_back("kind");
    }
    group.describe(writer, group.object);
    Json schema{{"type", "object"}, {"properties", std::move(writer.properties_)}};
    if (!writer.required_.empty()) schema["required"] = std::move(writer.required_);
    schema["additionalProperties"] = false;
    return schema;
  }

 private:
  void on_field(std::string_view name, const Value& value, const FieldInfo& info) override {
    Json schema = Json::object();
    if (const std::string text = description(value, info); !text.empty()) {
      schema["description"] = text;
    }
    if (const std::string from = to_text(info.from); !from.empty()) schema["$comment"] = from;
    // The default first: looking at every kind of a choice changes the object.
    Json usual = json_of(value);
    schema.update(schema_of_value(value, info));
    if (!info.required && !std::holds_alternative<Group>(value.is)) {
      schema["default"] = std::move(usual);
    }
    if (!info.example.empty()) {
      schema["examples"] = Json::array({std::string(info.example)});
    }
    if (info.required) required_.push_back(std::string(name));
    properties_[std::string(name)] = std::move(schema);
  }

  static std::string description(const Value& value, const FieldInfo& info) {
    std::string text(info.doc);
    const auto* scalar = std::get_if<Scalar>(&value.is);
    if (scalar != nullptr && scalar->kind() != ScalarKind::integer &&
        scalar->kind() != ScalarKind::real) {
      if (const std::string range = range_text(*scalar, info); !range.empty()) {
        text += (text.empty() ? "Range: " : " Range: ") + range + ".";
      }
    }
    return text;
  }

  Json properties_ = Json::object();
  Json required_ = Json::array();
};

Json choice_schema(const Choice& choice) {
  Json shorts = Json::array();
  Json all = Json::array({nullptr});
  const std::size_t held = choice.index(choice.object);
  for (std::size_t n = 0; n < choice.alternatives.size(); ++n) {
    const std::size_t index = held_first(held, n);
    if (index != held) choice.emplace(choice.object, index);
    const Choice::Alternative& alternative = choice.alternatives[index];
    Json schema = SchemaWriter::write(choice.held(choice.object), alternative.kind);
    if (schema["required"].size() == 1) shorts.push_back(std::string(alternative.kind));
    if (!alternative.doc.empty()) schema["description"] = std::string(alternative.doc);
    all.push_back(std::move(schema));
  }
  all[0] = {{"enum", std::move(shorts)}};
  return {{"oneOf", std::move(all)}};
}

Json list_schema(const List& list, const FieldInfo& info) {
  Json schema{{"type", "array"}};
  const bool fixed = list.resize == nullptr;
  const std::size_t size = list.size(list.object);
  schema["minItems"] = fixed ? size : info.min_size;
  schema["maxItems"] = fixed ? size : info.max_size;
  if (!fixed) list.resize(list.object, 1);
  if (!fixed || size != 0) {
    FieldInfo item = info;
    item.min_size = 0;
    item.max_size = FieldInfo{}.max_size;
    schema["items"] = schema_of_value(list.item(list.object, 0), item);
  }
  return schema;
}

Json schema_of_value(const Value& value, const FieldInfo& info) {
  if (const auto* scalar = std::get_if<Scalar>(&value.is)) return scalar_schema(*scalar, info);
  if (const auto* group = std::get_if<Group>(&value.is)) return SchemaWriter::write(*group, {});
  if (const auto* choice = std::get_if<Choice>(&value.is)) return choice_schema(*choice);
  if (const auto* list = std::get_if<List>(&value.is)) return list_schema(*list, info);
  const Optional& optional = std::get<Optional>(value.is);
  if (!optional.engaged(optional.object)) optional.engage(optional.object);
  return {{"anyOf", Json::array({Json{{"type", "null"}},
                                 schema_of_value(optional.held(optional.object), info)})}};
}

}  // namespace

Json schema_of(const Group& defaults, std::string_view title) {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", std::string(title)}};
  schema.update(SchemaWriter::write(defaults, {}));
  schema["properties"]["$schema"] = {{"type", "string"}};
  return schema;
}

std::string schema_text_of(const Group& defaults, std::string_view title) {
  return schema_of(defaults, title).dump(2);
}

}  // namespace recirc::sim::config
