#include "app/run_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "app/usage_error.h"
#include "model/fletch/log_file.h"
#include "sim/error.h"

namespace recirc::app {

namespace fs = std::filesystem;

namespace {

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    const bool other = fs::exists(folder);
    throw sim::InputOutputError("cannot make the directory " + folder + ": " +
                                (other ? "it is a file" : error.message()));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw sim::InputOutputError("cannot write to the directory " + folder + ": " +
                                std::strerror(errno));
  }
}

}  // namespace

std::string stem_of(const std::string& path) { return fs::path(path).stem().string(); }

RunFolder::RunFolder(std::optional<std::string> given, const std::string& name_of_run)
    : asked_for_(given.has_value()),
      folder_(given ? *given : (fs::path("results") / name_of_run).string()) {
  if (folder_.empty()) throw UsageError("--run-dir names no directory");
}

std::string RunFolder::file_for(const model::experiment::PreparedRun& run,
                                const std::string& name) {
  if (!run.has_log() || !(asked_for_ || run.persists())) return {};
  if (files_++ == 0) make_folder(folder_);
  std::string file = (fs::path(folder_) / name).string();
  model::fletch::LogFile::check_place(file);
  if (first_.empty()) first_ = file;
  return file;
}

void RunFolder::place_logs(std::vector<model::experiment::Job>& replications) {
  for (model::experiment::Job& job : replications) {
    job.log_file = file_for(*job.run, "controller-r" + std::to_string(job.replication) + ".sqlite");
  }
  refuse_if_unused(replications.front().run->system());
}

void RunFolder::refuse_if_unused(const std::string& system) const {
  if (!asked_for_ || files_ > 0) return;
  throw UsageError("--run-dir: nothing would be written there, system " + system +
                   " has no controller with a log");
}

std::string RunFolder::note() const {
  if (files_ == 0) return {};
  if (files_ == 1) return "the controller's log goes to " + first_ + '\n';
  return "controllers' logs go to " + folder_ + ", " + std::to_string(files_) + " files\n";
}

}  // namespace recirc::app
