#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "pipeline/layout.h"
#include "pipeline/pass_context.h"

namespace recirc::pipeline {

/// Decides what happens to a packet in a gress; owns no time, no queue and no state of its own:
/// what outlives a step lies in the packet (header, metadata), what outlives a packet in the
/// switch's register arrays and tables. Programs are const while a switch runs.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  /// Constant during the program's life.
  [[nodiscard]] virtual const Layout& layout() const = 0;

  /// Pass mode: all steps of a gress in one call.
  virtual void run(Gress gress, PassContext& context) const = 0;
  /// Stage mode: the steps of one stage.
  virtual void run_stage(Gress gress, unsigned stage, PassContext& context) const = 0;
};

/// One piece of a program, pinned to a stage.
template <class P>
struct Step {
  std::uint8_t stage;
  void (P::*run)(PassContext&) const;
};

/// A program as lists of steps, folded at compile time: one virtual call a gress, the steps
/// inlined. `Derived` has
///
///     static constexpr auto ingress_steps() {
///       return std::array{Step<Derived>{0, &Derived::look_up}, …};   // in stage order
///     }
///     static constexpr auto egress_steps() { … }
///
/// (a gress without steps returns std::array<Step<Derived>, 0>{}). Every ingress must end with a
/// verdict; an egress that decides nothing sends the packet on to the port it was queued for.
template <class Derived>
class StepProgram : public Program {
 public:
  // Flattened: three calls a stage cost more than what most steps do.
  [[gnu::flatten]] void run(Gress gress, PassContext& context) const final {
    if (gress == Gress::ingress) {
      run_all<true>(context);
    } else {
      run_all<false>(context);
    }
  }

  void run_stage(Gress gress, unsigned stage, PassContext& context) const final {
    if (gress == Gress::ingress) {
      run_those_of<true>(stage, context);
    } else {
      run_those_of<false>(stage, context);
    }
  }

 private:
  template <bool is_ingress>
  static constexpr auto steps() {
    if constexpr (is_ingress) {
      return Derived::ingress_steps();
    } else {
      return Derived::egress_steps();
    }
  }

  template <bool is_ingress>
  static constexpr bool in_stage_order() {
    constexpr auto list = steps<is_ingress>();
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (list[i].stage < list[i - 1].stage) return false;
    }
    return true;
  }

  template <bool is_ingress, std::size_t i>
  bool run_one(PassContext& context) const {
    constexpr auto step = steps<is_ingress>()[i];
    context.template enter<is_ingress ? Gress::ingress : Gress::egress, step.stage>();
    (static_cast<const Derived*>(this)->*step.run)(context);
    return !context.finished();
  }

  template <bool is_ingress, std::size_t... i>
  void run_each(PassContext& context, std::index_sequence<i...>) const {
    (void)(run_one<is_ingress, i>(context) && ...);
  }

  template <bool is_ingress>
  void run_all(PassContext& context) const {
    static_assert(in_stage_order<is_ingress>(), "a pass goes through the stages in order");
    run_each<is_ingress>(context, std::make_index_sequence<steps<is_ingress>().size()>{});
  }

  template <bool is_ingress>
  void run_those_of(unsigned stage, PassContext& context) const {
    context.enter_stage(stage);
    for (const auto& step : steps<is_ingress>()) {
      if (context.finished()) return;
      if (step.stage == stage) (static_cast<const Derived*>(this)->*step.run)(context);
    }
  }
};

}  // namespace recirc::pipeline
