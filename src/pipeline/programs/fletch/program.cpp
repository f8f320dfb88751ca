#include "pipeline/programs/fletch/program.h"

#include <utility>

#include "pipeline/programs/fletch/egress_steps.h"
#include "pipeline/programs/fletch/fletch_program.h"
#include "pipeline/programs/fletch/ingress_steps.h"

namespace recirc::pipeline::programs::fletch {

std::unique_ptr<Program> make_program(Placing placing, Wiring wiring) {
  if (placing == Placing::paper) {
    return std::make_unique<FletchProgram<paper_placement>>(placing, std::move(wiring));
  }
  return std::make_unique<FletchProgram<prototype_placement>>(placing, std::move(wiring));
}

}  // namespace recirc::pipeline::programs::fletch
