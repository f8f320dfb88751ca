#pragma once

#include <atomic>
#include <sstream>

#include "app/cli.h"

namespace recirc::app {

/// A model whose figures follow from its settings by a short formula. Some systems misbehave:
/// "violating", "broken" and "starving" throw, "interrupting" asks to stop in replication 1.
class FakeEngine final : public model::experiment::Engine {
 public:
  [[nodiscard]] std::shared_ptr<const model::experiment::PreparedRun> prepare(
      const sim::config::Document& user) const override;
  [[nodiscard]] model::experiment::Json schema() const override;
  [[nodiscard]] std::string reference() const override { return "# Configuration\n"; }
  [[nodiscard]] std::string revision() const override { return build; }

  std::string build = "f00d";
  mutable std::atomic<int> runs{0};  ///< replications that were begun
};

/// The command line in a world of its own.
struct Shell {
  /// Runs one line; `out` and `err` hold what it wrote.
  sim::ExitCode operator()(const std::vector<std::string>& words);

  FakeEngine engine;
  std::string out;
  std::string err;
};

/// A directory that goes away with the test.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  /// The path of a file in it; with `text`, the file is written.
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string file(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::string folder_;
};

std::string read_text(const std::string& path);

}  // namespace recirc::app
