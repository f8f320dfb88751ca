#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "pipeline/layout.h"
#include "sim/rng.h"

namespace recirc::pipeline {

/// Up to 64 bits of match key (longer fields are hashed by their owner) and an 8-bit token that
/// tells keys with the same hash apart.
struct MatchKey {
  std::uint64_t key = 0;
  std::uint8_t token = 0;
  bool operator==(const MatchKey&) const = default;
};

/// What a hit gives: up to 64 bits that the program reads as its own trivially copyable struct.
struct Match {
  bool hit = false;
  std::uint64_t result = 0;

  explicit operator bool() const { return hit; }
  template <class T>
  [[nodiscard]] T as() const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof result);
    T value;
    std::memcpy(static_cast<void*>(&value), &result, sizeof value);
    return value;
  }
};

/// The result bits of a program's own struct, for insertion.
template <class T>
std::uint64_t match_result(const T& value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// An entry of a ternary or longest-prefix table. Of the entries that match, the highest priority
/// wins (longest prefix: give the prefix length), then the one inserted first.
struct MaskedEntry {
  MatchKey value;
  std::uint64_t mask = ~std::uint64_t{0};
  std::uint8_t token_mask = 0xff;
  std::uint32_t priority = 0;
  std::uint64_t result = 0;
};

/// A match table of one program. Exact tables hash with open addressing; ternary and
/// longest-prefix ones look through their entries by priority (they are small here).
class MatchTable {
 public:
  MatchTable(MatchKind kind, std::uint32_t capacity);

  [[nodiscard]] Match lookup(MatchKey key) const {
    if (kind_ != MatchKind::exact) [[unlikely]]
      return lookup_masked(key);
    for (std::size_t i = slot_of(key);; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (!slot.used) return {};
      if (slot.key == key.key && slot.token == key.token) return {true, slot.result};
    }
  }

  /// False when the table is full, or the key is there already with another result to be replaced
  /// by erase first. Nothing changes then.
  bool insert(MatchKey key, std::uint64_t result);
  bool insert(const MaskedEntry& entry);
  /// False when there is no such entry.
  bool erase(MatchKey key);
  void clear();

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] MatchKind kind() const { return kind_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t result = 0;
    std::uint8_t token = 0;
    bool used = false;
  };

  [[nodiscard]] std::size_t slot_of(MatchKey key) const {
    return sim::mix64(key.key + sim::golden_gamma * key.token) & mask_;
  }
  [[nodiscard]] Match lookup_masked(MatchKey key) const;

  MatchKind kind_;
  std::uint32_t capacity_;
  std::uint32_t size_ = 0;
  std::size_t mask_ = 0;
  std::vector<Slot> slots_;
  std::vector<MaskedEntry> masked_;
};

/// A table with what a pass checks beside it.
struct TableState {
  TableState(const TableSpec& spec)  // NOLINT(google-explicit-constructor): built from a list
      : position(position_of(spec.gress, spec.stage)), table(spec.match, spec.entries) {}

  std::uint64_t last_pass = 0;
  std::uint16_t position;
  MatchTable table;
};

}  // namespace recirc::pipeline
