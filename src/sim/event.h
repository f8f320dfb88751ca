#pragma once

#include <cstdint>

#include "sim/time.h"

namespace recirc::sim {

class Component;

/// What the queue holds: a plain record, so that moving it is a copy of 32 bytes.
/// `kind` is a value of the target's own enum class; `arg` and `aux` mean what that kind says.
struct Event {
  Time at;
  std::uint64_t order = 0;  ///< insertion number: equal times fire in the order of scheduling
  Component* target = nullptr;
  std::uint32_t arg = 0;
  std::uint16_t aux = 0;
  std::uint16_t kind = 0;
};
static_assert(sizeof(Event) == 32);

/// The order of the simulation: by time, then by insertion.
constexpr bool fires_before(const Event& a, const Event& b) {
  return a.at < b.at || (a.at == b.at && a.order < b.order);
}

}  // namespace recirc::sim
