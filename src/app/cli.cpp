#include "app/cli.h"

#include <algorithm>
#include <array>
#include <new>
#include <ostream>
#include <string_view>

#include "app/usage_error.h"
#include "app/verbs.h"
#include "app/version.h"
#include "sim/config/suggestion.h"

namespace recirc::app {
namespace {

using sim::ExitCode;
using Words = std::vector<std::string>;

constexpr std::array verbs{
    Verb{"run", run_options, run_verb},
    Verb{"compare", compare_options, compare_verb},
    Verb{"sweep", sweep_options, sweep_verb, "the sweep"},
    Verb{"merge", merge_options, merge_verb, "the point file"},
    Verb{"check", check_options, check_verb},
    Verb{"list", list_options, list_verb},
    Verb{"schema", schema_options, schema_verb},
    Verb{"trace", trace_options, trace_verb},
    Verb{"claims", claims_options, claims_verb, "the list of claims"},
    Verb{"sensitivity", sensitivity_options, sensitivity_verb},
    Verb{"saturate", saturate_options, saturate_verb},
    Verb{"rmt", rmt_options, rmt_verb},
    Verb{"log", log_options, log_verb},
    Verb{"docs", docs_options, docs_verb},
};

void print_help(std::ostream& out) {
  out << "recirc simulates file systems that lean on a programmable switch.\n\n"
         "usage: recirc VERB ... [-h, --help]\n\nverbs:\n";
  for (const Verb& verb : verbs) {
    const Options options = verb.options();
    out << "  " << verb.name << " " << options.shown() << "\n      " << options.summary() << '\n';
  }
  out << "\n  --version   version and revision\n"
         "\nexit codes: 0 fine; 1 ran and the answer is no; 2 usage or configuration;\n"
         "3 input or output; 4 a program broke a constraint of its chip; 5 an invariant is broken\n"
         "(a mistake of ours); 130 interrupted, what was finished is written\n";
}

ExitCode run(const Verb& verb, const Words& words, Environment& environment) {
  const Options options = verb.options();
  const Parsed parsed = options.parse(words);
  if (!parsed.has("help")) return verb.run(parsed, environment);
  environment.out << options.help();
  return ExitCode::fine;
}

ExitCode dispatch(const Words& words, Environment& environment) {
  if (words.empty()) {
    print_help(environment.err);
    return ExitCode::usage;
  }
  const std::string& name = words.front();
  if (name == "help" && words.size() == 2 && words[1] != name)
    return dispatch({words[1], "--help"}, environment);
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(environment.out);
    return ExitCode::fine;
  }
  if (name == "--version") {
    environment.out << "recirc " << version() << " (" << revision() << ")\n";
    return ExitCode::fine;
  }
  for (const Verb& verb : verbs) {
    if (name == verb.name) return run(verb, {words.begin() + 1, words.end()}, environment);
  }
  std::vector<std::string_view> names{"--help", "--version"};
  for (const Verb& verb : verbs) names.emplace_back(verb.name);
  throw UsageError("recirc has no verb '" + name + "'",
                   sim::config::suggest(name, names, "there are"));
}

/// What the verb that was called reads.
std::string_view read_by(const Words& words) {
  for (const Verb& verb : verbs) {
    if (!words.empty() && words.front() == verb.name) return verb.reads;
  }
  return "the configuration";
}

/// Calls `work` and turns whatever leaves it into a message and an exit code.
template <typename Work>
ExitCode guarded(std::ostream& err, std::string_view read, Work work) {
  const auto say = [&err](std::string_view kind, std::string_view what) {
    err << "recirc: " << kind << what << '\n';
  };
  try {
    return work();
  } catch (const UsageError& error) {
    say("", error.what());
    if (!error.hint().empty()) err << "  " << error.hint() << '\n';
    return ExitCode::usage;
  } catch (const sim::ConfigError& error) {
    const std::size_t count = error.issues().size();
    say(read, " cannot be used" +
                  (count == 1 ? std::string{} : ", " + std::to_string(count) + " issues"));
    err << error.what() << '\n';
    return ExitCode::usage;
  } catch (const sim::InputOutputError& error) {
    say("", error.what());
    return ExitCode::input_output;
  } catch (const sim::ConstraintViolation& error) {
    say("constraint violation: ", error.what());
    return ExitCode::constraint_violation;
  } catch (const sim::Interrupted& error) {
    say("interrupted", std::string(*error.what() == '\0' ? "" : ": ") + error.what());
    return ExitCode::interrupted;
  } catch (const std::bad_alloc&) {
    say("", "out of memory");
    return ExitCode::input_output;
  } catch (const std::exception& error) {
    say("invariant broken (a mistake of ours, not of yours): ", error.what());
    return ExitCode::invariant_broken;
  } catch (...) {
    say("invariant broken: ", "an exception of unknown type");
    return ExitCode::invariant_broken;
  }
}

}  // namespace

ExitCode run_command_line(const std::vector<std::string>& words, Environment& environment) {
  return guarded(environment.err, read_by(words), [&] {
    const ExitCode code = dispatch(words, environment);
    environment.out.flush();
    if (!environment.out && code == ExitCode::fine) {
      throw sim::InputOutputError("cannot write to standard output");
    }
    return code;
  });
}

}  // namespace recirc::app
