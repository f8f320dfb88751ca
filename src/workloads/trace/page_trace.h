#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/time.h"
#include "workloads/page_ops.h"

namespace recirc::workloads::trace {

/// One call of a trace.
struct PageTraceCall {
  sim::Time at{};  ///< after the first call of the trace
  std::uint32_t node = 0;
  std::uint32_t thread = 0;
  std::uint64_t line = 0;
  PageOp op;  ///< `earliest` is not set
};

/// A user's own trace of calls on pages, in memory: shared by the replications that replay it.
struct PageTrace {
  std::string name;  ///< of its file
  std::vector<PageTraceCall> calls;
  std::vector<PageFile> files;
};

/// Reads CSV, plain or gzip: `time,node,thread,op,file,offset,length`, one call a line.
///
/// `time` counts seconds, or what a header calls it (time_ms, time_us, time_ns), and does not run
/// backwards within a thread. `node` and `thread` count from 0. `op` is read, write, append,
/// truncate, fsync or reopen. `file` is any name without a comma. `offset` and `length` are bytes:
/// a call that begins or ends within a page is for all of the page, as a part of it. A truncate's
/// offset is the new size; an append has no offset, and fsync and reopen have neither. A header,
/// empty lines and lines that begin with '#' are optional.
///
/// A file is as large at first as the reads and writes before its first append or truncate say.
/// Throws InputOutputError, with the numbers of the first lines that are wrong, if there are any.
std::shared_ptr<const PageTrace> load_page_trace(const std::filesystem::path& file);

}  // namespace recirc::workloads::trace
