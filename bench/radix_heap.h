#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/event.h"

namespace recirc::bench {

/// A radix heap (Ahuja et al. 1990), the best bare structure for many pending events that we know
/// of: bucket b holds the events whose time first differs from the last one popped in bit b - 1.
class RadixHeap {
 public:
  [[nodiscard]] const sim::Event& top() {
    if (popped_ < buckets_[0].size()) return buckets_[0][popped_];
    buckets_[0].clear();
    popped_ = 0;
    const auto first = static_cast<std::size_t>(std::countr_zero(in_use_ & ~std::uint64_t{1}));
    std::vector<sim::Event>& bucket = buckets_[first];
    last_ = ticks(bucket.front());
    for (const sim::Event& event : bucket) last_ = std::min(last_, ticks(event));
    in_use_ &= ~(std::uint64_t{1} << first);
    for (const sim::Event& event : bucket) push(event);
    bucket.clear();
    return buckets_[0].front();
  }
  void push(const sim::Event& event) {
    const auto bucket = static_cast<std::size_t>(std::bit_width(ticks(event) ^ last_));
    in_use_ |= std::uint64_t{1} << bucket;
    buckets_[bucket].push_back(event);
  }
  void pop() { ++popped_; }

 private:
  static std::uint64_t ticks(const sim::Event& event) {
    return static_cast<std::uint64_t>(event.at.time_since_epoch().count());
  }

  std::array<std::vector<sim::Event>, 64> buckets_;
  std::uint64_t in_use_ = 0;
  std::uint64_t last_ = 0;
  std::size_t popped_ = 0;  ///< of bucket 0, whose events all have the time last_
};

}  // namespace recirc::bench
