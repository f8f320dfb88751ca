#include "workloads/ring.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "sim/error.h"
#include "workloads/path_key.h"

namespace recirc::workloads {

Ring::Ring(std::uint32_t servers, std::uint32_t vnodes, std::uint64_t seed) : servers_(servers) {
  if (servers < 1 || servers > 65'536 || vnodes < 1 || vnodes > 10'000 ||
      std::uint64_t{servers} * vnodes > most_nodes) {
    throw sim::InvariantBroken("a ring needs 1 to 65,536 servers and 1 to 10,000 nodes each");
  }
  nodes_.reserve(std::size_t{servers} * vnodes + 1);
  for (std::uint32_t s = 0; s < servers; ++s) {
    const std::string prefix = std::to_string(seed) + '/' + std::to_string(s) + '/';
    for (std::uint32_t v = 0; v < vnodes; ++v) {
      nodes_.push_back({key_of(prefix + std::to_string(v)), s});
    }
  }
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) {
    return a.position != b.position ? a.position < b.position : a.server < b.server;
  });
  nodes_.push_back({std::numeric_limits<Key>::max(), nodes_.front().server});

  const auto bits = static_cast<unsigned>(std::bit_width(nodes_.size())) + 2;
  guide_shift_ = 64 - bits;
  guide_.resize(std::size_t{1} << bits);
  std::uint32_t node = 0;
  for (std::size_t slice = 0; slice < guide_.size(); ++slice) {
    while (nodes_[node].position < static_cast<Key>(slice) << guide_shift_) ++node;
    guide_[slice] = node;
  }
}

std::vector<double> Ring::shares() const {
  std::vector<double> result(servers_, 0.0);
  Key last = nodes_[nodes_.size() - 2].position;  // the first node's share begins after it
  for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
    result[nodes_[i].server] += static_cast<double>(nodes_[i].position - last) * 0x1p-64;
    last = nodes_[i].position;
  }
  if (nodes_.size() == 2) result[0] = 1.0;  // one node owns all; its gap is 0 modulo 2^64
  return result;
}

}  // namespace recirc::workloads
