#pragma once

#include <cstdint>
#include <vector>

#include "sim/ids.h"
#include "workloads/namespace.h"

namespace recirc::workloads {

using ServerId = sim::Id<struct ServerTag>;

/// The consistent-hash ring that gives each key a server (Fletch §IX-A: 100 virtual nodes each).
///
/// Virtual node v of server s stands at the first 64 bits of the MD5 of the text
/// "<seed>/<s>/<v>" in decimal; a key belongs to the first node at or after it, around the end.
class Ring {
 public:
  static constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;
  /// servers 1..65,536, vnodes 1..10,000; their product at most most_nodes.
  Ring(std::uint32_t servers, std::uint32_t vnodes, std::uint64_t seed);

  [[nodiscard]] std::uint32_t servers() const { return servers_; }
  [[nodiscard]] ServerId owner(Key key) const {
    std::uint32_t node = guide_[key >> guide_shift_];
    while (nodes_[node].position < key) ++node;  // the last node stands at the largest key
    return ServerId{nodes_[node].server};
  }
  /// The share of all keys that each server owns; adds up to 1.
  [[nodiscard]] std::vector<double> shares() const;

 private:
  struct Node {
    Key position;
    std::uint32_t server;
  };
  std::uint32_t servers_;
  unsigned guide_shift_;
  std::vector<Node> nodes_;           ///< by position; the last wraps around to the first
  std::vector<std::uint32_t> guide_;  ///< first node at or after the start of each equal slice
};

}  // namespace recirc::workloads
