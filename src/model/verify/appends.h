#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/time.h"

namespace recirc::model::verify {

/// Whether appends are atomic: those of a file have no page in common and leave none out, and none
/// lies before one that was over when it began. That is all there is to check: where an append
/// lies tells its place in the order. Takes 32 bytes an append.
class AppendCheck {
 public:
  struct Faults {
    std::uint64_t overlaps = 0;      ///< appends that begin in another one
    std::uint64_t gaps = 0;          ///< appends before which pages are missing
    std::uint64_t out_of_order = 0;  ///< appends before one that was over when they began
    bool operator==(const Faults&) const = default;
  };

  /// By file: its pages at first.
  explicit AppendCheck(std::vector<std::uint32_t> sizes) {
    for (const std::uint32_t size : sizes) files_.push_back({size, false, false, {}});
  }

  void appended(std::uint32_t file, std::uint32_t first, std::uint32_t pages, sim::Time began,
                sim::Time ended) {
    files_[file].appends.push_back({first, pages, began, ended});
    any_ = true;
  }
  /// Of another call than an append: beyond the size of old there may be gaps.
  void wrote(std::uint32_t file, std::uint32_t page) {
    if (page >= files_[file].size) files_[file].grown = true;
  }
  /// Such a file is not judged: its end has been at several places more than once.
  void cut(std::uint32_t file) { files_[file].cut = true; }

  [[nodiscard]] bool any() const { return any_; }

  [[nodiscard]] Faults faults() const {
    Faults sum;
    for (const File& file : files_) {
      if (!file.cut) judge(file, sum);
    }
    return sum;
  }

 private:
  struct Append {
    std::uint32_t first = 0;
    std::uint32_t pages = 0;
    sim::Time began;
    sim::Time ended;
  };
  struct File {
    std::uint32_t size = 0;
    bool grown = false;
    bool cut = false;
    std::vector<Append> appends;
  };

  static void judge(const File& file, Faults& sum) {
    std::vector<Append> appends = file.appends;
    std::stable_sort(appends.begin(), appends.end(),
                     [](const Append& a, const Append& b) { return a.first < b.first; });
    std::uint32_t end = file.size;
    sim::Time latest_begin = sim::Time::min();
    for (const Append& append : appends) {
      if (append.first < end) ++sum.overlaps;
      if (append.first > end && !file.grown) ++sum.gaps;
      if (append.ended < latest_begin) ++sum.out_of_order;
      end = std::max(end, append.first + append.pages);
      latest_begin = std::max(latest_begin, append.began);
    }
  }

  std::vector<File> files_;
  bool any_ = false;
};

}  // namespace recirc::model::verify
