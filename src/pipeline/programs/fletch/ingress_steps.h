#pragma once

#include <bit>

#include "pipeline/programs/fletch/bridge.h"
#include "pipeline/programs/fletch/fletch_program.h"

// The ingress steps of FletchProgram; included once, by program.cpp.
namespace recirc::pipeline::programs::fletch {

template <Placement where>
void FletchProgram<where>::classify(PassContext& context) const {
  if (context.pipe() != wiring_.lock_pipe) return enter_other_pipe(context);
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  switch (header.kind) {
    case Kind::read_request:
      bridge.look_up_level = true;
      bridge.look_up_last = !header.has(walking);
      break;
    case Kind::write_request:
      bridge.look_up_level = true;
      bridge.look_up_last = true;
      break;
    case Kind::cached_answer:
      take_number(context);
      bridge.look_up_level = true;
      bridge.look_up_last = (header.copies & Header::more_copies) != 0;
      break;
    case Kind::held_answer:
      take_number(context);
      break;
    case Kind::release:
    case Kind::retreat:
      break;
    case Kind::bypass_request:
    case Kind::answer:
    case Kind::ack:
    case Kind::report:
    case Kind::control:
      context.forward(port_of(header.addresses.destination));
      return context.finish();
  }
  look_up_level(context, level_small);
}

template <Placement where>
void FletchProgram<where>::take_number(PassContext& context) const {
  if (wiring_.sequence.comparing == Comparing::off) return;
  const auto& header = context.header<Header>();
  const Match counter =
      context.lookup(sequence_index, {sequence_key(header.addresses.source, header.counter), 0});
  if (!counter) return;
  auto& bridge = context.metadata<Bridge>();
  bridge.numbered = true;
  // An answer that goes on to other copies is taken when it has been to all: a queue may drop it.
  const bool goes_on =
      (header.copies & Header::more_copies) != 0 && (header.copies & Header::last_pass) == 0;
  bridge.expected = static_cast<std::uint8_t>(
      context.execute(sequence_array_, goes_on ? action::peek : action::take,
                      static_cast<std::uint32_t>(counter.result), header.sequence));
}

template <Placement where>
void FletchProgram<where>::compare_numbers(PassContext& context) const {
  const std::uint8_t number = context.header<Header>().sequence;
  auto& bridge = context.metadata<Bridge>();
  if (wiring_.sequence.comparing == Comparing::equality) {
    bridge.repeated = !context.lookup(sequence_match, {sequence_pair(bridge.expected, number), 0});
    return;
  }
  const auto difference = static_cast<std::int8_t>(number - bridge.expected);
  bridge.repeated = difference < 0;
  bridge.ahead = difference > 0;
}

/// Requests, and answers that change counters or records, cross to the pipe that has the counters;
/// everything else goes straight to its port.
template <Placement where>
void FletchProgram<where>::enter_other_pipe(PassContext& context) const {
  auto& header = context.header<Header>();
  const bool asks = header.kind == Kind::read_request || header.kind == Kind::write_request;
  if (asks || header.kind == Kind::held_answer || header.kind == Kind::cached_answer) {
    header.pipe = pipe_of(asks ? header.addresses.destination : header.addresses.source);
    context.cross_to(wiring_.lock_pipe);
  } else {
    context.forward(port_of(header.addresses.destination));
  }
  context.finish();
}

template <Placement where>
void FletchProgram<where>::apply_to_level(PassContext& context, TableId table) const {
  auto& bridge = context.metadata<Bridge>();
  const auto& header = context.header<Header>();
  const unsigned level = header.kind == Kind::read_request ? header.level : 0;
  const Match match =
      context.lookup(table, {header.keys[level], header.tokens[level], header.pipe});
  if (!match) return;
  bridge.level_hit = true;
  bridge.location = match.as<Location>();
}

template <Placement where>
void FletchProgram<where>::apply_to_last(PassContext& context, TableId table) const {
  auto& bridge = context.metadata<Bridge>();
  const auto& header = context.header<Header>();
  const bool reads = header.kind == Kind::read_request;
  const unsigned last = reads ? header.depth : 0;
  bridge.copies = static_cast<std::uint8_t>(
      context.lookup(table, {header.keys[last], header.tokens[last]}).result);
  bridge.last_hit = reads ? (bridge.copies >> header.pipe & 1U) != 0 : bridge.copies != 0;
}

template <Placement where>
void FletchProgram<where>::plan_locks(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  const LockPlan& locks = wiring_.locks;
  const auto plan = [&bridge](LockStep step, std::uint8_t arrays) {
    bridge.lock_step = step;
    bridge.locks = arrays;
  };
  switch (header.kind) {
    case Kind::read_request:
      if (header.has(walking)) return plan(LockStep::lower, locks.lowered_at[header.level]);
      if (bridge.last_hit) plan(LockStep::raise, locks.raised_by[header.depth]);
      return;
    case Kind::write_request:
      // The root has no counter. A write that waits stays true to it when its path is evicted.
      if (header.depth == 0) return;
      if ((bridge.copies & ~header.copies) == 0 && !Lock::leaves_mark(header)) return;
      bridge.compact = true;
      bridge.single_index = static_cast<std::uint16_t>(lock_index(
          locks.needs_ancestor_key(header.depth) ? header.ancestor_key() : header.keys[0]));
      return plan(LockStep::test, locks.own_bit(header.depth));
    case Kind::release:
      if (header.has(hit)) index_of_answered(context);
      return plan(LockStep::lower, header.held);
    case Kind::held_answer:
      if (bridge.repeated || bridge.ahead) return;
      return plan(LockStep::lower, header.held);
    case Kind::retreat:
      return plan(LockStep::lower, header.held);
    default:
      return;
  }
}

/// The record that the answer took along has overwritten the keys: see answer().
template <Placement where>
void FletchProgram<where>::index_of_answered(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (wiring_.locks.release == Release::per_level) {
    bridge.compact = true;
    bridge.single_index = static_cast<std::uint16_t>(lock_index(header.keys[0]));
    return;
  }
  const Header packed = header;
  const auto& levels = wiring_.locks.key_level[header.depth];
  for (unsigned array = 1; array <= wiring_.locks.arrays; ++array) {
    if (levels[array] <= header.depth) header.keys[levels[array]] = packed.packed_index(array - 1);
  }
}

template <Placement where>
template <unsigned stage>
void FletchProgram<where>::change_locks(PassContext& context) const {
  unsigned arrays = context.metadata<Bridge>().locks & where.locks_in(stage);
  for (; arrays != 0; arrays &= arrays - 1) {
    change_lock(context, static_cast<unsigned>(std::countr_zero(arrays)) + 1);
  }
}

template <Placement where>
void FletchProgram<where>::change_lock(PassContext& context, unsigned array) const {
  auto& bridge = context.metadata<Bridge>();
  const auto& header = context.header<Header>();
  const std::uint32_t index =
      bridge.compact ? bridge.single_index
                     : lock_index(header.keys[wiring_.locks.key_level[header.depth][array]]);
  switch (bridge.lock_step) {
    case LockStep::raise:
      if (!Lock::raise(context, lock_array(array), index)) {
        bridge.refused = static_cast<std::uint8_t>(bridge.refused | (1U << (array - 1)));
      }
      return;
    case LockStep::lower:
      context.execute(lock_array(array), action::lower, index);
      return;
    case LockStep::test:
      bridge.raised = !Lock::may_write(context, lock_array(array), index, header.has(waited));
      return;
    case LockStep::nothing:
      return;
  }
}

template <Placement where>
void FletchProgram<where>::route(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (bridge.ahead) return context.drop();
  if (bridge.repeated) {
    bridge.step = EgressStep::confirm;
    return context.forward(port_of(header.addresses.source));
  }
  switch (header.kind) {
    case Kind::read_request:
      return route_read(context);
    case Kind::write_request:
      return route_write(context);
    case Kind::held_answer:
      bridge.step = EgressStep::acknowledge;
      return context.forward(port_of(header.addresses.source));
    case Kind::retreat:
      header.kind = Kind::read_request;
      header.held = 0;
      return context.forward(port_of(header.addresses.destination));
    case Kind::cached_answer:
      return route_cached_answer(context);
    default:
      return context.drop();  // a release has nothing left to do
  }
}

template <Placement where>
void FletchProgram<where>::route_read(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (!header.has(walking)) {
    if (!bridge.last_hit) {
      bridge.step = wiring_.reports ? EgressStep::count : EgressStep::nothing;
      return context.forward(port_of(header.addresses.destination));
    }
    if (bridge.refused != 0) {
      header.set(invalid);
      header.set(waited);
      return retreat(context, static_cast<std::uint8_t>(bridge.locks & ~bridge.refused), true);
    }
    header.set(walking);
  }
  if (bridge.level_hit) {
    bridge.step = EgressStep::resolve;
    return context.recirculate(ways_round_[header.pipe]);
  }
  // The record is being evicted: the server answers.
  header.set(invalid);
  retreat(context, wiring_.locks.held(header.level, header.depth), wiring_.release_in_switch);
}

/// To the server, with the counters, or by way of one more pass that gives them back.
template <Placement where>
void FletchProgram<where>::retreat(PassContext& context, std::uint8_t held, bool in_switch) const {
  auto& header = context.header<Header>();
  header.held = held;
  if (!in_switch || held == 0) {
    return context.forward(port_of(header.addresses.destination));
  }
  header.kind = Kind::retreat;
  context.recirculate(wiring_.loop, true);
}

template <Placement where>
void FletchProgram<where>::route_write(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (bridge.raised) {
    if (header.has(waited)) {
      return context.wait_for(wiring_.loop, lock_array(wiring_.locks.own_array(header.depth)),
                              action::is_free, bridge.single_index);
    }
    header.set(waited);
    return context.recirculate(wiring_.loop, true);
  }
  if (bridge.last_hit && bridge.level_hit && !header.has_been_here()) {
    header.set(cached);
    bridge.step = EgressStep::clear_flag;
  }
  if (several_pipes_ && bridge.last_hit && go_to_next_copy(context)) return;
  if (header.has_second_path()) {
    // A pass looks one key up: the other path of a rename has a pass of its own.
    header.take_second_path();
    return go_round(context, pipe_of(header.addresses.destination));
  }
  context.forward(port_of(header.addresses.destination));
}

/// A pass reaches one copy of a record. False when the write has been to all of them and is on its
/// way to its server.
template <Placement where>
bool FletchProgram<where>::go_to_next_copy(PassContext& context) const {
  auto& header = context.header<Header>();
  const std::uint8_t home = pipe_of(header.addresses.destination);
  header.note_copy();
  const unsigned left = context.metadata<Bridge>().copies & ~unsigned{header.copies};
  if (left == 0 && header.pipe == home) return false;
  header.begin_next_wait();
  go_round(context, left == 0 ? home : static_cast<std::uint8_t>(std::countr_zero(left)));
  return true;
}

/// Through the egress that this pass is about, if it has to do anything there, and back.
template <Placement where>
void FletchProgram<where>::go_round(PassContext& context, std::uint8_t next_pipe) const {
  auto& header = context.header<Header>();
  const bool nothing = context.metadata<Bridge>().step == EgressStep::nothing;
  const PortId way = nothing ? wiring_.loop : ways_round_[header.pipe];
  header.pipe = next_pipe;
  context.recirculate(way, nothing);
}

/// Only when all copies are up to date does the answer pass the egress of its server, which lets
/// the client know.
template <Placement where>
void FletchProgram<where>::route_cached_answer(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  const bool here = bridge.level_hit && !header.has_been_here();
  if ((header.copies & Header::more_copies) == 0 || (header.copies & Header::last_pass) != 0) {
    bridge.step = here ? EgressStep::apply : EgressStep::acknowledge;
    return context.forward(port_of(header.addresses.source));
  }
  if (here) bridge.step = EgressStep::apply_copy;
  header.note_copy();
  const unsigned left = bridge.copies & ~unsigned{header.copies};
  if (left != 0) return go_round(context, static_cast<std::uint8_t>(std::countr_zero(left)));
  header.copies = static_cast<std::uint8_t>(header.copies | Header::last_pass);
  go_round(context, pipe_of(header.addresses.source));
}

}  // namespace recirc::pipeline::programs::fletch
