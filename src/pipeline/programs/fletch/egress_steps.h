#pragma once

#include <algorithm>

#include "pipeline/programs/fletch/bridge.h"
#include "pipeline/programs/fletch/fletch_program.h"
#include "pipeline/programs/sketch_hashes.h"

// The egress steps of FletchProgram; included once, by program.cpp.
namespace recirc::pipeline::programs::fletch {

/// Of a report to the controller: headers, keys and a path of the longest name.
inline constexpr std::uint16_t report_bytes = 400;
/// Of an acknowledgement by the switch: headers and one key.
inline constexpr std::uint16_t early_answer_bytes = 60;

/// Of 16 bits. std::popcount is a library call on the oldest x86-64, which we compile for.
constexpr unsigned bits_set(unsigned bits) {
  bits -= (bits >> 1U) & 0x5555U;
  bits = (bits & 0x3333U) + ((bits >> 2U) & 0x3333U);
  bits = (bits + (bits >> 4U)) & 0x0f0fU;
  return (bits + (bits >> 8U)) & 0x1fU;
}

template <Placement where>
void FletchProgram<where>::check_flag(PassContext& context) const {
  if (context.is_mirrored()) return finish_copy(context);
  auto& bridge = context.metadata<Bridge>();
  switch (bridge.step) {
    case EgressStep::nothing:
      return context.finish();
    case EgressStep::resolve:
      return begin_resolving(context);
    case EgressStep::clear_flag:
      context.execute(validation_array, action::clear, bridge.location.counter);
      if (wiring_.write_back) acknowledge_early(context);
      return context.finish();
    case EgressStep::count: {
      const std::uint64_t key = context.header<Header>().keys[context.header<Header>().depth];
      const std::uint32_t first =
          context.execute(sketch_array(0), action::count, row_index(0, key));
      const std::uint32_t second =
          context.execute(sketch_array(1), action::count, row_index(1, key));
      bridge.estimate = static_cast<std::uint16_t>(std::min(first, second));
      return;
    }
    case EgressStep::apply_copy:
    case EgressStep::apply:
      return begin_applying(context);
    case EgressStep::acknowledge:
      acknowledge(context);
      return context.finish();
    case EgressStep::confirm:
      context.header<Header>().kind = Kind::ack;
      context.header<Header>().turn_around();
      return context.finish();
  }
}

template <Placement where>
void FletchProgram<where>::begin_resolving(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  bridge.valid = context.execute(validation_array, action::read, bridge.location.counter) != 0;
  if (!bridge.valid) {
    send_invalid_to_server(context);
    return context.finish();
  }
  const unsigned slots = bridge.location.slots;
  const bool last = header.level == header.depth;
  bridge.value_step = last ? ValueStep::read_record : ValueStep::read_permission;
  bridge.wanted = static_cast<std::uint16_t>(last ? slots : slots & (~slots + 1U));
}

template <Placement where>
void FletchProgram<where>::begin_applying(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  set_flag(context);
  if (header.effect == Effect::update || header.effect == Effect::store) {
    bridge.value_step = ValueStep::write_record;
    bridge.wanted = bridge.location.slots;
    for (unsigned i = 0; i < max_slots; ++i) {
      bridge.words[2 * i] = static_cast<std::uint32_t>(header.slot(i));
      bridge.words[2 * i + 1] = static_cast<std::uint32_t>(header.slot(i) >> 32U);
    }
  }
}

template <Placement where>
void FletchProgram<where>::set_flag(PassContext& context) const {
  const auto& header = context.header<Header>();
  const std::uint32_t entry = context.metadata<Bridge>().location.counter;
  const bool readable = header.effect == Effect::update || header.effect == Effect::validate;
  if (header.effect == Effect::retract) {
    context.execute(validation_array, action::clear, entry);
  } else if (wiring_.write_back ? header.has(cached) : readable) {
    context.execute(validation_array, action::set, entry);
  }
}

/// The clone is the answer; the write itself goes on.
template <Placement where>
void FletchProgram<where>::acknowledge_early(PassContext& context) const {
  const auto& header = context.header<Header>();
  if (!header.may_defer()) return;
  context.mirror(wiring_.sessions[header.addresses.source],
                 {.truncate_to = early_answer_bytes, .payload = PayloadRule::share});
}

template <Placement where>
void FletchProgram<where>::count_and_measure(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  switch (bridge.value_step) {
    case ValueStep::read_record:
      context.execute(frequency_array, action::count, bridge.location.counter);
      bridge.length = static_cast<std::uint16_t>(
          context.execute(length_array, action::read, bridge.location.counter));
      return;
    case ValueStep::write_record:
      context.execute(length_array, action::write, bridge.location.counter,
                      slot_bytes * bits_set(bridge.wanted));
      return;
    case ValueStep::read_permission:
      return;
    case ValueStep::nothing:
      break;
  }
  if (bridge.step != EgressStep::count) return;
  const std::uint64_t key = header.keys[header.depth];
  const std::uint32_t third = context.execute(sketch_array(2), action::count, row_index(2, key));
  if (std::min<std::uint32_t>(bridge.estimate, third) == wiring_.threshold) {
    header.set(reported);
    context.mirror(wiring_.sessions[wiring_.controller],
                   {.truncate_to = report_bytes, .payload = PayloadRule::keep});
  }
  context.finish();
}

template <Placement where>
template <unsigned stage>
void FletchProgram<where>::access_values(PassContext& context) const {
  if ((context.metadata<Bridge>().wanted & where.slots_in(stage)) == 0) return;
  [&]<unsigned... word>(std::integer_sequence<unsigned, word...>) {
    (access_word_if<where.value[word] == stage>(context, word), ...);
  }
  (std::make_integer_sequence<unsigned, value_arrays>{});
}

template <Placement where>
template <bool here>
void FletchProgram<where>::access_word_if(PassContext& context, unsigned word) const {
  if constexpr (here) {
    if ((context.metadata<Bridge>().wanted >> (word / 2) & 1U) != 0) access_word(context, word);
  }
}

template <Placement where>
void FletchProgram<where>::access_word(PassContext& context, unsigned word) const {
  auto& bridge = context.metadata<Bridge>();
  if (bridge.value_step == ValueStep::read_permission) {
    if (word % 2 == 0) {
      bridge.words[0] = context.execute(value_array(word), action::read, bridge.location.row);
    }
    return;
  }
  // The lowest slot of the bitmap is the record's first.
  const unsigned lower_slots = bridge.wanted & ((1U << (word / 2)) - 1U);
  std::uint32_t& value = bridge.words[2 * bits_set(lower_slots) + word % 2];
  if (bridge.value_step == ValueStep::write_record) {
    context.execute(value_array(word), action::write, bridge.location.row, value);
  } else {
    value = context.execute(value_array(word), action::read, bridge.location.row);
  }
}

template <Placement where>
void FletchProgram<where>::conclude(PassContext& context) const {
  const EgressStep step = context.metadata<Bridge>().step;
  if (step == EgressStep::apply) return acknowledge(context);
  if (step != EgressStep::apply_copy) conclude_level(context);
}

template <Placement where>
void FletchProgram<where>::conclude_level(PassContext& context) const {
  auto& header = context.header<Header>();
  const std::uint32_t permissions = context.metadata<Bridge>().words[0];
  if (header.level == header.depth) {
    return may_read(permissions, header.user) ? answer(context) : deny(context);
  }
  if (!may_pass(permissions, header.user)) return deny(context);
  ++header.level;
  context.set_length(context.packet().length - stripped_);
}

/// The clone carries the record to the client; the original goes round once more to release the
/// last counter.
template <Placement where>
void FletchProgram<where>::answer(PassContext& context) const {
  auto& header = context.header<Header>();
  const auto& bridge = context.metadata<Bridge>();
  header.kind = Kind::release;
  header.set(hit);
  keep_indices(header);
  for (unsigned i = 0; i < max_slots; ++i) {
    header.set_slot(i, (std::uint64_t{bridge.words[2 * i + 1]} << 32U) | bridge.words[2 * i]);
  }
  header.turn_around();
  sim::Bytes length = context.packet().length + sim::Bytes{bridge.length};
  if (wiring_.locks.release == Release::at_end) {  // indices in place of the keys above
    length = length - sim::Bytes{key_bytes * header.depth} + sim::Bytes{packed_bytes};
  }
  context.set_length(length);
  mirror_to(context, header.addresses.destination);
}

template <Placement where>
void FletchProgram<where>::deny(PassContext& context) const {
  auto& header = context.header<Header>();
  header.kind = Kind::release;
  header.set(denied);
  header.held = wiring_.locks.held(header.level, header.depth);
  header.turn_around();
  mirror_to(context, header.addresses.destination);
}

/// The record takes the place of the keys: what is still held keeps its key, or its indices.
template <Placement where>
void FletchProgram<where>::keep_indices(Header& header) const {
  const LockPlan& locks = wiring_.locks;
  header.held = locks.held(header.depth, header.depth);
  if (locks.release == Release::per_level) {
    header.keys[0] = header.keys[locks.own_key_level(header.depth)];
    return;
  }
  std::array<std::uint16_t, LockPlan::most_arrays> indices{};
  const auto& levels = locks.key_level[header.depth];
  for (unsigned array = 1; array <= locks.arrays; ++array) {
    indices[array - 1] = static_cast<std::uint16_t>(lock_index(header.keys[levels[array]]));
  }
  for (unsigned i = 0; i < indices.size(); ++i) header.pack_index(i, indices[i]);
}

/// Egress cannot choose a port: the request leaves as a mirror, and the original ends here. The
/// server's answer releases what is held.
template <Placement where>
void FletchProgram<where>::send_invalid_to_server(PassContext& context) const {
  auto& header = context.header<Header>();
  header.set(invalid);
  header.held = wiring_.locks.held(header.level, header.depth);
  if (wiring_.release_in_switch && header.held != 0) {
    header.kind = Kind::retreat;  // on the way to the loop port already
    return;
  }
  mirror_to(context, header.addresses.destination);
  context.drop();
}

/// The answer leaves as a mirror to its client, unless none waits; the original, which ingress has
/// sent to the server's own port, is the acknowledgement.
template <Placement where>
void FletchProgram<where>::acknowledge(PassContext& context) const {
  auto& header = context.header<Header>();
  const bool alone = header.kind == Kind::cached_answer && header.is_change();
  header.kind = Kind::ack;
  if (!alone) mirror_to(context, header.addresses.destination);
  header.turn_around();
}

/// Mirrors are copies of what egress left: here they become what they are for.
template <Placement where>
void FletchProgram<where>::finish_copy(PassContext& context) const {
  auto& header = context.header<Header>();
  switch (header.kind) {
    case Kind::release:
      header.kind = Kind::answer;
      break;
    case Kind::ack:
    case Kind::write_request:
      header.kind = Kind::answer;
      header.turn_around();
      break;
    case Kind::read_request:
      if (header.has(reported)) {
        header.kind = Kind::report;
        header.addresses.destination = wiring_.controller;
      }
      break;
    default:
      break;
  }
  context.finish();
}

}  // namespace recirc::pipeline::programs::fletch
