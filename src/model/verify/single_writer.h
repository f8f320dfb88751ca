#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sim/flat_map.h"
#include "sim/time.h"

namespace recirc::model::verify {

/// What a node may do with a page that it has.
enum class Access : std::uint8_t { none, read, write };

/// Whether whoever may write a page is alone (SWMR), by what the nodes believe. Takes 24 bytes a
/// page, and a look-up each time that a node gets or gives up a page.
class SingleWriter {
 public:
  /// `node` < 32.
  void becomes(std::uint64_t page, unsigned node, Access access, sim::Time now) {
    Holders& holders = pages_[page];
    const std::uint32_t bit = 1U << node;
    const bool was_broken = broken(holders);
    holders.readers = access == Access::read ? holders.readers | bit : holders.readers & ~bit;
    holders.writers = access == Access::write ? holders.writers | bit : holders.writers & ~bit;
    const bool is_broken = broken(holders);
    if (is_broken && access != Access::none) ++violations_;
    if (is_broken && !was_broken) holders.since = now;
    if (was_broken && !is_broken) longest_ = std::max(longest_, now - holders.since);
  }

  /// Times that a node got a page beside a writer, or to write beside others.
  [[nodiscard]] std::uint64_t violations() const { return violations_; }
  /// Longest time that a page was so, of those times that are over.
  [[nodiscard]] sim::Duration longest() const { return longest_; }

 private:
  struct Holders {
    std::uint32_t readers = 0;
    std::uint32_t writers = 0;
    sim::Time since{};
  };
  static bool broken(const Holders& holders) {
    return holders.writers != 0 && std::popcount(holders.writers | holders.readers) > 1;
  }

  sim::FlatMap<Holders> pages_;
  std::uint64_t violations_ = 0;
  sim::Duration longest_{};
};

}  // namespace recirc::model::verify
