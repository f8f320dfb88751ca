#include "sim/config/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "sim/config/document.h"
#include "sim/config/issues.h"
#include "sim/config/suggestion.h"

namespace recirc::sim::config {
namespace {

using Json = nlohmann::ordered_json;

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;  ///< in characters
};

Place place_of(std::string_view text, std::size_t offset) {
  Place place;
  for (const char c : text.substr(0, std::min(offset, text.size()))) {
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++place.column;
    }
  }
  return place;
}

/// Builds the document and notes duplicate keys, which nlohmann's own builder overwrites.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::vector<Issue>& duplicates) : duplicates_(duplicates) {}

  Json root;
  std::string problem;      ///< of the syntax, if sax_parse() returned false
  std::size_t offset = 0;   ///< one past the byte where it shows
  std::string too_deep_at;  ///< a pointer, if nesting was the problem

  bool null() override { return add(Json(nullptr)); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(std::int64_t value) override { return add(Json(value)); }
  bool number_unsigned(std::uint64_t value) override { return add(Json(value)); }
  bool number_float(double value, const std::string& /*text*/) override { return add(Json(value)); }
  bool string(std::string& value) override { return add(Json(std::move(value))); }
  bool binary(Json::binary_t& /*value*/) override { return false; }  // JSON text has none
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    Level& level = levels_.back();
    level.key = name;
    level.duplicate = !level.keys.insert(name).second;
    if (level.duplicate && duplicates_.size() < most_issues) {
      duplicates_.push_back({pointer(), "this key comes twice in its object", "keep one"});
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    offset = position;
    std::string_view what = error.what();
    // "[json.exception.…] parse error at line 1, column 8: syntax error while parsing value - …"
    if (const auto column = what.find(", column "); column != std::string_view::npos) {
      what.remove_prefix(what.find(": ", column) + 2);
    } else if (const auto bracket = what.find("] "); bracket != std::string_view::npos) {
      what.remove_prefix(bracket + 2);
    }
    if (what.starts_with("syntax error while parsing ")) {
      what.remove_prefix(what.find(" - ") + 3);
    }
    problem = what;
    return false;
  }

 private:
  struct Level {
    Json* node;
    std::unordered_set<std::string> keys;
    std::string key;
    bool duplicate = false;
  };

  std::string pointer() const {
    std::string text;
    for (const Level& level : levels_) {
      text += '/';
      if (level.node->is_object()) {
        text += escape_pointer(level.key);
      } else {
        text += std::to_string(std::max<std::size_t>(level.node->size(), 1) - 1);
      }
    }
    return text;
  }

  Json* place(Json value) {
    if (levels_.empty()) return &(root = std::move(value));
    Level& level = levels_.back();
    if (level.node->is_array()) {
      auto& items = level.node->get_ref<Json::array_t&>();
      return &items.emplace_back(std::move(value));
    }
    if (level.duplicate) return &dropped_.emplace_back(std::move(value));
    // ordered_map's own emplace() searches all members first; keys are known to be new here.
    Json::object_t::Container& members = level.node->get_ref<Json::object_t&>();
    return &members.emplace_back(level.key, std::move(value)).second;
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (levels_.size() == deepest_nesting) {
      too_deep_at = pointer();
      return false;
    }
    Json* node = place(std::move(value));
    levels_.push_back({node, {}, {}, false});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  std::vector<Issue>& duplicates_;
  std::vector<Level> levels_;
  std::deque<Json> dropped_;  ///< what stands under a key that came before
};

[[noreturn]] void refuse(const std::string& name, std::string_view text, std::size_t offset,
                         std::string_view problem, std::string suggestion = "") {
  const Place place = place_of(text, offset);
  throw ConfigError(
      "", fmt::format("{}, line {}, column {}: {}", name, place.line, place.column, problem),
      std::move(suggestion));
}

void check_encoding(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    throw ConfigError("", name + " begins with a byte order mark", "save it as UTF-8 without one");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw ConfigError("", name + " is UTF-16", "save it as UTF-8");
  }
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
    const auto byte = static_cast<unsigned char>(text[bad]);
    refuse(name, text, bad, fmt::format("the byte 0x{:02X} is no UTF-8 here", byte));
  }
}

/// The parser quotes what it read last, however long that is and though a character may be cut.
std::string tidied(std::string problem) {
  constexpr std::size_t longest = 160;
  const bool cut = problem.size() > longest;
  if (cut) problem.resize(longest);
  for (std::size_t bad; (bad = first_invalid_utf8(problem)) != std::string::npos;) {
    problem.erase(bad, 1);
  }
  return cut ? problem + "…" : problem;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name, std::vector<Issue>& duplicates) {
  if (text.size() > most_document_bytes) {
    throw ConfigError(
        "", fmt::format("{} is larger than {} MiB", name, most_document_bytes / (1024 * 1024)));
  }
  check_encoding(text, name);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw ConfigError("", name + " is empty", "it must be a JSON object, {…}");
  }
  Builder builder(duplicates);
  constexpr bool strict = true;
  constexpr bool comments = true;
  if (Json::sax_parse(text, &builder, Json::input_format_t::json, strict, comments)) {
    return std::move(builder.root);
  }
  if (!builder.too_deep_at.empty()) {
    throw ConfigError(builder.too_deep_at,
                      fmt::format("nests deeper than {} levels", deepest_nesting));
  }
  const std::size_t offset = builder.offset == 0 ? 0 : builder.offset - 1;
  refuse(name, text, offset, tidied(builder.problem));
}

}  // namespace recirc::sim::config
