#pragma once

#include <cstdint>
#include <vector>

#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model::fletch {

/// The cached paths that servers know of, as a tree: what lies below a directory is found without
/// looking at anything else. A server learns of a path with the message that admits it and forgets
/// it with the one that evicts it; these may come in another order than those of its ancestors.
class CachedTree {
 public:
  explicit CachedTree(const workloads::Namespace& tree) : tree_(tree) {}

  void add(workloads::PathId path);
  void remove(workloads::PathId path);
  /// What is known below `directory`, parents before children, siblings latest first.
  [[nodiscard]] std::vector<workloads::PathId> below(workloads::PathId directory) const;

 private:
  using Index = workloads::PathId::rep;
  static constexpr Index none = ~Index{0};
  struct Node {
    bool present = false;
    Index first_child = none;
    Index next = none;
    Index previous = none;
  };
  void unhang(workloads::PathId path);

  const workloads::Namespace& tree_;
  sim::FlatMap<Node> nodes_;  ///< a node stays while it is present or has children
};

}  // namespace recirc::model::fletch
