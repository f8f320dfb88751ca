#pragma once

#include <cstdint>

#include "pipeline/layout.h"
#include "pipeline/pass_context.h"
#include "pipeline/programs/fletch/layout.h"

namespace recirc::pipeline::testing {

/// Counts what passes do to lock counters. Decrements stop at zero, so a release too many does not
/// show in the counters when nothing else holds them.
class ReleaseCheck final : public PassObserver {
 public:
  void entered(const Packet& /*packet*/, const Layout& /*layout*/, Gress /*gress*/,
               sim::Time /*at*/) override {}
  void visited(const Packet& /*packet*/, const Layout& layout, const PassEvent& event) override {
    namespace fletch = programs::fletch;
    if (event.visit != Visit::execute) return;
    if (!layout.arrays[event.index_of_object].name.starts_with("lock")) return;
    if (event.action == fletch::action::raise) ++raised;
    if (event.action == fletch::action::lower) {
      ++lowered;
      if (event.before.low == 0) ++at_zero;
    }
  }

  std::uint64_t raised = 0;
  std::uint64_t lowered = 0;
  std::uint64_t at_zero = 0;  ///< releases of what nobody held
};

}  // namespace recirc::pipeline::testing
