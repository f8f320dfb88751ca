#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/ids.h"
#include "sim/time.h"
#include "sim/units.h"

namespace recirc::workloads {

/// Everything here moves whole pages (fxmark's buffer and Linux's page).
inline constexpr sim::Bytes page_size{4096};

/// A file of a page workload. Ids are dense.
using FileId = sim::Id<struct FileTag>;

/// A thread of a node; threads of node 0 come first.
using WorkerId = sim::Id<struct WorkerTag>;

/// A page of a file, by its number.
struct PageRef {
  FileId file;
  std::uint32_t page = 0;
  bool operator==(const PageRef&) const = default;
};

enum class PageOpKind : std::uint8_t { read, write, append, truncate, fsync, reopen };
inline constexpr std::size_t page_op_kinds = 6;
inline constexpr std::array<std::string_view, page_op_kinds> page_op_names = {
    "read", "write", "append", "truncate", "fsync", "reopen"};

constexpr std::string_view name_of(PageOpKind kind) {
  return page_op_names[static_cast<std::size_t>(kind)];
}

/// Who makes such a call has the file open for writing.
constexpr bool changes_file(PageOpKind kind) {
  return kind == PageOpKind::write || kind == PageOpKind::append || kind == PageOpKind::truncate;
}

/// One call of an application.
struct PageOp {
  PageOpKind kind = PageOpKind::read;
  bool counts = true;  ///< among the operations of the result
  PageRef first;       ///< of a truncate: its page is the file's new size; of an append: its file
  std::uint32_t pages = 1;
  bool whole = true;       ///< a write of whole pages; else the rest of a page must be known
  sim::Time earliest{};    ///< the call is not made before
  std::uint64_t word = 0;  ///< what a write leaves in its pages for readers to see
};

/// What a file is like when the run begins.
struct PageFile {
  std::uint32_t pages = 0;
  bool written = false;         ///< somebody holds it open for writing
  std::uint32_t writers = ~0U;  ///< bits of the nodes that do, where it is written

  [[nodiscard]] bool written_by(std::uint32_t node) const {
    return written && (writers >> node & 1U) != 0;
  }
};

/// Who calls: the threads of all nodes, and what they must do to see each other's writes.
struct PageCrew {
  std::uint32_t nodes = 1;
  std::uint32_t threads = 1;  ///< of a node
  bool must_reopen = false;   ///< a node sees what others have written when it opens the file anew

  [[nodiscard]] std::uint32_t workers() const { return nodes * threads; }
};

/// The threads of all nodes, as the application sees them: each asks for its next call when the
/// last one has returned.
class PageApp {
 public:
  virtual ~PageApp() = default;
  [[nodiscard]] virtual std::vector<PageFile> files() const = 0;
  /// `word`: what the last call of this worker has read; 0 before its first. A pure function of
  /// what the worker has seen, so it does not depend on the order of others' calls.
  virtual PageOp next(WorkerId worker, std::uint64_t word) = 0;
  /// False: the worker has made its last call.
  [[nodiscard]] virtual bool has_next(WorkerId /*worker*/) const { return true; }
};

}  // namespace recirc::workloads
