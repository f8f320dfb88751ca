#pragma once

#include <stdexcept>
#include <string>

namespace recirc::app {

/// A command line that cannot be understood. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, std::string hint = "")
      : std::runtime_error(message), hint_(std::move(hint)) {}
  /// What to write instead, or empty.
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

}  // namespace recirc::app
