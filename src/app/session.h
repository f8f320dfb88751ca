#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/environment.h"
#include "app/options.h"
#include "app/output_file.h"
#include "model/experiment/jobs.h"
#include "model/experiment/result_document.h"

namespace recirc::app {

/// How long the host took: for people and for --host-stats, never in the rest of a result.
struct HostTime {
  double seconds = 0;
  std::uint64_t operations = 0;
  unsigned threads = 0;
  double peak_memory_mib = 0;  ///< of the whole process
};

/// What came of the jobs of a command.
struct Execution {
  std::vector<std::optional<model::ReplicationResult>> results;  ///< by job; nothing: not finished
  bool complete = false;
  HostTime host;
};

/// What --jobs says, or one a core. Throws UsageError.
unsigned threads_of(const Parsed& options);

/// Runs `jobs` with progress, on --jobs threads; Ctrl-C stops it. `finished`, if given, takes the
/// results instead of Execution::results.
Execution execute(const std::vector<model::experiment::Job>& jobs, const Parsed& options,
                  Environment& environment, const model::experiment::Finished& finished = nullptr);

/// Takes what was finished, in the order of the jobs. Throws Interrupted if nothing was.
std::vector<model::ReplicationResult> finished_of(Execution& execution);

/// The configuration in a file, a result file's too, with --set applied.
sim::config::Document config_with_overrides(const std::string& path, const Parsed& options);

/// For verbs that run nothing: a --set that changed nothing would be a silent mistake. Throws
/// UsageError if there is one.
void refuse_overrides(const Parsed& options, const std::string& verb);

/// For verbs that know metadata services only. Throws UsageError for a file system with a page
/// cache.
void refuse_page_caches(const sim::config::Document& config, const std::string& verb);

/// The file an option such as --out names, opened for writing; null if it was not given. Throws
/// UsageError when it is an argument, one of the files that are `read`, or what --out names.
std::unique_ptr<OutputFile> open_file(const Parsed& options, const std::string& option,
                                      const std::vector<std::string>& read = {});

/// Writes `document` to --out and, with --json, to standard output.
void deliver(const model::experiment::Json& document, const Parsed& options, OutputFile* out,
             Environment& environment);

/// The "host" block; and what is said about it on standard error.
model::experiment::Json host_document(const HostTime& host);
void tell_host_time(const HostTime& host, const Parsed& options, Environment& environment);

/// The exit code of what ran; says on standard error when it was interrupted.
sim::ExitCode finish(const Execution& execution, Environment& environment);

}  // namespace recirc::app
