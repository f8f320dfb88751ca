#pragma once

#include <cstdint>
#include <vector>

#include "model/pages/page_system.h"

namespace recirc::model::callosal {

/// The pages that a node has changed and not sent to memory since, by file.
class Unsynced {
 public:
  explicit Unsynced(std::size_t files) : slots_(files) {}

  /// True: it was not there.
  bool add(pages::FileId file, std::uint32_t slot) {
    if (is_in_.size() <= slot) is_in_.resize(std::size_t{slot} + 1, false);
    if (is_in_[slot]) return false;
    is_in_[slot] = true;
    ++count_;
    slots_[file.value()].push_back(slot);
    return true;
  }
  /// True: it was there.
  bool remove(std::uint32_t slot) {
    if (slot >= is_in_.size() || !is_in_[slot]) return false;
    is_in_[slot] = false;
    --count_;
    return true;
  }
  /// Those of a file, in the order in which they were first changed; they are not there any more.
  std::vector<std::uint32_t> take(pages::FileId file) {
    std::vector<std::uint32_t> taken;
    for (const std::uint32_t slot : slots_[file.value()]) {
      if (remove(slot)) taken.push_back(slot);
    }
    slots_[file.value()].clear();
    return taken;
  }
  /// Of the files that have some, the next after the last one returned.
  pages::FileId next_file() {
    do {
      next_ = (next_ + 1) % slots_.size();
    } while (!has_some(next_));
    return pages::FileId{static_cast<pages::FileId::rep>(next_)};
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t count(pages::FileId file) const {
    std::uint32_t sum = 0;
    for (const std::uint32_t slot : slots_[file.value()]) sum += is_in_[slot] ? 1 : 0;
    return sum;
  }

 private:
  [[nodiscard]] bool has_some(std::size_t file) const {
    for (const std::uint32_t slot : slots_[file]) {
      if (is_in_[slot]) return true;
    }
    return false;
  }

  std::vector<std::vector<std::uint32_t>> slots_;  ///< some were removed, or are there twice
  std::vector<bool> is_in_;                        ///< by slot
  std::uint32_t count_ = 0;
  std::size_t next_ = 0;
};

}  // namespace recirc::model::callosal
