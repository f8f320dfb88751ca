#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"

namespace recirc::sim::config {

/// Collects what is wrong with a document. A struct's validate(const T&, Issues&) reports what no
/// single field shows, with pointers relative to the struct:
///     void validate(const ClientConfig& c, Issues& issues) {
///       if (c.in_flight > c.window) issues.add("/in_flight", "exceeds /window");
///     }
/// It runs only after the struct itself was read without an issue.
class Issues {
 public:
  /// `pointer` is relative to the struct under validation; "" is the struct itself.
  void add(std::string_view pointer, std::string message, std::string suggestion = "");
  /// Did the user write this field (pointer relative as above), or is it a default?
  [[nodiscard]] bool given(std::string_view pointer) const;
  /// Did the user write it on purpose? An effective configuration lists every field of a struct, so
  /// where all are given none is taken for a choice.
  [[nodiscard]] bool chosen(std::string_view pointer) const { return !complete_ && given(pointer); }

  [[nodiscard]] std::size_t size() const { return all_.size() + suppressed_; }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// Throws ConfigError with everything collected, unless that is nothing.
  void throw_if_any() const;

 private:
  friend class Reader;
  friend class Document;
  std::vector<Issue> all_;
  std::size_t suppressed_ = 0;  ///< beyond most_issues: counted only
  std::string prefix_;
  bool complete_ = false;  ///< all fields of the struct under validation are given
  const nlohmann::ordered_json* root_ = nullptr;
};

/// More are counted but not listed: a file of garbage shall not give a megabyte of messages.
inline constexpr std::size_t most_issues = 200;

}  // namespace recirc::sim::config
