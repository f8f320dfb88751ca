#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "workloads/trace/commands.h"

namespace recirc::workloads::trace {

/// The time of a log line since 1970 by the log's own clock. Nanoseconds: picoseconds since 1970 do
/// not fit 64 bits. Only differences of two of them become simulated time.
using Stamp = std::chrono::nanoseconds;

/// What a format finds in one line. The views live as long as the line.
struct RawRecord {
  Stamp time{};
  bool allowed = true;
  std::string_view command;
  std::string_view path;         ///< empty or "null": none
  std::string_view destination;  ///< empty or "null": none
  Caller caller = Caller::owner;
  Attributes set;
};

/// What a line turned out to be.
enum class LineKind : std::uint8_t {
  record,
  blank,     ///< empty, a comment or a header
  foreign,   ///< something else that shares the log's file, such as a stack trace
  broken,    ///< meant as a record, but incomplete or garbled
  bad_time,  ///< a record but for its time, which cannot be read
};

/// One usable request of a trace. The views live until the next call of Reader::next.
struct Record {
  Stamp time{};                      ///< since the trace's first readable time; never falls
  OpKind operation = OpKind::stat;   ///< what the table says; the path may be a directory
  const Command* command = nullptr;  ///< never null in a record that was read
  bool allowed = true;
  std::string_view path;         ///< normalised
  std::string_view destination;  ///< normalised; empty: none
  Caller caller = Caller::owner;
  Attributes set;
  std::uint64_t line = 0;  ///< number of the line, from 1
};

}  // namespace recirc::workloads::trace
