#include "pipeline/programs/directory/transitions.h"

#include <array>
#include <bit>

#include "sim/error.h"

namespace recirc::pipeline::programs::directory {
namespace {

constexpr auto I = State::invalid;
constexpr auto S = State::shared;
constexpr auto M = State::modified;
constexpr auto SD = State::to_shared;
constexpr auto MD = State::to_modified;
constexpr auto any = Holders::any;
constexpr auto keep = ListChange::keep;
constexpr auto add = ListChange::add_requester;
constexpr auto only = ListChange::only_requester;
constexpr auto leave = ListChange::remove_sender;
constexpr std::uint16_t nothing = 0;

// Of MIND's control plane (its static state transitions), with three differences. The requester is
// told by the switch (`conclude`), where MIND's nodes go on when they have the page. An owner that
// is asked to give up writing sends the page also where nobody can say that it has it. And an
// eviction that comes late, from a node that is not the owner any more, does not take the region
// from its owner: in the switch a message that meets a claim is overtaken by later ones.
constexpr std::array table{
    Transition{I, Event::read, any, S, only, fetch | grant, false},
    Transition{I, Event::write, any, M, only, fetch | grant, false},
    Transition{I, Event::evict, any, I, keep, acknowledge, true},
    Transition{I, Event::fin_ack, any, I, keep, nothing, true},
    Transition{I, Event::data, any, I, keep, nothing, true},
    Transition{I, Event::dummy, any, I, keep, nothing, true},
    Transition{I, Event::passthrough, any, I, keep, to_memory, false},

    Transition{S, Event::read, any, S, add, fetch | grant, false},
    Transition{S, Event::write, Holders::only_requester, M, keep, fetch | grant, false},
    Transition{S, Event::write, any, MD, add, fetch | invalidate, false},
    Transition{S, Event::evict, Holders::none_remains, I, leave, acknowledge, false},
    Transition{S, Event::evict, any, S, leave, acknowledge, false},
    Transition{S, Event::fin_ack, any, S, keep, nothing, true},
    Transition{S, Event::data, any, S, keep, to_memory, true},
    Transition{S, Event::dummy, any, S, keep, fetch, true},
    Transition{S, Event::passthrough, any, S, keep, to_memory, false},

    Transition{M, Event::read, Holders::only_requester, M, keep, fetch | grant, false},
    Transition{M, Event::read, any, SD, add, downgrade | wants_data, false},
    Transition{M, Event::write, Holders::only_requester, M, keep, fetch | grant, false},
    Transition{M, Event::write, any, MD, add, invalidate | wants_data, false},
    Transition{M, Event::evict, Holders::none_remains, I, leave, acknowledge, false},
    Transition{M, Event::evict, any, M, keep, acknowledge, true},
    Transition{M, Event::fin_ack, any, M, keep, nothing, true},
    Transition{M, Event::data, any, M, keep, to_memory, true},
    Transition{M, Event::dummy, any, M, keep, fetch, true},
    Transition{M, Event::passthrough, any, M, keep, to_memory, false},

    Transition{SD, Event::read, any, SD, keep, nack, false},
    Transition{SD, Event::write, any, SD, keep, nack, false},
    Transition{SD, Event::evict, any, SD, keep, acknowledge, false},
    Transition{SD, Event::fin_ack, any, S, keep, conclude, false},
    Transition{SD, Event::data, any, SD, keep, to_memory, false},
    Transition{SD, Event::dummy, any, SD, keep, fetch, false},
    Transition{SD, Event::passthrough, any, SD, keep, to_memory, false},

    Transition{MD, Event::read, any, MD, keep, nack, false},
    Transition{MD, Event::write, any, MD, keep, nack, false},
    Transition{MD, Event::evict, any, MD, keep, acknowledge, false},
    Transition{MD, Event::fin_ack, Holders::one_remains, M, leave, conclude, false},
    Transition{MD, Event::fin_ack, any, MD, leave, nothing, false},
    Transition{MD, Event::data, any, MD, keep, to_memory, false},
    Transition{MD, Event::dummy, any, MD, keep, fetch, false},
    Transition{MD, Event::passthrough, any, MD, keep, to_memory, false},
};

bool fits(Holders holders, std::uint16_t sharers, unsigned node) {
  const auto own = static_cast<std::uint16_t>(1U << node);
  const auto others = static_cast<std::uint16_t>(sharers & ~own);
  switch (holders) {
    case Holders::any:
      return true;
    case Holders::only_requester:
      return sharers == own;
    case Holders::one_remains:
      return std::has_single_bit(others);
    case Holders::none_remains:
      break;
  }
  return others == 0;
}

}  // namespace

std::span<const Transition> transitions() { return table; }

const Transition& transition(State state, Event event, std::uint16_t sharers, unsigned node) {
  for (const Transition& row : table) {
    if (row.state == state && row.event == event && fits(row.holders, sharers, node)) return row;
  }
  throw sim::InvariantBroken("the directory has no transition for this state and event");
}

std::uint16_t after(const Transition& transition, std::uint16_t sharers, unsigned node) {
  const auto own = static_cast<std::uint16_t>(1U << node);
  switch (transition.list) {
    case ListChange::keep:
      return sharers;
    case ListChange::only_requester:
      return own;
    case ListChange::add_requester:
      return static_cast<std::uint16_t>(sharers | own);
    case ListChange::remove_sender:
      break;
  }
  return static_cast<std::uint16_t>(sharers & ~own);
}

}  // namespace recirc::pipeline::programs::directory
