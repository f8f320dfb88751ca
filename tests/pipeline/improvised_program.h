#pragma once

#include <functional>
#include <utility>

#include "pipeline/program.h"

namespace recirc::pipeline::testing {

/// A program that a test makes up on the spot: a layout and what each gress does. It may do what
/// no program should, and runs in pass mode only.
class ImprovisedProgram final : public Program {
 public:
  using Part = std::function<void(PassContext&)>;
  ImprovisedProgram(
      Layout layout, Part ingress, Part egress = [](PassContext&) {})
      : layout_(std::move(layout)), ingress_(std::move(ingress)), egress_(std::move(egress)) {}

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  void run(Gress gress, PassContext& context) const override {
    (gress == Gress::ingress ? ingress_ : egress_)(context);
  }
  void run_stage(Gress /*gress*/, unsigned /*stage*/, PassContext& context) const override {
    context.refuse("an improvised program has no stages");
  }

 private:
  Layout layout_;
  Part ingress_;
  Part egress_;
};

inline ArraySpec array_in(const std::string& name, Gress gress, std::uint8_t stage,
                          std::vector<RegisterAction> actions,
                          RegisterWidth width = RegisterWidth::word, std::uint32_t entries = 16) {
  return {name, gress, stage, entries, width, std::move(actions)};
}

}  // namespace recirc::pipeline::testing
