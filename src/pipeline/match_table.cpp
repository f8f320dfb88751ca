#include "pipeline/match_table.h"

#include <algorithm>

namespace recirc::pipeline {

MatchTable::MatchTable(MatchKind kind, std::uint32_t capacity) : kind_(kind), capacity_(capacity) {
  if (kind_ != MatchKind::exact) return;
  std::size_t slots = 8;
  while (slots < std::size_t{capacity} * 2) slots *= 2;  // at most half full: short probes
  slots_.resize(slots);
  mask_ = slots - 1;
}

Match MatchTable::lookup_masked(MatchKey key) const {
  for (const MaskedEntry& entry : masked_) {
    if ((key.key & entry.mask) == (entry.value.key & entry.mask) &&
        (key.token & entry.token_mask) == (entry.value.token & entry.token_mask)) {
      return {true, entry.result};
    }
  }
  return {};
}

bool MatchTable::insert(MatchKey key, std::uint64_t result) {
  if (kind_ != MatchKind::exact) {
    MaskedEntry whole;
    whole.value = key;
    whole.result = result;
    return insert(whole);
  }
  if (size_ == capacity_) return false;
  std::size_t i = slot_of(key);
  for (; slots_[i].used; i = (i + 1) & mask_) {
    if (slots_[i].key == key.key && slots_[i].token == key.token) return false;
  }
  slots_[i] = {key.key, result, key.token, true};
  ++size_;
  return true;
}

bool MatchTable::insert(const MaskedEntry& entry) {
  if (kind_ == MatchKind::exact) return insert(entry.value, entry.result);
  if (size_ == capacity_) return false;
  for (const MaskedEntry& other : masked_) {
    if (other.value == entry.value && other.mask == entry.mask &&
        other.token_mask == entry.token_mask) {
      return false;
    }
  }
  const auto behind = std::find_if(masked_.begin(), masked_.end(), [&](const MaskedEntry& other) {
    return other.priority < entry.priority;
  });
  masked_.insert(behind, entry);
  ++size_;
  return true;
}

bool MatchTable::erase(MatchKey key) {
  if (kind_ != MatchKind::exact) {
    const auto found = std::find_if(masked_.begin(), masked_.end(),
                                    [&](const MaskedEntry& entry) { return entry.value == key; });
    if (found == masked_.end()) return false;
    masked_.erase(found);
    --size_;
    return true;
  }
  std::size_t hole = slot_of(key);
  while (!(slots_[hole].key == key.key && slots_[hole].token == key.token)) {
    if (!slots_[hole].used) return false;
    hole = (hole + 1) & mask_;
  }
  if (!slots_[hole].used) return false;
  // Close the gap, so that no tombstones lengthen later probes.
  for (std::size_t i = (hole + 1) & mask_; slots_[i].used; i = (i + 1) & mask_) {
    const std::size_t home = slot_of({slots_[i].key, slots_[i].token});
    if (((i - home) & mask_) >= ((i - hole) & mask_)) {
      slots_[hole] = slots_[i];
      hole = i;
    }
  }
  slots_[hole] = {};
  --size_;
  return true;
}

void MatchTable::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot{});
  masked_.clear();
  size_ = 0;
}

}  // namespace recirc::pipeline
