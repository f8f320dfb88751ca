#include "model/verify/page_checks.h"

#include <utility>

#include "sim/error.h"

namespace recirc::model::verify {

PageChecks::PageChecks(const PageVerifySettings& settings, std::vector<std::uint32_t> sizes)
    : on_violation_(settings.violations) {
  if (settings.real_time) {
    real_time_.emplace();
    appends_.emplace(std::move(sizes));
  }
  if (settings.linearizable) histories_.emplace(settings.calls_a_page);
  if (settings.swmr) swmr_.emplace();
}

void PageChecks::read(std::uint64_t page, std::uint64_t version, sim::Time began, sim::Time ended) {
  if (real_time_) real_time_->read(page, version, began);
  if (histories_) histories_->add(page, {began, ended, false, version});
}

void PageChecks::written(std::uint64_t page, std::uint64_t version, sim::Time began,
                         sim::Time ended) {
  if (real_time_) real_time_->written(page, version, began, ended);
  if (histories_) histories_->add(page, {began, ended, true, version});
}

void PageChecks::report(std::vector<Figure>& figures) const {
  if (real_time_) {
    figures.push_back(count_figure("stale_reads", real_time_->stale_reads()));
    figures.push_back({"staleness_max_us", sim::as_microseconds(real_time_->longest_staleness())});
    figures.push_back(count_figure("order_violations", real_time_->order_violations()));
    figures.push_back(count_figure("torn_reads", torn_reads_));
  }
  if (appends_ && appends_->any()) {
    const AppendCheck::Faults faults = appends_->faults();
    figures.push_back(count_figure("appends/overlaps", faults.overlaps));
    figures.push_back(count_figure("appends/gaps", faults.gaps));
    figures.push_back(count_figure("appends/out_of_order", faults.out_of_order));
  }
  if (histories_) {
    const PageHistories::Result result = histories_->search(most_steps);
    figures.push_back(count_figure("linearizable/pages", result.pages));
    figures.push_back(count_figure("linearizable/violations", result.violated));
    figures.push_back(count_figure("linearizable/undecided", result.undecided));
  }
  if (swmr_) {
    figures.push_back(count_figure("swmr/violations", swmr_->violations()));
    figures.push_back({"swmr/longest_us", sim::as_microseconds(swmr_->longest())});
  }
}

void PageChecks::enforce() const {
  if (on_violation_ == OnViolation::report) return;
  std::vector<Figure> figures;
  report(figures);
  std::string broken;
  for (const Figure& figure : figures) {
    const bool informs = figure.name == "linearizable/pages" ||
                         figure.name == "linearizable/undecided" ||
                         figure.name == "swmr/longest_us" || figure.name == "staleness_max_us";
    if (informs || figure.value == 0) continue;
    broken += (broken.empty() ? "" : ", ") + figure.name + " " +
              std::to_string(static_cast<std::uint64_t>(figure.value));
  }
  if (!broken.empty()) throw sim::InvariantBroken("a check of /verify is violated: " + broken);
}

}  // namespace recirc::model::verify
