#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/time.h"

namespace recirc::model::pages {

/// A word that many cores write, such as a reference count or a lock word: its cache line moves
/// from core to core, one transfer at a time.
class CacheLine {
 public:
  /// A core begins, now, with `writes` atomic operations; returns when it has done them. All of
  /// them are booked at once, also the one at the end of a call.
  sim::Time touch(std::uint32_t core, sim::Time now, sim::Duration transfer,
                  std::uint32_t writes = 1) {
    const bool another_has_it = last_ != core && last_ != nobody;
    last_ = core;
    if (!another_has_it) return std::max(now, free_at_);
    free_at_ = std::max(now, free_at_) + writes * transfer;
    return free_at_;
  }

 private:
  static constexpr std::uint32_t nobody = ~0U;

  sim::Time free_at_{};
  std::uint32_t last_ = nobody;
};

}  // namespace recirc::model::pages
