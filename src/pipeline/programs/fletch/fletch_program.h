#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "pipeline/programs/fletch/layout.h"
#include "pipeline/programs/fletch/lock_policy.h"
#include "pipeline/programs/fletch/program.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::pipeline::programs::fletch {

/// One placing of the program. The steps of a gress follow each other in protocol order; where a
/// step has nothing to do for a packet, the bridge says so.
template <Placement where>
class FletchProgram final : public StepProgram<FletchProgram<where>> {
 public:
  FletchProgram(Placing placing, Wiring wiring)
      : layout_(make_layout(placing, wiring.locks, wiring.sequence, wiring.write_back,
                            std::max(1U, static_cast<unsigned>(wiring.ways_round.size())))),
        sequence_array_(sequence_array(wiring.locks)),
        wiring_(std::move(wiring)),
        several_pipes_(wiring_.ways_round.size() > 1),
        stripped_{wiring_.locks.release == Release::per_level ? key_bytes : 0} {
    ways_round_.fill(wiring_.loop);
    std::copy(wiring_.ways_round.begin(), wiring_.ways_round.end(), ways_round_.begin());
  }

  [[nodiscard]] const Layout& layout() const override { return layout_; }

  static constexpr auto ingress_steps() {
    constexpr std::size_t count = 6 + stages_of([](unsigned s) { return where.has_lock(s); });
    std::array<Step<FletchProgram>, count> steps{{{0, &FletchProgram::classify},
                                                  {1, &FletchProgram::look_up_last_small},
                                                  {2, &FletchProgram::look_up_last_large},
                                                  {3, &FletchProgram::look_up_level_large},
                                                  {3, &FletchProgram::plan_locks}}};
    std::size_t next = 5;
    for_each_stage([&]<unsigned stage>() {
      if constexpr (where.has_lock(stage)) {
        steps[next++] = {stage, &FletchProgram::template change_locks<stage>};
      }
    });
    steps[next] = {chip_stages - 1, &FletchProgram::route};
    return steps;
  }

  static constexpr auto egress_steps() {
    constexpr std::size_t count = 3 + stages_of([](unsigned s) { return where.slots_in(s) != 0; });
    std::array<Step<FletchProgram>, count> steps{
        {{0, &FletchProgram::check_flag}, {1, &FletchProgram::count_and_measure}}};
    std::size_t next = 2;
    for_each_stage([&]<unsigned stage>() {
      if constexpr (where.slots_in(stage) != 0) {
        steps[next++] = {stage, &FletchProgram::template access_values<stage>};
      }
    });
    steps[next] = {chip_stages - 1, &FletchProgram::conclude};
    return steps;
  }

 private:
  template <class Predicate>
  static constexpr std::size_t stages_of(Predicate has) {
    std::size_t count = 0;
    for (unsigned s = 0; s < chip_stages; ++s) count += has(s) ? 1U : 0U;
    return count;
  }
  template <class Body>
  static constexpr void for_each_stage(Body body) {
    [&]<unsigned... stage>(std::integer_sequence<unsigned, stage...>) {
      (body.template operator()<stage>(), ...);
    }
    (std::make_integer_sequence<unsigned, chip_stages>{});
  }

  // Ingress.
  void classify(PassContext& context) const;
  void look_up_last_small(PassContext& context) const {
    if (context.metadata<Bridge>().numbered) [[unlikely]]
      compare_numbers(context);
    look_up_last(context, last_small);
  }
  void look_up_last_large(PassContext& context) const { look_up_last(context, last_large); }
  void look_up_level_large(PassContext& context) const { look_up_level(context, level_large); }
  void look_up_last(PassContext& context, TableId table) const {
    const auto& bridge = context.metadata<Bridge>();
    if (bridge.look_up_last && !bridge.last_hit) apply_to_last(context, table);
  }
  void look_up_level(PassContext& context, TableId table) const {
    const auto& bridge = context.metadata<Bridge>();
    if (bridge.look_up_level && !bridge.level_hit) apply_to_level(context, table);
  }
  void plan_locks(PassContext& context) const;
  void index_of_answered(PassContext& context) const;
  template <unsigned stage>
  void change_locks(PassContext& context) const;
  void change_lock(PassContext& context, unsigned array) const;
  void route(PassContext& context) const;

  void take_number(PassContext& context) const;
  void compare_numbers(PassContext& context) const;
  void enter_other_pipe(PassContext& context) const;
  void apply_to_last(PassContext& context, TableId table) const;
  void apply_to_level(PassContext& context, TableId table) const;
  void route_read(PassContext& context) const;
  void retreat(PassContext& context, std::uint8_t held, bool in_switch) const;
  void route_write(PassContext& context) const;
  void route_cached_answer(PassContext& context) const;
  bool go_to_next_copy(PassContext& context) const;
  void go_round(PassContext& context, std::uint8_t next_pipe) const;
  [[nodiscard]] PortId port_of(std::uint16_t endpoint) const { return wiring_.ports[endpoint]; }
  [[nodiscard]] std::uint8_t pipe_of(std::uint16_t endpoint) const {
    return several_pipes_ ? wiring_.server_pipes[endpoint] : std::uint8_t{0};
  }

  // Egress.
  void check_flag(PassContext& context) const;
  void count_and_measure(PassContext& context) const;
  template <unsigned stage>
  void access_values(PassContext& context) const;
  template <bool here>
  void access_word_if(PassContext& context, unsigned word) const;
  void access_word(PassContext& context, unsigned word) const;
  void conclude(PassContext& context) const;

  void finish_copy(PassContext& context) const;
  void begin_resolving(PassContext& context) const;
  void begin_applying(PassContext& context) const;
  void set_flag(PassContext& context) const;
  void acknowledge_early(PassContext& context) const;
  void send_invalid_to_server(PassContext& context) const;
  void acknowledge(PassContext& context) const;
  void conclude_level(PassContext& context) const;
  void answer(PassContext& context) const;
  void keep_indices(Header& header) const;
  void deny(PassContext& context) const;
  void mirror_to(PassContext& context, std::uint16_t endpoint) const {
    context.mirror(wiring_.sessions[endpoint], {.truncate_to = 0, .payload = PayloadRule::move});
  }

  using Lock = std::conditional_t<where.lock_kind == LockKind::write_pending, WritePending,
                                  ReaderPreferring>;

  Layout layout_;
  ArrayId sequence_array_;
  Wiring wiring_;
  std::array<PortId, most_server_pipes> ways_round_{};
  bool several_pipes_;
  sim::Bytes stripped_;  ///< by a level that is resolved
};

}  // namespace recirc::pipeline::programs::fletch
