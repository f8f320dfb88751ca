#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/rng.h"

namespace recirc::sim {

/// A map from 64-bit keys to small values in one array: linear probing, at most 3/4 full, no
/// per-entry allocation. It cannot be iterated, so that no result depends on its order.
template <class Value>
class FlatMap {
 public:
  FlatMap() : slots_(16) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] const Value* find(std::uint64_t key) const {
    for (std::size_t i = home(key);; i = next(i)) {
      if (!slots_[i].used) return nullptr;
      if (slots_[i].key == key) return &slots_[i].value;
    }
  }
  [[nodiscard]] Value* find(std::uint64_t key) {
    return const_cast<Value*>(static_cast<const FlatMap&>(*this).find(key));
  }

  /// The value under `key`, made with Value{} if it was not there. Valid until the next insertion
  /// or removal.
  Value& operator[](std::uint64_t key) {
    if (Value* found = find(key)) return *found;
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    std::size_t i = home(key);
    while (slots_[i].used) i = next(i);
    slots_[i] = Slot{key, Value{}, true};
    ++size_;
    return slots_[i].value;
  }

  bool erase(std::uint64_t key) {
    std::size_t i = home(key);
    while (slots_[i].used && slots_[i].key != key) i = next(i);
    if (!slots_[i].used) return false;
    close_gap(i);
    --size_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Value value{};
    bool used = false;
  };

  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>(mix64(key)) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }

  // Moves later entries of the probe sequence back, so that no tombstones are needed.
  void close_gap(std::size_t gap) {
    for (std::size_t i = next(gap); slots_[i].used; i = next(i)) {
      const std::size_t mask = slots_.size() - 1;
      const std::size_t from_home = (i - home(slots_[i].key)) & mask;
      if (from_home >= ((i - gap) & mask)) {
        slots_[gap] = slots_[i];
        gap = i;
      }
    }
    slots_[gap] = Slot{};
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.used) continue;
      std::size_t i = home(slot.key);
      while (slots_[i].used) i = next(i);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace recirc::sim
