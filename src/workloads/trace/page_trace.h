#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/config.h"
#include "sim/time.h"
#include "workloads/page_ops.h"

namespace recirc::workloads::trace {

enum class PageTraceFormat : std::uint8_t { csv, iolog, blkparse };
std::span<const sim::config::EnumName> names_of(PageTraceFormat);

/// One call of a trace.
struct PageTraceCall {
  sim::Time at{};  ///< after the first call of the trace
  std::uint32_t node = 0;
  std::uint32_t thread = 0;  ///< of the node; in a trace of processes: which of them, from 0
  std::uint64_t line = 0;
  PageOp op;  ///< `earliest` is not set
};

/// A user's own trace of calls on pages, in memory: shared by the replications that replay it.
struct PageTrace {
  std::string name;  ///< of its file
  std::vector<PageTraceCall> calls;
  std::vector<PageFile> files;
  bool of_processes = false;  ///< who replays it deals them out to the threads it has
};

/// Reads a trace, plain or gzip, one call a line (docs/traces.md, "Calls on pages").
///
/// csv: `time,node,thread,op,file,offset,length`. `time` counts seconds, or what a header calls it
/// (time_ms, time_us, time_ns). `node` and `thread` count from 0. `op` is read, write, append,
/// truncate, fsync or reopen. `file` is any name without a comma. A truncate's offset is the new
/// size; an append has no offset, and fsync and reopen have neither. A header, empty lines and
/// lines that begin with '#' are optional.
///
/// iolog: what fio writes with write_iolog, versions 2 and 3: of one process.
/// blkparse: what blkparse prints by default: of the processes that it names, in the order of their
/// first calls; regions of 2 MiB of a disk that nobody touches are left out.
///
/// Offsets and lengths are bytes: a call that begins or ends within a page is for all of the page,
/// as a part of it. Times do not run backwards within a thread or process. A file is as large at
/// first as the reads and writes before its first append or truncate say.
/// Throws InputOutputError, with the numbers of the first lines that are wrong, if there are any.
std::shared_ptr<const PageTrace> load_page_trace(const std::filesystem::path& file,
                                                 PageTraceFormat format = PageTraceFormat::csv);

}  // namespace recirc::workloads::trace
