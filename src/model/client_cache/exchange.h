#pragma once

#include <cstdint>
#include <vector>

#include "model/request.h"
#include "sim/time.h"
#include "sim/units.h"
#include "workloads/namespace.h"

namespace recirc::model::client_cache {

/// A directory with the version of its metadata that somebody goes by.
struct Told {
  workloads::PathId directory;
  Version version = 0;
};

/// What client and server say to each other about the directories above a requested path. It rides
/// with the request and its answer; only endpoints read it. Levels are bits: the root is level 0
/// and never asked for. Versions are listed where they are not 0, which nearly all are.
struct Exchange {
  workloads::Operation operation;
  UserClass user = UserClass::owner;
  workloads::PathId parent;    ///< of the requested path
  unsigned depth = 0;          ///< of the parent: levels 1..depth are resolved
  std::uint64_t lookups = 0;   ///< levels that the client has not got
  unsigned looking_up = 0;     ///< the level that this message asks about; 0: the operation itself
  unsigned stale_answers = 0;  ///< that the operation has got
  bool at_server = false;      ///< the path's server shall look up what is left, whoever else could
  unsigned found = 0;          ///< by the server: the deepest level that is there
  unsigned records = 0;        ///< directories that it returns
  sim::Time good_until{};      ///< the lease on them
  std::vector<Told> used;      ///< by the client
  std::vector<Told> returned;  ///< by the server: what it has looked up, or what was outdated
  std::vector<Told> floors;    ///< acknowledged before the operation was issued, for the oracle

  [[nodiscard]] std::uint64_t all_levels() const {
    return (depth >= 63 ? ~std::uint64_t{0} : (std::uint64_t{2} << depth) - 1U) & ~std::uint64_t{1};
  }
  [[nodiscard]] bool is_looked_up(unsigned level) const { return (lookups >> level & 1U) != 0; }
  void begin(const Request& request, const workloads::Namespace& tree) {
    operation = request.operation;
    user = request.user;
    parent = tree.parent(operation.path);
    depth = tree.depth(parent);
    lookups = 0;
    looking_up = stale_answers = 0;
    at_server = false;
    used.clear();
    floors.clear();
  }
};

inline Version version_in(const std::vector<Told>& list, workloads::PathId directory) {
  for (const Told& told : list) {
    if (told.directory == directory) return told.version;
  }
  return 0;
}

/// Visits the directories above a path from its parent (level `depth`) up to level 1.
template <class Visit>
void for_each_above(const workloads::Namespace& tree, const Exchange& exchange, Visit visit) {
  workloads::PathId directory = exchange.parent;
  for (unsigned level = exchange.depth; level > 0; --level) {
    visit(directory, level);
    directory = tree.parent(directory);
  }
}

/// The exchanges of all requests that are under way.
class Exchanges {
 public:
  Exchange& operator[](RequestHandle handle) {
    if (handle >= all_.size()) all_.resize(std::size_t{handle} + 1);
    return all_[handle];
  }
  void copy(RequestHandle from, RequestHandle to) {
    const Exchange exchange = (*this)[from];
    (*this)[to] = exchange;
  }

 private:
  std::vector<Exchange> all_;
};

/// What the exchange adds to frames: which levels are to be looked up, the version of each level
/// that is not; and of each directory that is returned its level and its record (Fletch §III).
namespace frames {
inline constexpr sim::Bytes levels{8};
inline constexpr sim::Bytes version{4};
inline constexpr sim::Bytes record{25};
}  // namespace frames

}  // namespace recirc::model::client_cache
