#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>

#include "model/run.h"

namespace recirc::app {

/// Operations a second of late: over the last 15 s, or the last fifth of a longer time. The mean
/// since the start would promise too much, as runs slow down towards their end: destructive
/// operations come last, and then fewer runs than threads.
class RecentRate {
 public:
  /// The rate now that `done` operations are done after `seconds`; calls with rising times.
  double at(std::uint64_t done, double seconds);

 private:
  struct Sample {
    double seconds;
    std::uint64_t done;
  };
  std::deque<Sample> samples_{{0, 0}};
};

/// How far the runs are: a bar with rate and time left on a terminal, else a plain line every few
/// seconds. Lives as long as they run; reads the operations that control counts.
class Progress {
 public:
  enum class Style : std::uint8_t { none, lines, bar };
  /// `total` operations of all runs together; 0 when it is not known.
  Progress(std::ostream& err, Style style, const model::RunControl& control, std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Since it was made.
  [[nodiscard]] double seconds() const;

 private:
  void watch();
  void show(bool last);

  std::ostream& err_;
  Style style_;
  const model::RunControl& control_;
  std::uint64_t before_;  ///< what the counter stood at
  std::uint64_t total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  RecentRate rate_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  bool shown_ = false;
  std::thread watcher_;
};

/// One line of progress: "[=====     ] 51 %  1.5 M of 3 M operations  1.02 M/s  1 s left".
std::string progress_text(std::uint64_t done, std::uint64_t total, double rate, bool bar,
                          bool last = false);

}  // namespace recirc::app
