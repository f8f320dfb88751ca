#pragma once

#include <cstdint>

#include "sim/time.h"
#include "sim/units.h"

namespace recirc::model::fletch {

/// Recoveries of one kind of component.
struct Recoveries {
  std::uint64_t count = 0;
  sim::Duration time{};

  void add(sim::Duration one) {
    ++count;
    time += one;
  }
  [[nodiscard]] double mean_seconds() const {
    return count == 0 ? 0 : sim::as_seconds(time) / static_cast<double>(count);
  }
};

}  // namespace recirc::model::fletch
