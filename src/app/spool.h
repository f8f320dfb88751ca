#pragma once

#include <string>

namespace recirc::app {

/// A file that can be opened as often as one likes. A pipe gives its bytes once only, so it is
/// copied into a temporary file, which goes away with this object.
class Spool {
 public:
  /// Throws InputOutputError.
  explicit Spool(const std::string& path);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// The file itself if it is a regular one, else the copy.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool copied() const { return copied_; }

 private:
  std::string path_;
  bool copied_ = false;
};

}  // namespace recirc::app
