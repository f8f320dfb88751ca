#include "app/options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>

#include "app/usage_error.h"
#include "sim/config/suggestion.h"

namespace recirc::app {
namespace po = boost::program_options;

std::optional<std::string> Parsed::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.empty()) return std::nullopt;
  return found->second.back();
}

const std::vector<std::string>& Parsed::all(const std::string& name) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

std::optional<std::uint64_t> Parsed::count(const std::string& name, std::uint64_t limit) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  std::uint64_t value = 0;
  const char* const end = given->data() + given->size();
  const auto [stop, error] = std::from_chars(given->data(), end, value);
  if (error != std::errc{} || stop != end || value == 0 || value > limit) {
    throw UsageError("--" + name + " takes a whole number from 1 to " + std::to_string(limit) +
                     ", not '" + *given + "'");
  }
  return value;
}

Options::Options(std::string verb, std::string what)
    : verb_(std::move(verb)), what_(std::move(what)) {}

Options& Options::flag(const std::string& name, const std::string& doc) {
  options_.push_back({name, Kind::flag, "", doc});
  return *this;
}

Options& Options::value(const std::string& name, const std::string& argument,
                        const std::string& doc) {
  options_.push_back({name, Kind::value, argument, doc});
  return *this;
}

Options& Options::list(const std::string& name, const std::string& argument,
                       const std::string& doc) {
  options_.push_back({name, Kind::list, argument, doc});
  return *this;
}

Options& Options::arguments(const std::string& shown, std::size_t least, std::size_t most) {
  shown_ = shown;
  least_ = least;
  most_ = most;
  return *this;
}

Options& Options::common() {
  list("set", "POINTER=VALUE", "override one setting, e.g. --set /workload/zipf=0.99; repeatable");
  flag("json", "print JSON instead of text");
  value("out", "FILE", "write the result to FILE, whole or not at all");
  flag("quiet", "no progress and no notes");
  return flag("help", "show this text");
}

Options& Options::running() {
  value("jobs", "N", "threads that run replications (default: one a core)");
  return flag("host-stats", "add how long the host took as a 'host' block");
}

std::vector<std::string> Options::names() const {
  std::vector<std::string> names;
  for (const Option& option : options_) names.push_back("--" + option.name);
  return names;
}

namespace {

/// Says in our words what Program Options found wrong.
[[noreturn]] void refuse(const po::error& error, const std::string& verb,
                         const std::vector<std::string>& names) {
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
    const std::string given = unknown->get_option_name();
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    throw UsageError("recirc " + verb + " has no option '" + given + "'",
                     sim::config::suggest(given, candidates, "its options are"));
  }
  throw UsageError("recirc " + verb + ": " + error.what(), "see recirc " + verb + " --help");
}

}  // namespace

Parsed Options::parse(const std::vector<std::string>& words) const {
  po::options_description known;
  po::positional_options_description positional;
  positional.add(arguments_name, -1);
  known.add_options()(arguments_name, po::value<std::vector<std::string>>());
  for (const Option& option : options_) {
    if (option.name == "help") {
      known.add_options()("help,h", "");
    } else if (option.kind == Kind::flag) {
      known.add_options()(option.name.c_str(), "");
    } else {
      known.add_options()(option.name.c_str(), po::value<std::vector<std::string>>()->composing());
    }
  }
  po::variables_map given;
  try {
    namespace style = po::command_line_style;
    const int exact = style::unix_style & ~style::allow_guessing;
    po::store(
        po::command_line_parser(words).options(known).positional(positional).style(exact).run(),
        given);
  } catch (const po::error& error) {
    refuse(error, verb_, names());
  }
  Parsed parsed;
  for (const auto& [name, value] : given) {
    auto& kept = parsed.values_[name];
    if (const auto* texts = boost::any_cast<std::vector<std::string>>(&value.value())) {
      kept = *texts;
    }
  }
  if (parsed.has("help")) return parsed;
  for (const Option& option : options_) {
    if (option.kind == Kind::value && parsed.all(option.name).size() > 1) {
      throw UsageError("recirc " + verb_ + ": --" + option.name + " is given twice");
    }
  }
  const std::size_t count = parsed.all(arguments_name).size();
  if (count < least_ || count > most_) {
    const std::string wanted = shown_.empty() ? "no argument" : shown_;
    throw UsageError("recirc " + verb_ + " takes " + wanted + ", not " + std::to_string(count) +
                         (count == 1 ? " argument" : " arguments"),
                     "see recirc " + verb_ + " --help");
  }
  return parsed;
}

std::string Options::help() const {
  std::string text = "usage: recirc " + verb_ + (shown_.empty() ? "" : " " + shown_) +
                     (options_.empty() ? "" : " [options]") + "\n\n" + what_ + "\n\noptions:\n";
  std::size_t width = 0;
  const auto left_of = [](const Option& option) {
    return (option.name == "help" ? "-h, --" : "--") + option.name +
           (option.argument.empty() ? "" : " " + option.argument);
  };
  for (const Option& option : options_) width = std::max(width, left_of(option).size());
  for (const Option& option : options_) {
    const std::string left = left_of(option);
    text += "  " + left + std::string(width - left.size() + 2, ' ') + option.doc + "\n";
  }
  return text;
}

}  // namespace recirc::app
