#pragma once

#include <string>

namespace recirc::app {

/// A file that appears whole or not at all: written beside its place and renamed. Opening it at the
/// start finds out that it cannot be written before hours of work, not after.
class OutputFile {
 public:
  /// Throws InputOutputError when nothing can be written there.
  explicit OutputFile(const std::string& path);
  /// Leaves no trace unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes `text` and puts the file in its place. Throws InputOutputError.
  void commit(const std::string& text);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;       ///< as the user wrote it
  std::string target_;     ///< with links followed
  std::string temporary_;  ///< empty: written in place (a device, a pipe)
  int file_ = -1;
};

}  // namespace recirc::app
