#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "sim/flat_map.h"
#include "sim/time.h"

namespace recirc::model::verify {

/// Real-time order of pages (Callosal §3.2): a read must not return a version whose write was over
/// before another write began that was over before the read began. Concurrent calls may see one
/// another or not. Each write has a number of its own; 0 is what was there at first.
///
/// Numbers are in the order in which the writes took effect, wherever that was: in that order the
/// last one over before a read began is the oldest that it may return. That judges more strictly,
/// as writes may be under way at once, and is counted apart.
class RealTimeCheck {
 public:
  void written(std::uint64_t page, std::uint64_t version, sim::Time began, sim::Time ended) {
    if (ended_.size() <= version) ended_.resize(version + 1, sim::Time::max());
    ended_[version] = ended;
    std::uint32_t& place = places_[page];
    if (place == 0) {
      histories_.emplace_back();
      place = static_cast<std::uint32_t>(histories_.size());
    }
    std::vector<Completion>& history = histories_[place - 1];
    // Reads that began before half of these writes were over would be judged too kindly.
    if (std::ssize(history) == longest)
      history.erase(history.begin(), history.begin() + longest / 2);
    Completion completion{ended, began, version};
    if (!history.empty()) {
      completion.latest_begin = std::max(began, history.back().latest_begin);
      completion.newest = std::max(version, history.back().newest);
    }
    history.push_back(completion);
  }

  /// What a page held was lost at `crashed`, and since `now` it is `version` again.
  void reverted(std::uint64_t page, std::uint64_t version, sim::Time crashed, sim::Time now) {
    const std::uint32_t* place = places_.find(page);
    if (place == nullptr) return;
    histories_[*place - 1].clear();
    if (version == 0) return;  // the same number for all pages
    written(page, version, crashed, now);
  }

  void read(std::uint64_t page, std::uint64_t version, sim::Time began) {
    const std::uint32_t* place = places_.find(page);
    if (place == nullptr) return;
    const std::vector<Completion>& history = histories_[*place - 1];
    // What ends and begins at one time is concurrent.
    const auto after = std::lower_bound(
        history.begin(), history.end(), began,
        [](const Completion& completion, sim::Time time) { return completion.ended < time; });
    if (after == history.begin()) return;
    if (version < std::prev(after)->newest) ++order_violations_;
    const sim::Time seen_ended = version == 0               ? sim::Time::min()
                                 : version >= ended_.size() ? sim::Time::max()
                                                            : ended_[version];
    // The first write over before the read that began after the version's own write was over.
    const auto newer = std::upper_bound(history.begin(), after, seen_ended,
                                        [](sim::Time time, const Completion& completion) {
                                          return time < completion.latest_begin;
                                        });
    if (newer == after) return;
    ++stale_reads_;
    longest_staleness_ = std::max(longest_staleness_, began - newer->ended);
  }

  /// The last of the writes that are over; 0 if there is none.
  [[nodiscard]] std::uint64_t newest(std::uint64_t page) const {
    const std::uint32_t* place = places_.find(page);
    return place == nullptr || histories_[*place - 1].empty()
               ? 0
               : histories_[*place - 1].back().newest;
  }
  [[nodiscard]] std::uint64_t stale_reads() const { return stale_reads_; }
  /// Reads that returned a version before that of a write that was over when they began.
  [[nodiscard]] std::uint64_t order_violations() const { return order_violations_; }
  /// From the end of the first write that a read should have seen to the read's beginning.
  [[nodiscard]] sim::Duration longest_staleness() const { return longest_staleness_; }

 private:
  static constexpr std::ptrdiff_t longest = 1024;
  struct Completion {
    sim::Time ended;
    sim::Time latest_begin;    ///< of this write and those that were over before it
    std::uint64_t newest = 0;  ///< version of them
  };

  std::vector<sim::Time> ended_;  ///< by version
  sim::FlatMap<std::uint32_t> places_;
  std::vector<std::vector<Completion>> histories_;
  std::uint64_t stale_reads_ = 0;
  std::uint64_t order_violations_ = 0;
  sim::Duration longest_staleness_{};
};

}  // namespace recirc::model::verify
