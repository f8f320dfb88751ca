#include "app/progress.h"

#include <algorithm>
#include <ostream>
#include <system_error>

#include "app/numbers.h"

namespace recirc::app {
namespace {

using namespace std::chrono_literals;

constexpr auto bar_period = 200ms;
constexpr auto line_period = 5s;
constexpr double least_window = 15;
constexpr double window_share = 0.2;

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 120) return std::to_string(whole) + " s";
  if (whole < 7200) return std::to_string(whole / 60) + " min";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

}  // namespace

double RecentRate::at(std::uint64_t done, double seconds) {
  const double since = seconds - std::max(least_window, seconds * window_share);
  while (samples_.size() > 1 && samples_[1].seconds <= since) samples_.pop_front();
  const Sample& first = samples_.front();
  const double length = seconds - first.seconds;
  const double rate = length > 0 ? static_cast<double>(done - first.done) / length : 0;
  samples_.push_back({seconds, done});
  return rate;
}

std::string progress_text(std::uint64_t done, std::uint64_t total, double rate, bool bar,
                          bool last) {
  std::string text;
  if (done > total) total = 0;  // it was an estimate, of a rotation or a search, and too low
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    if (bar) {
      constexpr std::size_t width = 30;
      const auto full = static_cast<std::size_t>(share * width);
      text += "[" + std::string(full, '=') + std::string(width - full, ' ') + "] ";
    }
    text += std::to_string(static_cast<int>(share * 100)) + " %  ";
  }
  text += short_number(static_cast<double>(done));
  if (total > 0) text += " of " + short_number(static_cast<double>(total));
  text += " operations  " + short_number(rate) + "/s";
  if (total > done && rate > 0) {
    text += "  " + time_text(static_cast<double>(total - done) / rate) + " left";
  }
  if (total > 0 && total == done && !last) text += "  waiting for what is still on its way";
  return text;
}

Progress::Progress(std::ostream& err, Style style, const model::RunControl& control,
                   std::uint64_t total)
    : err_(err), style_(style), control_(control), before_(control.operations), total_(total) {
  if (style_ == Style::none) return;
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    style_ = Style::none;  // no thread to be had: do the work without a bar
  }
}

Progress::~Progress() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  watcher_.join();
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  const auto period = style_ == Style::bar ? std::chrono::milliseconds(bar_period)
                                           : std::chrono::milliseconds(line_period);
  while (!wake_.wait_for(lock, period, [this] { return stop_; })) show(false);
  if (shown_) show(true);
}

void Progress::show(bool last) {
  const bool bar = style_ == Style::bar;
  const std::uint64_t done = control_.operations - before_;
  // The last line stands for the whole run.
  const double whole = static_cast<double>(done) / seconds();
  const double rate = last ? whole : rate_.at(done, seconds());
  const std::string text = progress_text(done, total_, rate, bar, last);
  // A carriage return and "erase to the end of the line" draw over the last bar.
  if (bar) err_ << '\r' << text << "\x1b[K" << (last ? "\n" : "") << std::flush;
  if (!bar) err_ << text << '\n' << std::flush;
  shown_ = true;
}

}  // namespace recirc::app
