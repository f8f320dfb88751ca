#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "app/cli.h"
#include "app/model_engine.h"

namespace {

/// A run's parts and replications take about the same memory one after another: giving it back in
/// between costs more than running them.
void keep_memory() {
#ifdef __GLIBC__
  constexpr int largest = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, largest);
  mallopt(M_TRIM_THRESHOLD, 16 * largest);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away is a failed write like any other, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // likewise a file that may not grow any more
  keep_memory();
  try {
    const recirc::app::ModelEngine engine;
    recirc::model::RunControl control;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    recirc::app::Environment environment{std::cout, std::cerr, engine, terminal, true, control};
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return static_cast<int>(recirc::app::run_command_line(words, environment));
  } catch (...) {
    // Only what the command line's own error messages can raise, such as no memory for them.
    return static_cast<int>(recirc::sim::ExitCode::input_output);
  }
}
