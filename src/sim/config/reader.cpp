#include "sim/config/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/config.h"
#include "sim/config/suggestion.h"

namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kind_key = "kind";
constexpr std::string_view schema_key = "$schema";

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

std::vector<std::string_view> kinds_of(const Choice& choice) {
  std::vector<std::string_view> kinds;
  for (const Choice::Alternative& alternative : choice.alternatives) {
    kinds.push_back(alternative.kind);
  }
  return kinds;
}

/// A null stands for a field that is left out, so that an override can take back what a file says;
/// where null is a value of its own it is read as one.
bool is_left_out(const Json& json, const Value& value) {
  if (!json.is_null() || std::holds_alternative<Optional>(value.is)) return false;
  const auto* scalar = std::get_if<Scalar>(&value.is);
  return scalar == nullptr || scalar->kind() != ScalarKind::json;
}

/// Makes a pointer longer while one member is read.
class Deeper {
 public:
  Deeper(std::string& pointer, std::string_view key) : pointer_(pointer), size_(pointer.size()) {
    pointer_ += '/' + escape_pointer(key);
  }
  ~Deeper() { pointer_.resize(size_); }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  std::string& pointer_;
  std::size_t size_;
};

}  // namespace

void read_into(const Group& target, const Document& document, Issues& issues) {
  Reader(document, issues).read(target);
}

void Reader::read(const Group& root) {
  for (const Issue& issue : document_.issues()) {
    issues_.add(issue.pointer, issue.message, issue.suggestion);
  }
  const Json& json = document_.root();
  if (!json.is_object()) {
    report_type("an object {…}", json);
    return;
  }
  issues_.root_ = &json;
  const auto schema = json.find(std::string(schema_key));
  if (schema != json.end() && !schema->is_string()) {
    const Deeper at(pointer_, schema_key);
    report_type("text", *schema);
  }
  read_group(json, root, schema_key);
  report_unknown_keys();
  issues_.root_ = nullptr;
}

void Reader::read_group(const Json& json, const Group& group, std::string_view extra_key) {
  const std::size_t before = issues_.size() + unknown_.size();
  frames_.push_back({&json, {}});
  if (!extra_key.empty()) frames_.back().names.push_back(extra_key);
  group.describe(*this, group.object);
  find_unknown_keys(frames_.back());
  const bool complete = document_.effective() || is_complete(frames_.back());
  frames_.pop_back();
  if (group.validate == nullptr || issues_.size() + unknown_.size() != before) return;
  issues_.prefix_ = pointer_;
  issues_.complete_ = complete;
  group.validate(group.object, issues_);
  issues_.prefix_.clear();
}

void Reader::on_field(std::string_view name, const Value& value, const FieldInfo& info) {
  const Deeper at(pointer_, name);
  Frame& frame = frames_.back();
  frame.names.push_back(name);
  known_.push_back(pointer_);
  const auto found = frame.object->find(std::string(name));
  if (found != frame.object->end() && !is_left_out(*found, value)) {
    read_value(*found, value, info);
  } else if (info.required) {
    report("is missing", info.example.empty() ? suggest("", info.allowed, "one of")
                                              : fmt::format("e.g. {}", info.example));
  } else {
    read_absent(value, info);
  }
}

/// Structs that are left out are still looked through: they may hold required members.
void Reader::read_absent(const Value& value, const FieldInfo& /*info*/) {
  const Json nothing = Json::object();
  if (const auto* group = std::get_if<Group>(&value.is)) read_group(nothing, *group, {});
  if (const auto* choice = std::get_if<Choice>(&value.is)) {
    read_group(nothing, choice->held(choice->object), kind_key);
  }
}

void Reader::read_value(const Json& json, const Value& value, const FieldInfo& info) {
  std::visit(Overloaded{[&](const Scalar& scalar) { read_scalar(json, scalar, info); },
                        [&](const Group& group) {
                          if (json.is_object()) {
                            read_group(json, group, {});
                          } else {
                            report_type("an object {…}", json);
                          }
                        },
                        [&](const List& list) { read_list(json, list, info); },
                        [&](const Optional& optional) { read_optional(json, optional, info); },
                        [&](const Choice& choice) { read_choice(json, choice); }},
             value.is);
}

void Reader::read_list(const Json& json, const List& list, const FieldInfo& info) {
  if (!json.is_array()) {
    report_type("a list […]", json);
    return;
  }
  if (list.resize == nullptr) {
    if (const std::size_t wanted = list.size(list.object); json.size() != wanted) {
      report(fmt::format("needs exactly {} items, found {}", wanted, json.size()));
      return;
    }
  } else if (json.size() < info.min_size || json.size() > info.max_size) {
    report(
        fmt::format("needs {} to {} items, found {}", info.min_size, info.max_size, json.size()));
    return;
  } else {
    list.resize(list.object, json.size());
  }
  // The items are not lists themselves: sizes are this list's own.
  FieldInfo item_info = info;
  item_info.min_size = 0;
  item_info.max_size = FieldInfo{}.max_size;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Deeper at(pointer_, std::to_string(i));
    read_value(json[i], list.item(list.object, i), item_info);
  }
}

void Reader::read_optional(const Json& json, const Optional& optional, const FieldInfo& info) {
  if (json.is_null()) {
    optional.reset(optional.object);
    return;
  }
  if (!optional.engaged(optional.object)) optional.engage(optional.object);
  read_value(json, optional.held(optional.object), info);
}

void Reader::read_choice(const Json& json, const Choice& choice) {
  const auto kinds = kinds_of(choice);
  std::size_t index = choice.index(choice.object);
  const Json none = Json::object();
  const Json* members = &json;
  std::string kind(kinds[index]);
  if (json.is_string()) {
    kind = json.get<std::string>();
    members = &none;
  } else if (!json.is_object()) {
    report_type(fmt::format("a choice such as \"{0}\" or {{\"kind\": \"{0}\", …}}", kind), json);
    return;
  } else if (const auto found = json.find(std::string(kind_key)); found != json.end()) {
    const Deeper at(pointer_, kind_key);
    if (!found->is_string()) {
      report_type("text", *found, suggest("", kinds, "one of"));
      return;
    }
    kind = found->get<std::string>();
  } else if (!document_.begun_by_override(pointer_)) {
    report("does not say its \"kind\"", suggest("", kinds, "one of"));
    return;
  }
  const auto chosen = std::find(kinds.begin(), kinds.end(), kind);
  if (chosen == kinds.end()) {
    report(fmt::format("{} is no kind of it", in_quotes(kind)), suggest(kind, kinds, "one of"));
    return;
  }
  if (const auto wanted = static_cast<std::size_t>(chosen - kinds.begin()); wanted != index) {
    choice.emplace(choice.object, wanted);
  }
  read_group(*members, choice.held(choice.object), kind_key);
}

bool Reader::is_complete(const Frame& frame) {
  return std::all_of(frame.names.begin(), frame.names.end(), [&](std::string_view name) {
    return name == schema_key || frame.object->contains(std::string(name));
  });
}

void Reader::find_unknown_keys(const Frame& frame) {
  for (const auto& item : frame.object->items()) {
    const std::string& key = item.key();
    if (std::find(frame.names.begin(), frame.names.end(), key) != frame.names.end()) continue;
    unknown_.push_back({pointer_, key, {frame.names.begin(), frame.names.end()}});
  }
}

/// At the end, when every place that a misplaced key could belong to is known.
void Reader::report_unknown_keys() {
  for (const Unknown& unknown : unknown_) {
    if (issues_.size() >= most_issues) {
      ++issues_.suppressed_;
      continue;
    }
    std::vector<std::string_view> names;
    for (const std::string& name : unknown.names) {
      if (name != schema_key) names.push_back(name);
    }
    std::string suggestion = suggest(unknown.key, names, "the keys here are");
    if (nearest(unknown.key, names).empty()) {
      const std::string ending = '/' + escape_pointer(unknown.key);
      const auto place = std::find_if(known_.begin(), known_.end(), [&](const std::string& known) {
        return known.ends_with(ending);
      });
      if (place != known_.end()) suggestion = fmt::format("did you mean {}?", *place);
    }
    issues_.add(unknown.parent + '/' + escape_pointer(unknown.key), "is an unknown key",
                std::move(suggestion));
  }
}

void Reader::report(std::string message, std::string suggestion) {
  issues_.add(pointer_, std::move(message), std::move(suggestion));
}

}  // namespace recirc::sim::config
