#pragma once

#include "model/cluster_config.h"
#include "model/frames.h"
#include "pipeline/programs/fletch/wire.h"
#include "workloads/namespace.h"

namespace recirc::model::fletch {

/// Ethernet's header, which the MTU does not count.
inline constexpr sim::Bytes ethernet_header{14};

/// The read request of a path: a key for each level, the root's included.
inline sim::Bytes read_length(unsigned depth, unsigned path_bytes) {
  return frames::request(depth + 1, path_bytes);
}

/// Whether a path's requests can go through the cache: the parser takes ten keys, and the longest
/// request, a read's, must fit into a frame. All requests for a path go the same way.
inline bool is_cacheable(unsigned depth, unsigned path_bytes, const NetworkSettings& network) {
  return depth <= pipeline::programs::fletch::deepest_level &&
         read_length(depth, path_bytes) <= network.mtu + ethernet_header;
}

/// The path itself, or its ancestor at the level.
inline workloads::PathId ancestor_at(const workloads::Namespace& tree, workloads::PathId path,
                                     unsigned level) {
  for (unsigned depth = tree.depth(path); depth > level; --depth) path = tree.parent(path);
  return path;
}

}  // namespace recirc::model::fletch
