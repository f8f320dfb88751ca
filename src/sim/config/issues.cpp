#include "sim/config/issues.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace recirc::sim::config {

void Issues::add(std::string_view pointer, std::string message, std::string suggestion) {
  if (all_.size() >= most_issues) {
    ++suppressed_;
    return;
  }
  all_.push_back({prefix_ + std::string(pointer), std::move(message), std::move(suggestion)});
}

bool Issues::given(std::string_view pointer) const {
  if (root_ == nullptr) return false;
  try {
    const nlohmann::ordered_json::json_pointer place(prefix_ + std::string(pointer));
    return root_->contains(place) && !root_->at(place).is_null();
  } catch (const nlohmann::ordered_json::exception&) {
    return false;
  }
}

void Issues::throw_if_any() const {
  if (all_.empty()) return;
  std::vector<Issue> issues = all_;
  if (suppressed_ != 0) {
    issues.push_back({"", fmt::format("{} more issues are not listed", suppressed_), ""});
  }
  throw ConfigError(std::move(issues));
}

}  // namespace recirc::sim::config
