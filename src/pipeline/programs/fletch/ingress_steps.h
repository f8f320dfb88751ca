#pragma once

#include <algorithm>

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
      bridge.look_up_level = true;
      break;
    case Kind::held_answer:
    case Kind::release:
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

/// Requests cross to the pipe that has the counters; everything else goes straight to its port.
template <Placement where>
void FletchProgram<where>::enter_other_pipe(PassContext& context) const {
  const auto& header = context.header<Header>();
  if (header.kind == Kind::read_request || header.kind == Kind::write_request) {
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
  const Match match = context.lookup(table, {header.keys[level], header.tokens[level]});
  if (!match) return;
  bridge.level_hit = true;
  bridge.location = match.as<Location>();
}

template <Placement where>
void FletchProgram<where>::apply_to_last(PassContext& context, TableId table) const {
  auto& bridge = context.metadata<Bridge>();
  const auto& header = context.header<Header>();
  const unsigned last = header.kind == Kind::read_request ? header.depth : 0;
  bridge.last_hit = context.lookup(table, {header.keys[last], header.tokens[last]}).hit;
}

template <Placement where>
void FletchProgram<where>::plan_locks(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  const unsigned top = std::min<unsigned>(header.depth, shared_lock_level);
  const auto plan = [&bridge](LockStep step, unsigned from, unsigned to) {
    bridge.lock_step = step;
    bridge.lock_from = static_cast<std::uint8_t>(std::max(from, 1U));
    bridge.lock_to = static_cast<std::uint8_t>(to);
  };
  switch (header.kind) {
    case Kind::read_request:
      if (!header.has(walking)) {
        if (bridge.last_hit) plan(LockStep::raise, 1, top);
      } else if (header.level > 1) {
        // Passing level 8 releases nothing when a deeper one follows: the counter is shared, and
        // one pass reaches it once.
        const unsigned passed = header.level - 1U;
        if (passed < shared_lock_level || wiring_.release_shared_twice) {
          plan(LockStep::lower, passed, passed);
        }
      }
      return;
    case Kind::write_request:
      if (!bridge.last_hit || header.depth == 0) return;  // the root has no counter
      bridge.compact = true;
      bridge.single_index = static_cast<std::uint16_t>(
          lock_index(header.depth > shared_lock_level ? header.ancestor_key() : header.keys[0]));
      return plan(LockStep::test, top, top);
    case Kind::release:
      if (header.has(hit)) {
        bridge.compact = true;
        bridge.single_index = static_cast<std::uint16_t>(lock_index(header.keys[0]));
      }
      return plan(LockStep::lower, std::min<unsigned>(header.held_from, top), top);
    case Kind::held_answer:
      return plan(LockStep::lower, std::min<unsigned>(header.held_from, top), top);
    default:
      return;
  }
}

template <Placement where>
template <unsigned stage>
void FletchProgram<where>::change_locks(PassContext& context) const {
  constexpr Placement::Levels here = where.lock_levels(stage);
  const auto& bridge = context.metadata<Bridge>();
  const unsigned last = std::min<unsigned>(bridge.lock_to, here.last);
  for (unsigned level = std::max<unsigned>(bridge.lock_from, here.first); level <= last; ++level) {
    change_lock(context, level);
  }
}

template <Placement where>
void FletchProgram<where>::change_lock(PassContext& context, unsigned level) const {
  auto& bridge = context.metadata<Bridge>();
  const std::uint32_t index =
      bridge.compact ? bridge.single_index : lock_index(context.header<Header>().keys[level]);
  switch (bridge.lock_step) {
    case LockStep::raise:
      context.execute(lock_array(level), action::raise, index);
      return;
    case LockStep::lower:
      context.execute(lock_array(level), action::lower, index);
      return;
    case LockStep::test:
      bridge.raised = context.execute(lock_array(level), action::is_free, index) == 0;
      return;
    case LockStep::nothing:
      return;
  }
}

template <Placement where>
void FletchProgram<where>::route(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  switch (header.kind) {
    case Kind::read_request:
      return route_read(context);
    case Kind::write_request:
      return route_write(context);
    case Kind::held_answer:
      bridge.step = EgressStep::acknowledge;
      return context.forward(port_of(header.addresses.source));
    case Kind::cached_answer:
      bridge.step = bridge.level_hit ? EgressStep::apply : EgressStep::acknowledge;
      return context.forward(port_of(header.addresses.source));
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
    header.set(walking);
  }
  if (bridge.level_hit) {
    bridge.step = EgressStep::resolve;
    return context.recirculate(wiring_.loop);
  }
  // The record is being evicted: the server answers, holding what is still held.
  header.set(invalid);
  header.held_from = header.level;
  context.forward(port_of(header.addresses.destination));
}

template <Placement where>
void FletchProgram<where>::route_write(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (bridge.last_hit && bridge.raised) {
    header.set(waited);
    return context.recirculate(wiring_.loop, true);
  }
  if (bridge.last_hit && bridge.level_hit) {
    header.set(cached);
    bridge.step = EgressStep::clear_flag;
  }
  context.forward(port_of(header.addresses.destination));
}

}  // namespace recirc::pipeline::programs::fletch
