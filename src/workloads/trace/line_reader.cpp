#include "workloads/trace/line_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "sim/error.h"

namespace recirc::workloads::trace {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

gzFile gz(void* file) { return static_cast<gzFile>(file); }

[[noreturn]] void cannot_read(const std::string& name, int error) {
  throw sim::InputOutputError(
      fmt::format("cannot read {}: {}", name, std::generic_category().message(error)));
}

}  // namespace

void LineReader::Close::operator()(void* file) const { gzclose(gz(file)); }

LineReader::LineReader(const std::filesystem::path& file) : name_(file.string()) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) cannot_read(name_, EISDIR);
  errno = 0;
  file_.reset(gzopen(file.c_str(), "rb"));
  if (!file_) cannot_read(name_, errno == 0 ? ENOMEM : errno);
  gzbuffer(gz(file_.get()), block_bytes);
  buffer_.resize(2 * block_bytes);
}

LineReader::~LineReader() = default;

void LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < block_bytes) buffer_.resize(2 * buffer_.size());
  const int count = gzread(gz(file_.get()), buffer_.data() + end_, block_bytes);
  if (count > 0) end_ += static_cast<std::size_t>(count);
  if (count == static_cast<int>(block_bytes)) return;
  int error = Z_OK;
  const char* message = gzerror(gz(file_.get()), &error);
  if (error == Z_ERRNO) cannot_read(name_, errno);
  if (error != Z_OK && error != Z_STREAM_END) {
    damage_ = error == Z_BUF_ERROR ? "the compressed file ends too early" : message;
  }
  at_end_ = true;
}

std::string_view LineReader::peek() {
  if (begin_ == end_ && !at_end_) fill();
  return {buffer_.data() + begin_, end_ - begin_};
}

std::string_view LineReader::take(std::size_t length, std::size_t with_end) {
  std::string_view line{buffer_.data() + begin_, length};
  begin_ += with_end;
  if (++number_ == 1 && line.starts_with(byte_order_mark)) {
    line.remove_prefix(byte_order_mark.size());
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void LineReader::skip_rest_of_line() {
  for (;;) {
    const char* start = buffer_.data() + begin_;
    if (const void* found = std::memchr(start, '\n', end_ - begin_)) {
      begin_ += static_cast<std::size_t>(static_cast<const char*>(found) - start) + 1;
      return;
    }
    begin_ = end_;
    if (at_end_) return;
    fill();
  }
}

bool LineReader::next(std::string_view& line) {
  // The rest of a cut line is dropped only now: the line returned was still in the buffer.
  if (cut_) skip_rest_of_line();
  cut_ = false;
  std::size_t searched = 0;
  for (;;) {
    const std::size_t available = end_ - begin_;
    const char* start = buffer_.data() + begin_;
    const void* found =
        available == searched ? nullptr : std::memchr(start + searched, '\n', available - searched);
    if (found != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - start);
      line = take(length, length + 1);
      return true;
    }
    if (available > longest_line) {
      cut_ = true;
      line = take(longest_line, longest_line);
      return true;
    }
    if (at_end_) {
      if (available == 0 || !damage_.empty()) return false;
      line = take(available, available);
      return true;
    }
    searched = available;
    fill();
  }
}

}  // namespace recirc::workloads::trace
