#pragma once

#include "sim/event.h"

namespace recirc::sim {

class Inspector;

/// Something that events happen to.
class Component {
 public:
  Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;
  virtual ~Component() = default;

  /// Called by the scheduler at the event's time. `switch` on the component's own enum class Kind.
  virtual void handle(const Event& event) = 0;

  /// Shows the component's state to a trace, a report or a debugger; never on the hot path.
  virtual void inspect(Inspector& /*inspector*/) const {}
};

}  // namespace recirc::sim
