#pragma once

#include <cstdint>
#include <vector>

namespace recirc::model::callosal {

/// A node's memory for cached pages: how much of it is in use, and which of its pages were used
/// longest ago. Pages are slots of the node; each has a frame or none.
class Frames {
 public:
  static constexpr std::uint32_t nobody = ~0U;

  /// `capacity` 0: there are always enough, and nothing is kept. Above `mark` pages some should go.
  Frames(std::uint32_t capacity, std::uint32_t mark) : capacity_(capacity), mark_(mark) {}

  [[nodiscard]] bool limited() const { return capacity_ != 0; }
  [[nodiscard]] bool full() const { return limited() && used_ >= capacity_; }
  [[nodiscard]] bool above_mark() const { return limited() && used_ > mark_; }
  [[nodiscard]] std::uint32_t used() const { return used_; }
  [[nodiscard]] bool has(std::uint32_t slot) const {
    return slot < links_.size() && links_[slot].in_list;
  }

  /// The slot gets a frame, and is the one used last.
  void take(std::uint32_t slot) {
    if (slot >= links_.size()) links_.resize(std::size_t{slot} + 1);
    ++used_;
    append(slot);
  }
  void give_back(std::uint32_t slot) {
    --used_;
    remove(slot);
  }
  void use(std::uint32_t slot) {
    if (!limited() || slot == newest_) return;
    remove(slot);
    append(slot);
  }

  /// From the page used longest ago on; `nobody` after the last one.
  [[nodiscard]] std::uint32_t oldest() const { return oldest_; }
  [[nodiscard]] std::uint32_t newer(std::uint32_t slot) const { return links_[slot].newer; }

 private:
  struct Links {
    std::uint32_t older = nobody;
    std::uint32_t newer = nobody;
    bool in_list = false;
  };

  void append(std::uint32_t slot) {
    links_[slot] = {newest_, nobody, true};
    (newest_ == nobody ? oldest_ : links_[newest_].newer) = slot;
    newest_ = slot;
  }
  void remove(std::uint32_t slot) {
    const Links links = links_[slot];
    (links.older == nobody ? oldest_ : links_[links.older].newer) = links.newer;
    (links.newer == nobody ? newest_ : links_[links.newer].older) = links.older;
    links_[slot] = {};
  }

  std::uint32_t capacity_;
  std::uint32_t mark_;
  std::uint32_t used_ = 0;
  std::vector<Links> links_;  ///< by slot
  std::uint32_t oldest_ = nobody;
  std::uint32_t newest_ = nobody;
};

}  // namespace recirc::model::callosal
