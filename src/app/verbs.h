#pragma once

#include <string>
#include <vector>

#include "app/environment.h"
#include "sim/error.h"

namespace recirc::app {

using Words = std::vector<std::string>;

// One function a verb. Each reads its own options and throws what goes wrong; cli.cpp turns that
// into messages and exit codes.
sim::ExitCode run_verb(const Words& words, Environment& environment);
sim::ExitCode compare_verb(const Words& words, Environment& environment);
sim::ExitCode sweep_verb(const Words& words, Environment& environment);
sim::ExitCode merge_verb(const Words& words, Environment& environment);
sim::ExitCode check_verb(const Words& words, Environment& environment);
sim::ExitCode list_verb(const Words& words, Environment& environment);
sim::ExitCode schema_verb(const Words& words, Environment& environment);
sim::ExitCode docs_verb(const Words& words, Environment& environment);

}  // namespace recirc::app
