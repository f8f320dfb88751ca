#pragma once

#include <cstdint>

#include "model/result.h"
#include "sim/ids.h"
#include "workloads/page_ops.h"

namespace recirc::model::pages {

using NodeId = sim::Id<struct NodeTag, std::uint16_t>;
using workloads::FileId;
using workloads::PageOp;
using workloads::PageOpKind;
using workloads::PageRef;
using workloads::WorkerId;

/// One number for a page of a file, for tables.
constexpr std::uint64_t number_of(PageRef page) {
  return (std::uint64_t{page.file.value()} << 32U) | page.page;
}

/// Versions of a file's size are checked like those of a page with this number.
inline constexpr std::uint32_t size_page = 1U << 31U;

/// A file system that caches pages on its nodes. Workers (workers.h) call it; it calls back
/// Workers::returns() for each call, at a time that it may already know.
class PageSystem {
 public:
  virtual ~PageSystem() = default;
  /// A worker makes a call, now; what it asks for is Workers::op().
  virtual void call(WorkerId worker) = 0;
  virtual void report(ReplicationResult& /*result*/) const {}
  /// Called when nothing is in flight; throws InvariantBroken when state is left behind that should
  /// not be.
  virtual void check_idle() const {}
};

}  // namespace recirc::model::pages
