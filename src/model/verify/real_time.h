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
    const sim::Time latest = history.empty() ? began : std::max(history.back().latest_begin, began);
    history.push_back({ended, latest});
  }

  void read(std::uint64_t page, std::uint64_t version, sim::Time began) {
    const std::uint32_t* place = places_.find(page);
    if (place == nullptr) return;
    const std::vector<Completion>& history = histories_[*place - 1];
    const auto after = std::upper_bound(
        history.begin(), history.end(), began,
        [](sim::Time time, const Completion& completion) { return time < completion.ended; });
    if (after == history.begin()) return;
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

  [[nodiscard]] std::uint64_t stale_reads() const { return stale_reads_; }
  /// From the end of the first write that a read should have seen to the read's beginning.
  [[nodiscard]] sim::Duration longest_staleness() const { return longest_staleness_; }

 private:
  static constexpr std::ptrdiff_t longest = 1024;
  struct Completion {
    sim::Time ended;
    sim::Time latest_begin;  ///< of this write and those that were over before it
  };

  std::vector<sim::Time> ended_;  ///< by version
  sim::FlatMap<std::uint32_t> places_;
  std::vector<std::vector<Completion>> histories_;
  std::uint64_t stale_reads_ = 0;
  sim::Duration longest_staleness_{};
};

}  // namespace recirc::model::verify
