#include "pipeline/match_table.h"

#include <algorithm>
#include <bit>

#include "sim/error.h"

namespace recirc::pipeline {

MatchTable::MatchTable(MatchKind kind, std::uint32_t capacity) : kind_(kind), capacity_(capacity) {
  if (kind_ != MatchKind::exact) return;
  constexpr std::size_t at_first = 16;
  tags_.resize(at_first);
  slots_.resize(at_first);
  mask_ = at_first - 1;
  shift_ = static_cast<unsigned>(std::countl_zero(mask_));
}

std::size_t MatchTable::find(MatchKey key) const {
  std::size_t i = home_of(hash_of(key));
  while (tags_[i] != 0 && !(key_at(i) == key)) i = (i + 1) & mask_;
  return i;
}

void MatchTable::grow() {
  std::vector<std::uint8_t> tags(tags_.size() * 2);
  std::vector<Slot> slots(tags.size());
  tags.swap(tags_);
  slots.swap(slots_);
  mask_ = tags_.size() - 1;
  --shift_;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (tags[i] == 0) continue;
    const std::size_t at = find({slots[i].key, slots[i].token, slots[i].scope});
    tags_[at] = tags[i];
    slots_[at] = slots[i];
  }
}

Match MatchTable::lookup_masked(MatchKey key) const {
  for (const MaskedEntry& entry : masked_) {
    if ((key.key & entry.mask) == (entry.value.key & entry.mask) &&
        (key.token & entry.token_mask) == (entry.value.token & entry.token_mask) &&
        key.scope == entry.value.scope) {
      return {true, entry.result};
    }
  }
  return {};
}

Match MatchTable::lookup_prefix(std::uint64_t key) const {
  for (const Length& length : lengths_) {
    if (const std::uint64_t* result = length.results.find(key & length.mask)) {
      return {true, *result};
    }
  }
  return {};
}

bool MatchTable::insert_prefix(const MaskedEntry& entry) {
  if (entry.value.token != 0 || entry.value.scope != 0 || (~entry.mask & (~entry.mask + 1)) != 0) {
    throw sim::InvariantBroken("a longest-prefix table takes prefixes of its key and nothing else");
  }
  // More bits, larger mask.
  auto length = std::find_if(lengths_.begin(), lengths_.end(),
                             [&](const Length& other) { return other.mask <= entry.mask; });
  if (length == lengths_.end() || length->mask != entry.mask) {
    length = lengths_.insert(length, Length{entry.mask, {}});
  }
  const std::uint64_t prefix = entry.value.key & entry.mask;
  if (length->results.find(prefix) != nullptr) return false;
  length->results[prefix] = entry.result;
  ++size_;
  return true;
}

bool MatchTable::insert(MatchKey key, std::uint64_t result) {
  if (kind_ != MatchKind::exact) {
    MaskedEntry whole;
    whole.value = key;
    whole.result = result;
    return insert(whole);
  }
  if (size_ == capacity_) return false;
  if (tags_[find(key)] != 0) return false;
  if ((std::size_t{size_} + 1) * 2 > tags_.size()) grow();  // at most half full: short probes
  const std::size_t i = find(key);
  tags_[i] = tag_of(hash_of(key));
  slots_[i] = {key.key, result, key.token, key.scope};
  ++size_;
  return true;
}

bool MatchTable::insert(const MaskedEntry& entry) {
  if (kind_ == MatchKind::exact) return insert(entry.value, entry.result);
  if (size_ == capacity_) return false;
  if (kind_ == MatchKind::longest_prefix) return insert_prefix(entry);
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

bool MatchTable::replace(MatchKey key, std::uint64_t result) {
  const std::size_t i = find(key);
  if (tags_[i] == 0) return false;
  slots_[i].result = result;
  return true;
}

bool MatchTable::erase(MatchKey key) {
  if (kind_ == MatchKind::longest_prefix) {
    for (Length& length : lengths_) {
      if ((key.key & length.mask) != key.key || !length.results.erase(key.key)) continue;
      --size_;
      return true;
    }
    return false;
  }
  if (kind_ != MatchKind::exact) {
    const auto found = std::find_if(masked_.begin(), masked_.end(),
                                    [&](const MaskedEntry& entry) { return entry.value == key; });
    if (found == masked_.end()) return false;
    masked_.erase(found);
    --size_;
    return true;
  }
  std::size_t hole = find(key);
  if (tags_[hole] == 0) return false;
  // Close the gap, so that no tombstones lengthen later probes.
  for (std::size_t i = (hole + 1) & mask_; tags_[i] != 0; i = (i + 1) & mask_) {
    const std::size_t home = home_of(hash_of(key_at(i)));
    if (((i - home) & mask_) >= ((i - hole) & mask_)) {
      tags_[hole] = tags_[i];
      slots_[hole] = slots_[i];
      hole = i;
    }
  }
  tags_[hole] = 0;
  --size_;
  return true;
}

std::uint64_t* MatchTable::find_prefix(const MaskedEntry& entry) {
  for (Length& length : lengths_) {
    if (length.mask == entry.mask) return length.results.find(entry.value.key & entry.mask);
  }
  return nullptr;
}

bool MatchTable::replace_masked(const MaskedEntry& entry) {
  if (kind_ != MatchKind::longest_prefix) return replace(entry.value, entry.result);
  std::uint64_t* const result = find_prefix(entry);
  if (result == nullptr) return false;
  *result = entry.result;
  return true;
}

bool MatchTable::erase_masked(const MaskedEntry& entry) {
  if (kind_ != MatchKind::longest_prefix) return erase(entry.value);
  for (Length& length : lengths_) {
    if (length.mask != entry.mask) continue;
    if (!length.results.erase(entry.value.key & entry.mask)) return false;
    --size_;
    return true;
  }
  return false;
}

void MatchTable::clear() {
  std::fill(tags_.begin(), tags_.end(), std::uint8_t{0});
  masked_.clear();
  lengths_.clear();
  size_ = 0;
}

}  // namespace recirc::pipeline
