#pragma once

#include <algorithm>

#include "sim/time.h"
#include "sim/units.h"

namespace recirc::model {

/// One direction of a link: frames leave one after another at the link's rate.
class Link {
 public:
  /// Preamble, checksum and gap that every Ethernet frame adds on the wire.
  static constexpr sim::Bytes frame_overhead{24};

  explicit Link(sim::BitsPerSecond rate) : serializer_(rate) {}

  struct Passage {
    sim::Duration waited;
    sim::Time last_bit;  ///< when it leaves the near end
  };
  /// Books the link for a frame that is ready at `ready`; calls come in the order of `ready`.
  Passage send(sim::Bytes length, sim::Time ready) {
    const sim::Time start = std::max(ready, busy_until_);
    busy_until_ = start + serializer_.time_of(length + frame_overhead);
    return {start - ready, busy_until_};
  }

 private:
  sim::Serializer serializer_;
  sim::Time busy_until_{};
};

}  // namespace recirc::model
