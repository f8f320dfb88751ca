#pragma once

#include <cstdint>
#include <span>

namespace recirc::pipeline::programs::directory {

/// States of a region (MIND). The two transient ones last until all who had to give something up
/// have said that they did. 0 is none, so that a register that was never written is no state.
enum class State : std::uint8_t {
  none,
  invalid,      ///< I: no node has it
  shared,       ///< S: nodes have clean copies, memory has the same
  modified,     ///< M: one node has it and may write
  to_shared,    ///< S^D
  to_modified,  ///< M^D
};
inline constexpr unsigned states = 6;

enum class Event : std::uint8_t {
  read,         ///< a node wants to read
  write,        ///< a node wants to write
  evict,        ///< a node drops its copies by itself
  fin_ack,      ///< a node has given up what it was told to
  data,         ///< its copy of the page that the requester wants
  dummy,        ///< it has no copy of that page
  passthrough,  ///< another page of the region, for memory
};
inline constexpr unsigned events = 7;

/// Who holds the region, as far as the next state depends on it.
enum class Holders : std::uint8_t {
  any,
  only_requester,  ///< the sender is in the list, and nobody else
  one_remains,     ///< without the sender there is exactly one
  none_remains,    ///< without the sender there is nobody
};

enum class ListChange : std::uint8_t { keep, only_requester, add_requester, remove_sender };

/// What the switch does beside changing the entry: bits.
enum Action : std::uint16_t {
  fetch = 1,          ///< memory sends the page to the requester
  grant = 2,          ///< the requester may go on
  invalidate = 4,     ///< all other holders give up their copies
  downgrade = 8,      ///< the owner gives up writing, and sends the page
  wants_data = 16,    ///< the page comes from the owner
  nack = 32,          ///< the requester must ask again
  conclude = 64,      ///< the last one has given up: the requester may go on, if it has not yet
  to_memory = 128,    ///< what the packet carries is for memory
  acknowledge = 256,  ///< the sender hears that it is no longer expected to have the region
};

struct Transition {
  State state;
  Event event;
  Holders holders;
  State next;
  ListChange list;
  std::uint16_t actions;
  bool impossible;  ///< never happens unless a message is lost, late or doubled
};

/// MIND's table, one row a case; of the rows of a pair the first whose holders fit counts.
std::span<const Transition> transitions();

/// The sender or requester is bit `node` of `sharers`.
const Transition& transition(State state, Event event, std::uint16_t sharers, unsigned node);

/// The list of sharers after a transition.
std::uint16_t after(const Transition& transition, std::uint16_t sharers, unsigned node);

}  // namespace recirc::pipeline::programs::directory
