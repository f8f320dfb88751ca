#pragma once

#include <string>
#include <vector>

#include "app/environment.h"
#include "sim/error.h"

namespace recirc::app {

/// Does what a command line asks. `words` is the line without the program's name. Every error ends
/// as a message on `err` and an exit code; nothing is thrown.
sim::ExitCode run_command_line(const std::vector<std::string>& words, Environment& environment);

}  // namespace recirc::app
