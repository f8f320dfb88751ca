#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/config/document.h"
#include "sim/config/json_text.h"
#include "sim/config/suggestion.h"

// Document::set(): changes to the raw document before it is read. Unknown places are not found
// here: they are made, and the strict reader then reports them as it does any unknown key.
namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

/// The keys of a pointer, unescaped; nothing if it is malformed.
std::optional<std::vector<std::string>> keys_of(std::string_view pointer) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      keys.emplace_back();
      continue;
    }
    if (keys.empty()) return std::nullopt;
    if (pointer[i] != '~') {
      keys.back() += pointer[i];
      continue;
    }
    if (++i == pointer.size() || (pointer[i] != '0' && pointer[i] != '1')) return std::nullopt;
    keys.back() += pointer[i] == '0' ? '~' : '/';
  }
  return keys;
}

/// Walks to the place of one assignment and makes what is missing on the way.
class Walk {
 public:
  Walk(Json& root, std::set<std::string>& begun) : node_(&root), begun_(begun) {}

  /// False, with a problem, if there is no such place.
  bool enter(const std::string& key) {
    if (node_->is_null() && key == "-") *node_ = Json::array();
    if (node_->is_array()) return enter_item(key);
    if (node_->is_string()) {
      *node_ = Json{{"kind", node_->get<std::string>()}};  // a choice written short
    } else if (node_->is_null()) {
      *node_ = Json::object();
      begun_.insert(at_);
    } else if (!node_->is_object()) {
      problem_ = fmt::format("'{}' is {}, which has no members", at_, node_->dump());
      return false;
    }
    node_ = &(*node_)[key];
    at_ += '/' + escape_pointer(key);
    return true;
  }

  void assign(Json value) {
    *node_ = std::move(value);
    // What an earlier override began here is gone.
    std::erase_if(begun_, [this](const std::string& pointer) {
      return pointer == at_ || pointer.starts_with(at_ + '/');
    });
  }

  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  bool enter_item(const std::string& key) {
    std::size_t index = node_->size();
    if (key != "-") {
      const char* end = key.data() + key.size();
      const auto [stop, error] = std::from_chars(key.data(), end, index);
      if (error != std::errc{} || stop != end || index >= node_->size()) {
        problem_ = fmt::format("'{}' is a list of {}: {} is no index of it", at_, node_->size(),
                               in_quotes(key));
        return false;
      }
    } else {
      node_->push_back(nullptr);
    }
    node_ = &(*node_)[index];
    at_ += '/' + std::to_string(index);
    return true;
  }

  Json* node_;
  std::set<std::string>& begun_;
  std::string at_;
  std::string problem_;
};

/// JSON if it reads as JSON, else the text itself.
Json value_of_override(std::string_view text) {
  std::vector<Issue> duplicates;
  try {
    Json value = parse_json(text, "the value", duplicates);
    if (!duplicates.empty()) throw ConfigError(std::move(duplicates));
    return value;
  } catch (const ConfigError&) {
    // What begins like a list, an object or a quoted text was not meant as plain text.
    if (!text.empty() && std::string_view("[{\"").find(text.front()) != std::string_view::npos) {
      throw;
    }
    return Json(std::string(text));
  }
}

}  // namespace

void Document::set(std::string_view assignment) {
  if (first_invalid_utf8(assignment) != std::string_view::npos) {
    issues_.push_back({"", "a --set is not UTF-8", ""});
    return;
  }
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    issues_.push_back(
        {"", "--set " + in_quotes(assignment) + " has no '='", "write --set /workload/zipf=0.99"});
    return;
  }
  const std::string_view pointer = assignment.substr(0, equals);
  try {
    set(pointer, value_of_override(assignment.substr(equals + 1)));
  } catch (const ConfigError& error) {
    for (const Issue& issue : error.issues()) {
      issues_.push_back(
          {std::string(pointer) + issue.pointer, "--set: " + issue.message, issue.suggestion});
    }
  }
}

void Document::set(std::string_view pointer, const Json& value,
                   const std::filesystem::path& folder) {
  const auto keys = keys_of(pointer);
  if (!keys || keys->empty()) {
    issues_.push_back({"", "--set: " + in_quotes(pointer) + " is no JSON pointer",
                       "begin with '/', e.g. /workload/zipf"});
    return;
  }
  if (keys->size() > deepest_nesting) {
    issues_.push_back(
        {"", fmt::format("--set: {} is deeper than {} levels", in_quotes(pointer), deepest_nesting),
         ""});
    return;
  }
  // On a copy, so that an override that cannot be applied leaves nothing half made.
  Json changed = *root_;
  std::set<std::string> begun = begun_;
  Walk walk(changed, begun);
  for (const std::string& key : *keys) {
    if (!walk.enter(key)) {
      issues_.push_back({std::string(pointer), "--set: " + walk.problem(), ""});
      return;
    }
  }
  walk.assign(value);
  *root_ = std::move(changed);
  begun_ = std::move(begun);
  const std::string below = std::string(pointer) + '/';
  std::erase_if(overridden_, [&](const auto& entry) { return entry.first.starts_with(below); });
  overridden_[std::string(pointer)] = folder;
}

}  // namespace recirc::sim::config
