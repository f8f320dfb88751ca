#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace recirc::app {

/// What a command line said.
class Parsed {
 public:
  [[nodiscard]] bool has(const std::string& name) const { return values_.count(name) != 0; }
  /// The last value given, or nothing.
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  /// Every value given, in order.
  [[nodiscard]] const std::vector<std::string>& all(const std::string& name) const;
  /// A whole number from 1 to `limit`. Throws UsageError.
  [[nodiscard]] std::optional<std::uint64_t> count(const std::string& name,
                                                   std::uint64_t limit) const;

 private:
  friend class Options;
  std::map<std::string, std::vector<std::string>> values_;
};

/// The options and arguments of one verb.
class Options {
 public:
  /// The first line of `what` is a sentence for the list of verbs.
  Options(std::string verb, std::string what);
  Options& flag(const std::string& name, const std::string& doc);
  Options& value(const std::string& name, const std::string& argument, const std::string& doc);
  /// An option that may be repeated.
  Options& list(const std::string& name, const std::string& argument, const std::string& doc);
  /// What stands on the line without a name: at least `least`, at most `most` of them.
  Options& arguments(const std::string& shown, std::size_t least, std::size_t most);
  /// --set, --json, --out, --quiet: what every verb takes.
  Options& common();
  /// --jobs, --host-stats: what every verb takes that runs something.
  Options& running();

  /// Throws UsageError; its hint names the nearest option there is.
  [[nodiscard]] Parsed parse(const std::vector<std::string>& words) const;
  [[nodiscard]] std::string help() const;
  /// Arguments as the help shows them; the first line of what the verb does.
  [[nodiscard]] const std::string& shown() const { return shown_; }
  [[nodiscard]] std::string summary() const { return what_.substr(0, what_.find('\n')); }

 private:
  enum class Kind { flag, value, list };
  struct Option {
    std::string name;
    Kind kind;
    std::string argument;
    std::string doc;
  };
  [[nodiscard]] std::vector<std::string> names() const;

  std::string verb_;
  std::string what_;
  std::string shown_;
  std::size_t least_ = 0;
  std::size_t most_ = 0;
  std::vector<Option> options_;
};

/// The name under which Parsed keeps what stands on the line without one.
inline const char* const arguments_name = "arguments";

}  // namespace recirc::app
