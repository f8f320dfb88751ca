#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/verify/linearizability.h"
#include "sim/flat_map.h"

namespace recirc::model::verify {

/// The first calls on each page, for the search. Takes 32 bytes a call.
class PageHistories {
 public:
  struct Result {
    std::uint64_t pages = 0;
    std::uint64_t violated = 0;
    std::uint64_t undecided = 0;
  };

  explicit PageHistories(std::size_t calls_a_page) : most_(calls_a_page) {}

  void add(std::uint64_t page, const Register::Call& call) {
    std::uint32_t& place = places_[page];
    if (place == 0) {
      histories_.emplace_back();
      place = static_cast<std::uint32_t>(histories_.size());
    }
    History& history = histories_[place - 1];
    if (history.closed) return;
    history.calls.push_back(call);
    history.closed = history.calls.size() == most_;
  }

  /// Page by page, as each is an object of its own.
  [[nodiscard]] Result search(std::uint64_t most_steps_a_page) const {
    Result result;
    for (const History& history : histories_) {
      ++result.pages;
      const Verdict verdict = linearizable<Register>(explained(history.calls), most_steps_a_page);
      result.violated += verdict == Verdict::violated ? 1U : 0U;
      result.undecided += verdict == Verdict::undecided ? 1U : 0U;
    }
    return result;
  }

 private:
  struct History {
    std::vector<Register::Call> calls;
    bool closed = false;
  };

  /// Without reads of what was written by calls that came too late for the record. A history in
  /// which a write and all that read it are left out is as linearizable as it was.
  static std::vector<Register::Call> explained(const std::vector<Register::Call>& calls) {
    sim::FlatMap<char> written;
    written[0] = 1;
    for (const Register::Call& call : calls) {
      if (call.writes) written[call.value] = 1;
    }
    std::vector<Register::Call> kept;
    for (const Register::Call& call : calls) {
      if (written.find(call.value) != nullptr) kept.push_back(call);
    }
    return kept;
  }

  std::size_t most_;
  sim::FlatMap<std::uint32_t> places_;
  std::vector<History> histories_;
};

}  // namespace recirc::model::verify
