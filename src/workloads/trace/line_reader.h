#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace recirc::workloads::trace {

/// The lines of a file, plain or gzip (of several members, too), read in blocks.
class LineReader {
 public:
  /// Longer lines are cut; the longest real ones list the sources of a concat.
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  /// Throws InputOutputError if the file cannot be opened.
  explicit LineReader(const std::filesystem::path& file);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line, without its end ("\n" or "\r\n") and without a byte order mark. False at the
  /// end. Throws InputOutputError if the file cannot be read.
  bool next(std::string_view& line);

  /// The beginning of what next() has not yet returned: a block or two.
  std::string_view peek();

  /// Number of the line that next() returned last, from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// That line was longer than longest_line and is its beginning only.
  [[nodiscard]] bool cut() const { return cut_; }
  /// Why the compressed file ends early, or empty. A line that was cut by it is not returned.
  [[nodiscard]] const std::string& damage() const { return damage_; }

 private:
  struct Close {
    void operator()(void* file) const;
  };

  void fill();
  void skip_rest_of_line();
  std::string_view take(std::size_t length, std::size_t with_end);

  std::string name_;
  std::unique_ptr<void, Close> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  bool cut_ = false;
  std::uint64_t number_ = 0;
  std::string damage_;
};

}  // namespace recirc::workloads::trace
