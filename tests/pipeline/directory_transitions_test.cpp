#include <array>

#include "catch.h"
#include "pipeline/chip.h"
#include "pipeline/diagnostics.h"
#include "pipeline/programs/directory/layout.h"
#include "pipeline/programs/directory/program.h"
#include "pipeline/programs/directory/transitions.h"

using namespace recirc::pipeline;
using namespace recirc::pipeline::programs::directory;

namespace {

constexpr std::array all_states = {State::invalid, State::shared, State::modified, State::to_shared,
                                   State::to_modified};
constexpr std::array all_events = {Event::read, Event::write, Event::evict,      Event::fin_ack,
                                   Event::data, Event::dummy, Event::passthrough};

bool is_transient(State state) { return state == State::to_shared || state == State::to_modified; }

}  // namespace

TEST_CASE("The directory knows every pair of state and event, whoever holds the region") {
  std::size_t seen = 0;
  for (const State state : all_states) {
    for (const Event event : all_events) {
      for (const int sharers : {0x0, 0x1, 0x2, 0x3, 0x6, 0x7, 0xffff}) {
        CHECK_NOTHROW(transition(state, event, static_cast<std::uint16_t>(sharers), 0));
        ++seen;
      }
    }
  }
  CHECK(seen == all_states.size() * all_events.size() * 7);
  CHECK_THROWS(transition(State::none, Event::read, 0, 0));
}

TEST_CASE("What cannot happen unless a message is lost, late or doubled changes no entry") {
  const auto named = [](State state, Event event, std::uint16_t sharers) {
    return transition(state, event, sharers, 0).impossible;
  };
  for (const Transition& row : transitions()) {
    if (!row.impossible) continue;
    CHECK(row.next == row.state);
    CHECK(row.list == ListChange::keep);
  }
  for (const Event event : {Event::evict, Event::fin_ack, Event::data, Event::dummy}) {
    CHECK(named(State::invalid, event, 0));
    CHECK(named(State::shared, event, 0x6) == (event != Event::evict));
    CHECK(named(State::modified, event, 0x2));
    CHECK(named(State::modified, event, 0x1) == (event != Event::evict));
    CHECK_FALSE(named(State::to_shared, event, 0x3));
    CHECK_FALSE(named(State::to_modified, event, 0x3));
  }
  for (const State state : all_states) {
    for (const Event event : {Event::read, Event::write, Event::passthrough}) {
      CHECK_FALSE(named(state, event, 0x3));
    }
  }
}

TEST_CASE("Every row of the directory's table can be reached") {
  for (const Transition& row : transitions()) {
    bool reached = false;
    for (std::uint32_t sharers = 0; sharers < 0x10 && !reached; ++sharers) {
      reached = &transition(row.state, row.event, static_cast<std::uint16_t>(sharers), 0) == &row;
    }
    CHECK(reached);
  }
}

TEST_CASE("While somebody still has to give up, requests are refused and change nothing") {
  for (const State state : all_states) {
    for (const Event event : {Event::read, Event::write}) {
      const Transition& row = transition(state, event, 0x6, 0);
      CHECK(((row.actions & nack) != 0) == is_transient(state));
      if (is_transient(state)) {
        CHECK(row.next == state);
        CHECK(row.list == ListChange::keep);
      }
    }
  }
}

TEST_CASE("A writer that is not alone waits until one holder remains: itself") {
  std::uint16_t sharers = 0x6;  // nodes 1 and 2; node 0 writes
  const Transition& asks = transition(State::shared, Event::write, sharers, 0);
  CHECK(asks.next == State::to_modified);
  CHECK((asks.actions & (invalidate | fetch)) == (invalidate | fetch));
  CHECK((asks.actions & grant) == 0);
  sharers = after(asks, sharers, 0);
  CHECK(sharers == 0x7);
  const Transition& first = transition(State::to_modified, Event::fin_ack, sharers, 1);
  CHECK(first.next == State::to_modified);
  sharers = after(first, sharers, 1);
  const Transition& second = transition(State::to_modified, Event::fin_ack, sharers, 2);
  CHECK(second.next == State::modified);
  CHECK((second.actions & conclude) != 0);
  CHECK(after(second, sharers, 2) == 0x1);
}

TEST_CASE("An owner that is read keeps a clean copy, and the reader gets the owner's page") {
  const Transition& asks = transition(State::modified, Event::read, 0x2, 0);
  CHECK(asks.next == State::to_shared);
  CHECK(asks.actions == (downgrade | wants_data));
  const Transition& done = transition(State::to_shared, Event::fin_ack, 0x3, 1);
  CHECK(done.next == State::shared);
  CHECK(after(done, 0x3, 1) == 0x3);
}

TEST_CASE("The list of sharers holds exactly one node whenever the region is modified") {
  // Walks of three nodes from the invalid state by possible events.
  for (unsigned walk = 0; walk < 2187; ++walk) {
    State state = State::invalid;
    std::uint16_t sharers = 0;
    unsigned pending = 0;  // nodes that must still give up
    for (unsigned step = 0, code = walk; step < 7; ++step, code /= 3) {
      const unsigned node = code % 3;
      const bool owes = (pending >> node & 1U) != 0;
      const Event event = owes ? Event::fin_ack : (step % 2 == 0 ? Event::write : Event::read);
      const Transition& row = transition(state, event, sharers, node);
      CHECK_FALSE(row.impossible);
      if ((row.actions & (invalidate | downgrade)) != 0) pending = sharers & ~(1U << node);
      if (owes) pending &= ~(1U << node);
      sharers = after(row, sharers, node);
      state = row.next;
      if (state == State::modified) CHECK((sharers & (sharers - 1)) == 0);
      CHECK(is_transient(state) == (pending != 0));
      if (state == State::invalid) CHECK(sharers == 0);
    }
  }
}

TEST_CASE("The directory's program fits Tofino 1, stage by stage") {
  const auto program = make_program({});
  const Program* const one = program.get();
  CHECK(report(chip_of(ChipChoice{}), {&one, 1}).violations.empty());
}
