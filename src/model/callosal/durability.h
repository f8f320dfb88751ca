#pragma once

#include <algorithm>
#include <cstdint>

namespace recirc::model::callosal {

/// How many changed pages are not in the store: what would be lost if all machines lost power now.
/// A page that a node has changed again after it went to memory counts at both.
class Durability {
 public:
  void changed() { add(at_nodes_, 1); }
  void sent() { add(at_nodes_, -1); }
  void came() { add(in_memory_, 1); }
  void written() { add(in_memory_, -1); }

  [[nodiscard]] std::int64_t at_nodes() const { return at_nodes_; }
  [[nodiscard]] std::int64_t in_memory() const { return in_memory_; }
  [[nodiscard]] std::int64_t most() const { return most_; }

 private:
  void add(std::int64_t& where, std::int64_t pages) {
    where += pages;
    most_ = std::max(most_, at_nodes_ + in_memory_);
  }

  std::int64_t at_nodes_ = 0;
  std::int64_t in_memory_ = 0;
  std::int64_t most_ = 0;
};

}  // namespace recirc::model::callosal
