#include "model/experiment/point_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "sim/error.h"

namespace recirc::model::experiment {
namespace {

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  throw sim::InputOutputError("cannot " + doing + " " + path + ": " + std::strerror(errno));
}

[[noreturn]] void refuse(const std::string& path, const std::string& why,
                         const std::string& instead) {
  throw sim::ConfigError({sim::Issue{path, why, instead}});
}

}  // namespace

PointFile read_point_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("read", path);
  PointFile file;
  std::string line;
  std::uint64_t number = 0;
  while (std::getline(in, line)) {
    if (in.eof()) {  // no newline: the writer was killed in this line
      file.torn = !line.empty();
      break;
    }
    ++number;
    if (number == 1) {
      if (!is_header(line)) {
        refuse(path, "is no point file of a sweep", "its first line states the sweep");
      }
      file.header = line;
    } else {
      try {
        file.records.push_back(record_of(line));
      } catch (const sim::InputOutputError& error) {
        throw sim::InputOutputError(path + ", line " + std::to_string(number) + ": " +
                                    error.what());
      }
    }
    file.whole_bytes += line.size() + 1;
  }
  if (in.bad()) fail("read", path);
  return file;
}

PointWriter::PointWriter(const std::string& path, Mode mode, const std::string& header)
    : path_(path) {
  const int how = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | (mode == Mode::create ? O_EXCL : 0);
  file_ = ::open(path.c_str(), how, 0666);
  if (file_ < 0) {
    if (errno == EEXIST) {
      refuse(path, "exists already", "--resume goes on with it; or name another file");
    }
    fail("write", path);
  }
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw sim::InputOutputError("another sweep is writing " + path);
    }
    resume(header);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

PointWriter::~PointWriter() { ::close(file_); }

void PointWriter::resume(const std::string& header) {
  PointFile file = read_point_file(path_);
  if (file.header.empty()) {
    // Empty, or killed while the first line was written; anything else is not ours to cut.
    std::ifstream in(path_, std::ios::binary);
    std::string start;
    std::getline(in, start);
    if (header.compare(0, start.size(), start) != 0) {
      refuse(path_, "is no point file of this sweep", "name another file");
    }
  } else if (!same_grid(file.header, header)) {
    refuse(path_, "holds the points of another grid", "name another file");
  }
  if (file.torn) {
    cut_ = true;
    if (::ftruncate(file_, static_cast<off_t>(file.whole_bytes)) != 0) fail("cut", path_);
  }
  if (file.header.empty()) write_line(header + "\n");
  known_ = std::move(file.records);
}

void PointWriter::append(const PointRecord& record) { write_line(line_of(record)); }

void PointWriter::write_line(const std::string& line) {
  const off_t end = ::lseek(file_, 0, SEEK_END);
  ssize_t written = -1;
  do {
    written = ::write(file_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) fail("write", path_);
  if (static_cast<std::size_t>(written) == line.size()) return;
  // Other threads still finish their work: nothing may follow a part of a line.
  if (end < 0 || ::ftruncate(file_, end) != 0) fail("cut", path_);
  throw sim::InputOutputError("cannot write " + path_ + ": the disk is full");
}

}  // namespace recirc::model::experiment
