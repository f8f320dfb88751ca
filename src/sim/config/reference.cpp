#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sim/config.h"
#include "sim/config/bounds.h"
#include "sim/config/json_value.h"
#include "sim/config/quantity.h"

namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

/// A cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

std::string scalar_type(const Scalar& scalar, const FieldInfo& info) {
  std::string names;
  const auto add = [&names](std::string_view name) {
    names += (names.empty() ? "one of " : ", ") + code(name);
  };
  switch (scalar.kind()) {
    case ScalarKind::boolean:
      return "true or false";
    case ScalarKind::integer:
      return info.count ? "count" : "integer";
    case ScalarKind::real:
      return "number";
    case ScalarKind::text:
      for (const std::string_view name : info.allowed) add(name);
      return names.empty() ? "text" : names;
    case ScalarKind::enumeration:
      for (const EnumName& name : std::get<EnumRef>(scalar.is).names) add(name.name);
      return names;
    case ScalarKind::json:
      return "any JSON";
    default: {
      const std::string_view noun = quantity_noun(scalar.kind());
      return std::string(noun.substr(noun.find(' ') + 1));
    }
  }
}

/// The scalar at the bottom of lists and optionals, for its range and names.
std::optional<Scalar> scalar_in(const Value& value) {
  if (const auto* scalar = std::get_if<Scalar>(&value.is)) return *scalar;
  if (const auto* list = std::get_if<List>(&value.is)) {
    if (list->size(list->object) == 0) return std::nullopt;
    return scalar_in(list->item(list->object, 0));
  }
  if (const auto* optional = std::get_if<Optional>(&value.is)) {
    return scalar_in(optional->held(optional->object));
  }
  return std::nullopt;
}

/// Gives lists and optionals something to look at on the way.
std::string type_of(const Value& value, const FieldInfo& info) {
  if (const auto* scalar = std::get_if<Scalar>(&value.is)) return scalar_type(*scalar, info);
  if (std::holds_alternative<Group>(value.is)) return "object";
  if (const auto* choice = std::get_if<Choice>(&value.is)) {
    std::string text = "kind";
    for (const Choice::Alternative& alternative : choice->alternatives) {
      text += (text == "kind" ? " " : ", ") + code(alternative.kind);
    }
    return text;
  }
  if (const auto* list = std::get_if<List>(&value.is)) {
    if (list->resize != nullptr) list->resize(list->object, 1);
    const std::size_t size = list->size(list->object);
    const std::string item =
        size == 0 ? std::string{} : ": " + type_of(list->item(list->object, 0), info);
    return (list->resize == nullptr ? fmt::format("list of {}", size) : "list") + item;
  }
  const Optional& optional = std::get<Optional>(value.is);
  if (!optional.engaged(optional.object)) optional.engage(optional.object);
  return type_of(optional.held(optional.object), info) + ", or null";
}

/// Writes one section a struct: its table, then the sections of the structs in it.
class ReferenceWriter final : public Visitor {
 public:
  explicit ReferenceWriter(std::string& out) : out_(out) {}

  void write(const Group& group, const std::string& pointer) {
    const std::string before = std::exchange(pointer_, pointer);
    auto rows = std::exchange(rows_, {});
    auto later = std::exchange(later_, {});
    group.describe(*this, group.object);
    if (!rows_.empty()) {
      out_ += "\n| Field | Type | Default | Range | Source of the default | Meaning |\n";
      out_ += "|---|---|---|---|---|---|\n" + rows_;
    }
    // Moved out, because each section fills the list anew.
    const auto sections = std::exchange(later_, {});
    for (const Section& section : sections) write_section(section.value, section);
    rows_ = std::move(rows);
    later_ = std::move(later);
    pointer_ = before;
  }

 private:
  struct Section {
    std::string pointer;
    std::string doc;
    Value value;
  };

  void on_field(std::string_view name, const Value& value, const FieldInfo& info) override {
    const std::string pointer = pointer_ + '/' + escape_pointer(name);
    if (!std::holds_alternative<Group>(value.is)) add_row(pointer, value, info);
    if (!std::holds_alternative<Scalar>(value.is)) {
      later_.push_back({pointer, std::string(info.doc), value});
    }
  }

  void add_row(const std::string& pointer, const Value& value, const FieldInfo& info) {
    const std::string usual = info.required ? "required" : default_of(value);
    const std::string type = type_of(value, info);
    const std::optional<Scalar> scalar = scalar_in(value);
    const std::string range = scalar ? range_text(*scalar, info) : std::string{};
    rows_ +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", code(pointer), cell(type), cell(usual),
                    cell(range), cell(to_text(info.from)), cell(meaning(scalar, info)));
  }

  static std::string default_of(const Value& value) {
    constexpr std::size_t longest = 60;
    Json json = json_of(value);
    if (std::holds_alternative<Choice>(value.is)) json = json["kind"];
    const std::string text = json.dump();
    return text.size() > longest ? fmt::format("{} items", json.size()) : code(text);
  }

  static std::string meaning(const std::optional<Scalar>& scalar, const FieldInfo& info) {
    std::string text(info.doc);
    if (scalar && scalar->kind() == ScalarKind::enumeration) {
      for (const EnumName& name : std::get<EnumRef>(scalar->is).names) {
        if (!name.doc.empty()) text += fmt::format(" {}: {}.", code(name.name), name.doc);
      }
    }
    if (info.limit == LimitKind::metric) text += " Limit (metric): reaching it is counted.";
    if (info.limit == LimitKind::error) text += " Limit (error): reaching it ends the run.";
    return text;
  }

  void write_section(const Value& value, const Section& section) {
    if (const auto* group = std::get_if<Group>(&value.is)) {
      out_ += fmt::format("\n## {}\n", code(section.pointer));
      if (!section.doc.empty()) out_ += fmt::format("\n{}\n", section.doc);
      write(*group, section.pointer);
    } else if (const auto* choice = std::get_if<Choice>(&value.is)) {
      write_choice(*choice, section.pointer);
    } else if (const auto* list = std::get_if<List>(&value.is)) {
      if (list->size(list->object) == 0) return;
      write_section(list->item(list->object, 0),
                    {section.pointer + "/N", section.doc, list->item(list->object, 0)});
    } else if (const auto* optional = std::get_if<Optional>(&value.is)) {
      write_section(optional->held(optional->object), section);
    }
  }

  void write_choice(const Choice& choice, const std::string& pointer) {
    const std::size_t held = choice.index(choice.object);
    for (std::size_t n = 0; n < choice.alternatives.size(); ++n) {
      const std::size_t index = held_first(held, n);
      if (index != held) choice.emplace(choice.object, index);
      const Choice::Alternative& alternative = choice.alternatives[index];
      out_ += fmt::format("\n### {}, kind {}\n", code(pointer), code(alternative.kind));
      if (!alternative.doc.empty()) out_ += fmt::format("\n{}\n", alternative.doc);
      write(choice.held(choice.object), pointer);
    }
  }

  std::string& out_;
  std::string pointer_;
  std::string rows_;
  std::vector<Section> later_;
};

}  // namespace

std::string reference_of(const Group& defaults, std::string_view title) {
  std::string out = fmt::format("# {}\n", title);
  ReferenceWriter(out).write(defaults, "");
  return out;
}

}  // namespace recirc::sim::config
