#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace recirc::sim {

/// Exit codes of the command line; every exception below maps to one.
enum class ExitCode : int {
  fine = 0,
  answer_is_no = 1,
  usage = 2,
  input_output = 3,
  constraint_violation = 4,
  invariant_broken = 5,
  interrupted = 130,
};

/// One thing that is wrong with a configuration.
struct Issue {
  std::string pointer;     ///< JSON pointer of the offending value, "" for the whole document
  std::string message;     ///< what is wrong, a sentence without its full stop
  std::string suggestion;  ///< what to write instead, or empty
};

/// A configuration or a command line that cannot be used: all its issues at once. Exit code 2.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::vector<Issue> issues);
  ConfigError(std::string pointer, std::string message, std::string suggestion = "");
  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }

 private:
  std::vector<Issue> issues_;
};

/// A file that cannot be read or written, or holds what it should not. Exit code 3.
class InputOutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A program asked its switch for something that the chip does not allow. Exit code 4.
class ConstraintViolation : public std::runtime_error {
 public:
  struct Where {
    std::string program;
    std::string array;  ///< the register array or table, or empty
    int stage = -1;
    std::uint32_t pass = 0;
    std::uint64_t packet = 0;
  };
  ConstraintViolation(Where where, const std::string& what_happened);
  /// The same, with `remark` after its text.
  ConstraintViolation(const ConstraintViolation& other, const std::string& remark);
  [[nodiscard]] const Where& where() const { return where_; }

 private:
  Where where_;
};

/// A mistake of ours, not of the user's. Exit code 5.
class InvariantBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The user asked to stop; finished work has been written. Exit code 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace recirc::sim
