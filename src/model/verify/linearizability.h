#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sim/rng.h"
#include "sim/time.h"

namespace recirc::model::verify {

enum class Verdict : std::uint8_t { linearizable, violated, undecided };

/// Whether there is an order of calls that explains all answers and in which no call comes before
/// one that was over when it began: the search of Wing and Gong (1993), with Lowe's (2017) memory
/// of what has been tried. It may take time that is exponential in the calls under way at once, so
/// it gives up after a number of steps. Sets of calls are told apart by 128 random bits: two that
/// are taken for the same are less likely than a computer's error.
///
/// `Spec::Call` has `called` and `returned`, which is later; Time::max() is that of a call that
/// never returned, which may have had its effect at any time or not at all. `Spec::State{}` is
/// where the calls began, is less-than comparable, and `Spec::step(state, call)` changes it, or is
/// false when the call cannot have had its answer then. `Spec::only_looks(call)`: it never changes
/// the state.
template <class Spec>
class LinearizabilitySearch {
 public:
  using Call = typename Spec::Call;
  using State = typename Spec::State;

  explicit LinearizabilitySearch(std::span<const Call> calls)
      : calls_(calls), by_call_(calls.size()), by_return_(calls.size()) {
    std::vector<std::uint32_t> order(calls.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto link = [&](List& list, sim::Time Call::*time) {
      std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return calls_[a].*time < calls_[b].*time;
      });
      for (const std::uint32_t call : order) list.append(call);
    };
    link(by_call_, &Call::called);
    link(by_return_, &Call::returned);
  }

  Verdict run(std::uint64_t most_steps) {
    while (!over()) {
      if (most_steps-- == 0) return Verdict::undecided;
      if (fresh_) path_.push_back({candidates(), 0, state_});
      fresh_ = go_on();
      if (!fresh_) path_.pop_back();
      if (!fresh_ && path_.empty()) return Verdict::violated;
      if (!fresh_) take_back();
    }
    return Verdict::linearizable;
  }

 private:
  /// Calls that have no place yet.
  class List {
   public:
    explicit List(std::size_t calls)
        : next_(calls + 1, static_cast<std::uint32_t>(calls)), previous_(next_) {}
    void append(std::uint32_t call) { insert(call, previous_[end()], end()); }
    void remove(std::uint32_t call) {
      next_[previous_[call]] = next_[call];
      previous_[next_[call]] = previous_[call];
    }
    /// The one that was removed last of those that are not there.
    void restore(std::uint32_t call) { insert(call, previous_[call], next_[call]); }
    [[nodiscard]] std::uint32_t first() const { return next_[end()]; }
    [[nodiscard]] std::uint32_t after(std::uint32_t call) const { return next_[call]; }
    [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(next_.size() - 1); }

   private:
    void insert(std::uint32_t call, std::uint32_t previous, std::uint32_t next) {
      next_[call] = next;
      previous_[call] = previous;
      next_[previous] = previous_[next] = call;
    }
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> previous_;
  };
  struct Choice {
    std::vector<std::uint32_t> calls;  ///< that may be next
    std::size_t tried = 0;             ///< of them
    State before;
  };

  /// Only calls without a place are left that never returned.
  [[nodiscard]] bool over() const {
    const std::uint32_t first = by_return_.first();
    return first == by_return_.end() || calls_[first].returned == sim::Time::max();
  }

  /// Those that began before any of them was over. One that only looks may come at once: what
  /// explains the others without it explains them after it.
  [[nodiscard]] std::vector<std::uint32_t> candidates() const {
    const sim::Time end = calls_[by_return_.first()].returned;
    std::vector<std::uint32_t> found;
    for (std::uint32_t call = by_call_.first();
         call != by_call_.end() && calls_[call].called <= end; call = by_call_.after(call)) {
      State after = state_;
      if (!Spec::step(after, calls_[call])) continue;
      if (Spec::only_looks(calls_[call])) return {call};
      found.push_back(call);
    }
    std::stable_sort(found.begin(), found.end(), [this](std::uint32_t a, std::uint32_t b) {
      return calls_[a].returned < calls_[b].returned;
    });
    return found;
  }

  /// Gives a place to the next candidate that leads to what was not tried.
  bool go_on() {
    Choice& choice = path_.back();
    while (choice.tried < choice.calls.size()) {
      const std::uint32_t call = choice.calls[choice.tried++];
      Spec::step(state_, calls_[call]);
      flip(call);
      if (tried_.emplace(placed_, state_).second) {
        by_call_.remove(call);
        by_return_.remove(call);
        return true;
      }
      flip(call);
      state_ = choice.before;
    }
    return false;
  }

  /// The last call that got a place has none any more.
  void take_back() {
    const Choice& choice = path_.back();
    const std::uint32_t call = choice.calls[choice.tried - 1];
    by_return_.restore(call);
    by_call_.restore(call);
    flip(call);
    state_ = choice.before;
  }

  void flip(std::uint32_t call) {
    sim::CounterRng bits = sim::CounterRng{0}.at(call);
    placed_.first ^= bits.next();
    placed_.second ^= bits.next();
  }

  std::span<const Call> calls_;
  List by_call_;
  List by_return_;
  State state_{};
  bool fresh_ = true;                               ///< a call has just got its place
  std::pair<std::uint64_t, std::uint64_t> placed_;  ///< names the set of calls that have one
  std::vector<Choice> path_;
  std::set<std::pair<std::pair<std::uint64_t, std::uint64_t>, State>> tried_;
};

template <class Spec>
Verdict linearizable(std::span<const typename Spec::Call> calls,
                     std::uint64_t most_steps = 1'000'000) {
  return LinearizabilitySearch<Spec>(calls).run(most_steps);
}

/// A place that is read and written whole: a page, or the metadata of one path.
struct Register {
  struct Call {
    sim::Time called{};
    sim::Time returned{};
    bool writes = false;
    std::uint64_t value = 0;  ///< that was written, or read; 0 is what was there at first
  };
  using State = std::uint64_t;
  static bool only_looks(const Call& call) { return !call.writes; }
  static bool step(State& state, const Call& call) {
    if (!call.writes) return state == call.value;
    state = call.value;
    return true;
  }
};

}  // namespace recirc::model::verify
