#pragma once

#include "app/environment.h"
#include "app/options.h"
#include "sim/error.h"

namespace recirc::app {

/// A word of the command line and what it does.
struct Verb {
  const char* name;
  Options (*options)();
  /// Throws what goes wrong; cli.cpp turns that into messages and exit codes.
  sim::ExitCode (*run)(const Parsed& parsed, Environment& environment);
  const char* reads = "the configuration";  ///< what is wrong when a ConfigError comes
};

// One file a verb: its options and what it does.
Options run_options();
sim::ExitCode run_verb(const Parsed& parsed, Environment& environment);
Options compare_options();
sim::ExitCode compare_verb(const Parsed& parsed, Environment& environment);
Options sweep_options();
sim::ExitCode sweep_verb(const Parsed& parsed, Environment& environment);
Options merge_options();
sim::ExitCode merge_verb(const Parsed& parsed, Environment& environment);
Options check_options();
sim::ExitCode check_verb(const Parsed& parsed, Environment& environment);
Options list_options();
sim::ExitCode list_verb(const Parsed& parsed, Environment& environment);
Options schema_options();
sim::ExitCode schema_verb(const Parsed& parsed, Environment& environment);
Options trace_options();
sim::ExitCode trace_verb(const Parsed& parsed, Environment& environment);
Options rmt_options();
sim::ExitCode rmt_verb(const Parsed& parsed, Environment& environment);
Options claims_options();
sim::ExitCode claims_verb(const Parsed& parsed, Environment& environment);
Options saturate_options();
sim::ExitCode saturate_verb(const Parsed& parsed, Environment& environment);
Options sensitivity_options();
sim::ExitCode sensitivity_verb(const Parsed& parsed, Environment& environment);
Options log_options();
sim::ExitCode log_verb(const Parsed& parsed, Environment& environment);
Options docs_options();
sim::ExitCode docs_verb(const Parsed& parsed, Environment& environment);

}  // namespace recirc::app
