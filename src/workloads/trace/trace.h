#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "workloads/interned_tree.h"
#include "workloads/trace/record.h"
#include "workloads/trace/summary.h"

namespace recirc::workloads::trace {

/// One request as it is stored: 16 bytes, so that 100 million of them fit a laptop.
struct StoredOperation {
  std::uint64_t time_ns : 58;  ///< since the first request; 9 years
  std::uint64_t kind : 4;
  std::uint64_t more : 1;  ///< Trace::more has what does not fit here
  std::uint64_t allowed : 1;
  PathId::rep path;
  PathId::rep destination;  ///< PathId::none() if there is none
};
static_assert(sizeof(StoredOperation) == 16);

/// What few requests have: a caller of their own, or attributes to be set.
struct MoreOfOperation {
  std::uint64_t index;  ///< of its operation
  bool recursive;
  Caller caller;
  Attributes set;
};

/// A trace in memory: immutable, shared by the replications and schemes that replay it.
struct Trace {
  InternedTree tree;
  std::vector<StoredOperation> operations;
  std::vector<MoreOfOperation> more;  ///< in the order of operations
  TraceSummary summary;
};

/// Reads a trace. Reads follow what their paths are: stat of a directory becomes statdir, statdir
/// and readdir of a file become stat (HDFS answers listStatus of a file with the file's status).
/// A delete stays one: HDFS deletes a directory with all below it.
/// Throws InputOutputError as Reader does, with `strict` also if the trace has problems.
std::shared_ptr<const Trace> load(const std::filesystem::path& file,
                                  Format format = Format::automatic, bool strict = false);

}  // namespace recirc::workloads::trace
