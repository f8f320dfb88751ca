#include "app/spool.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/error.h"

namespace recirc::app {
namespace {

/// An empty file of our own.
std::string temporary_file() {
  std::error_code unknown;
  std::string name = (std::filesystem::temp_directory_path(unknown) / "recirc-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) {
    throw sim::InputOutputError("cannot make a temporary file " + name + ": " +
                                std::strerror(errno));
  }
  close(file);
  return name;
}

void copy(std::ifstream& from, const std::string& name, const std::string& to) {
  std::ofstream out(to, std::ios::binary);
  // Inserting a stream buffer that is at its end counts as a failure.
  if (from.peek() != std::ifstream::traits_type::eof()) out << from.rdbuf();
  out.close();
  if (from.bad()) throw sim::InputOutputError("cannot read " + name);
  if (!out) throw sim::InputOutputError("cannot write " + to + ", a copy of " + name);
}

}  // namespace

Spool::Spool(const std::string& path) : path_(path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code unknown;
  if (!in || std::filesystem::is_directory(path, unknown)) {
    throw sim::InputOutputError("cannot read " + path);
  }
  if (std::filesystem::is_regular_file(path, unknown)) return;
  path_ = temporary_file();
  copied_ = true;
  try {
    copy(in, path, path_);
  } catch (...) {
    unlink(path_.c_str());
    throw;
  }
}

Spool::~Spool() {
  if (copied_) unlink(path_.c_str());
}

}  // namespace recirc::app
