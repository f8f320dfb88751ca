#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/result.h"
#include "model/verify/appends.h"
#include "model/verify/config.h"
#include "model/verify/page_histories.h"
#include "model/verify/real_time.h"
#include "model/verify/single_writer.h"

namespace recirc::model::verify {

/// What a run over page caches is checked for, as its configuration asks. Pages are told by one
/// number, calls when they have returned.
class PageChecks {
 public:
  /// `sizes`: pages of each file at first.
  PageChecks(const PageVerifySettings& settings, std::vector<std::uint32_t> sizes);

  /// Calls must be told of.
  [[nodiscard]] bool wants_calls() const { return real_time_ || histories_; }
  void read(std::uint64_t page, std::uint64_t version, sim::Time began, sim::Time ended);
  void written(std::uint64_t page, std::uint64_t version, sim::Time began, sim::Time ended);

  /// A read has returned parts of two versions of a page.
  void torn() { ++torn_reads_; }

  /// A write that had had its effect, or may have had it.
  void never_returned(std::uint64_t page, std::uint64_t version, sim::Time began) {
    if (histories_) histories_->add(page, {began, sim::Time::max(), true, version});
  }
  /// A crash has cost the page its last writes: it is what it was at `version` again.
  void reverted(std::uint64_t page, std::uint64_t version, sim::Time crashed, sim::Time now) {
    if (real_time_) real_time_->reverted(page, version, crashed, now);
    if (histories_) histories_->add(page, {crashed, now, true, version});
  }

  // Of files: what calls did to their ends.
  void appended(std::uint32_t file, std::uint32_t first, std::uint32_t pages, sim::Time began,
                sim::Time ended) {
    if (appends_) appends_->appended(file, first, pages, began, ended);
  }
  void extended(std::uint32_t file, std::uint32_t page) {
    if (appends_) appends_->wrote(file, page);
  }
  void cut(std::uint32_t file) {
    if (appends_) appends_->cut(file);
  }

  void holds(std::uint64_t page, unsigned node, Access access, sim::Time now) {
    if (swmr_) swmr_->becomes(page, node, access, now);
  }

  /// Of the last write of a page that is over; 0 if there is none, or that is not known.
  [[nodiscard]] std::uint64_t newest(std::uint64_t page) const {
    return real_time_ ? real_time_->newest(page) : 0;
  }

  void report(std::vector<Figure>& figures) const;
  /// Throws InvariantBroken where the configuration has it so: `figures` are those of report().
  void enforce() const;

 private:
  static constexpr std::uint64_t most_steps = 2'000'000;  ///< of the search of a page

  OnViolation on_violation_;
  std::uint64_t torn_reads_ = 0;
  std::optional<RealTimeCheck> real_time_;
  std::optional<AppendCheck> appends_;
  std::optional<PageHistories> histories_;
  std::optional<SingleWriter> swmr_;
};

}  // namespace recirc::model::verify
