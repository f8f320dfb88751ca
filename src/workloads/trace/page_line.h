#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sim/time.h"
#include "workloads/page_ops.h"

namespace recirc::workloads::trace {

/// A call of a page trace as its line has it.
struct PageLine {
  sim::Time at{};
  std::uint32_t node = 0;
  std::uint32_t thread = 0;  ///< in a format without nodes: which process, from 0
  PageOpKind op = PageOpKind::read;
  std::string_view file;
  std::uint64_t offset = 0;  ///< bytes; of a truncate: the new size
  std::uint64_t length = 0;  ///< bytes
};

/// Thrown by what finds a line unusable.
struct WrongLine {
  std::string what;  ///< goes on from "line 7 "
};

inline constexpr std::uint64_t most_pages_of_file = std::uint64_t{1} << 31U;
inline constexpr std::uint64_t last_byte_of_file = most_pages_of_file * page_size.count();
/// Of one call; no system call moves more.
inline constexpr std::uint64_t longest_page_call = std::uint64_t{1} << 31U;
/// Nodes, and threads or processes; the cluster's own bounds are far below.
inline constexpr std::uint64_t most_page_threads = 1 << 16;

/// Takes the lines of a page trace apart, one after another, without blanks at either end. Empty
/// lines are left out.
class PageLineParser {
 public:
  virtual ~PageLineParser() = default;
  /// True when the line has a call, false when it has something that nobody replays. Throws
  /// WrongLine.
  virtual bool parse(std::string_view line, PageLine& call) = 0;
  /// What follows is no part of the trace.
  [[nodiscard]] virtual bool ended() const { return false; }
  /// Files are whole disks, of which the trace touches parts.
  [[nodiscard]] virtual bool of_disks() const { return false; }
  /// Nodes are not told: `thread` of a call is a process.
  [[nodiscard]] virtual bool of_processes() const { return true; }
};

std::unique_ptr<PageLineParser> make_csv_pages();
std::unique_ptr<PageLineParser> make_iolog_pages();
std::unique_ptr<PageLineParser> make_blkparse_pages();

// For parsers.
std::string_view trimmed(std::string_view text);
/// Cuts the next word off; empty at the end.
std::string_view take_word(std::string_view& text);
/// A whole number up to `most`; WrongLine, with the field's name, when it is none.
std::uint64_t number_in(std::string_view text, std::string_view name, std::uint64_t most);
/// `unit`: nanoseconds of what the text counts.
sim::Time time_in(std::string_view text, std::int64_t unit);

}  // namespace recirc::workloads::trace
