#include <nlohmann/json.hpp>

#include "sim/config.h"
#include "sim/config/bounds.h"
#include "sim/config/field_walk.h"
#include "sim/config/json_value.h"

namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

/// Writes the effective configuration: every field, in the order described.
class Writer final : public Visitor {
 public:
  static Json write(const Group& group, Json object = Json::object()) {
    Writer writer;
    writer.object_ = std::move(object);
    group.describe(writer, group.object);
    return std::move(writer.object_);
  }

  static Json write(const Value& value) {
    if (const auto* scalar = std::get_if<Scalar>(&value.is)) return json_of(*scalar);
    if (const auto* group = std::get_if<Group>(&value.is)) return write(*group);
    if (const auto* choice = std::get_if<Choice>(&value.is)) {
      const std::size_t index = choice->index(choice->object);
      return write(choice->held(choice->object),
                   Json{{"kind", std::string(choice->alternatives[index].kind)}});
    }
    if (const auto* optional = std::get_if<Optional>(&value.is)) {
      if (!optional->engaged(optional->object)) return nullptr;
      return write(optional->held(optional->object));
    }
    const List& list = std::get<List>(value.is);
    Json items = Json::array();
    for (std::size_t i = 0; i < list.size(list.object); ++i) {
      items.push_back(write(list.item(list.object, i)));
    }
    return items;
  }

 private:
  void on_field(std::string_view name, const Value& value, const FieldInfo& /*info*/) override {
    object_[std::string(name)] = write(value);
  }

  Json object_;
};

void flatten(const Json& json, const std::string& pointer, FlatList& out) {
  if (json.is_structured() && !json.empty()) {
    for (const auto& item : json.items()) {
      flatten(item.value(), pointer + '/' + escape_pointer(item.key()), out);
    }
    return;
  }
  out.emplace_back(pointer, json.dump());
}

/// Lists where the defaults come from.
class ProvenanceLister final : public FieldWalk {
 public:
  FlatList list;

 private:
  void found(const std::string& pointer, const Value& /*value*/, const FieldInfo& info) override {
    if (info.from.kind != Provenance::Kind::control) list.emplace_back(pointer, to_text(info.from));
  }
};

}  // namespace

Json json_of(const Scalar& scalar) {
  const ScalarKind kind = scalar.kind();
  switch (kind) {
    case ScalarKind::boolean:
      return *std::get<bool*>(scalar.is);
    case ScalarKind::real:
      return *std::get<double*>(scalar.is);
    case ScalarKind::text:
      return *std::get<std::string*>(scalar.is);
    case ScalarKind::json:
      return *std::get<Json*>(scalar.is);
    case ScalarKind::integer:
      return json_of(scalar.integer());
    case ScalarKind::enumeration:
      for (const EnumName& name : std::get<EnumRef>(scalar.is).names) {
        if (name.value == scalar.integer()) return std::string(name.name);
      }
      throw InvariantBroken("an enumerator has no name in its names_of()");
    default:
      return written(kind, scalar.integer());
  }
}

Json json_of(Integer value) {
  if (value < 0) return static_cast<std::int64_t>(value);
  return static_cast<std::uint64_t>(value);
}

Json json_of(const Value& value) { return Writer::write(value); }

Json effective_of(const Group& source) { return Writer::write(source); }

std::string effective_text_of(const Group& source, int indent) {
  return effective_of(source).dump(indent);
}

FlatList flat_of(const Group& source) {
  FlatList out;
  const Json json = effective_of(source);
  if (!json.empty()) flatten(json, "", out);
  return out;
}

FlatList provenances_of(const Group& source) {
  ProvenanceLister lister;
  lister.look_into(Value{source});
  return std::move(lister.list);
}

}  // namespace recirc::sim::config
