#include "app/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "sim/error.h"

namespace recirc::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path) {
  throw sim::InputOutputError("cannot write " + path + ": " + std::strerror(errno));
}

void write_all(int file, const std::string& text, const std::string& path) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(path);
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  if (!error) target_ = real.string();
  const fs::file_status status = fs::status(target_, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail(path_);
    return;
  }
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0) fail(path_);
  const fs::path place(target_);
  temporary_ = (place.parent_path() /
                ("." + place.filename().string() + "." + std::to_string(::getpid()) + ".tmp"))
                   .string();
  file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    temporary_.clear();
    fail(path_);
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::commit(const std::string& text) {
  write_all(file_, text, path_);
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) fail(path_);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_);
  temporary_.clear();
}

}  // namespace recirc::app
