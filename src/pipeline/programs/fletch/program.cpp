#include "pipeline/programs/fletch/program.h"

#include <utility>

#include "pipeline/programs/fletch/egress_steps.h"
#include "pipeline/programs/fletch/fletch_program.h"
#include "pipeline/programs/fletch/ingress_steps.h"

namespace recirc::pipeline::programs::fletch {

namespace {

template <Placement where>
std::unique_ptr<Program> make(Placing placing, Wiring wiring) {
  return std::make_unique<FletchProgram<where>>(placing, std::move(wiring));
}

}  // namespace

std::unique_ptr<Program> make_program(Placing placing, Wiring wiring) {
  const bool paper = placing == Placing::paper;
  if (wiring.locks.kind == LockKind::write_pending) {
    if (paper) return make<paper_pending_placement>(placing, std::move(wiring));
    return make<prototype_pending_placement>(placing, std::move(wiring));
  }
  if (paper) return make<paper_placement>(placing, std::move(wiring));
  return make<prototype_placement>(placing, std::move(wiring));
}

}  // namespace recirc::pipeline::programs::fletch
