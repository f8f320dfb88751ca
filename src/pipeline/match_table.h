#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "pipeline/layout.h"
#include "sim/flat_map.h"
#include "sim/rng.h"

namespace recirc::pipeline {

/// Up to 64 bits of match key (longer fields are hashed by their owner), an 8-bit token that tells
/// keys with the same hash apart, and a few bits that say for what part of the switch the entry is.
struct MatchKey {
  std::uint64_t key = 0;
  std::uint8_t token = 0;
  std::uint8_t scope = 0;
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

/// A match table of one program. Exact tables hash with open addressing; longest-prefix ones have a
/// hash table a length, of keys without token and scope; ternary ones look through their entries by
/// priority (they are small here).
class MatchTable {
 public:
  MatchTable(MatchKind kind, std::uint32_t capacity);

  [[nodiscard]] Match lookup(MatchKey key) const {
    if (kind_ != MatchKind::exact) [[unlikely]] {
      return kind_ == MatchKind::ternary ? lookup_masked(key) : lookup_prefix(key.key);
    }
    const std::uint64_t hash = hash_of(key);
    const std::uint8_t tag = tag_of(hash);
    for (std::size_t i = home_of(hash);; i = (i + 1) & mask_) {
      if (tags_[i] == 0) return {};
      if (tags_[i] != tag) continue;
      if (key_at(i) == key) return {true, slots_[i].result};
    }
  }

  /// False when the table is full, or the key is there already with another result to be replaced
  /// by erase first. Nothing changes then.
  bool insert(MatchKey key, std::uint64_t result);
  bool insert(const MaskedEntry& entry);
  /// Gives the entry of an exact table another result; false when there is none.
  bool replace(MatchKey key, std::uint64_t result);
  /// Likewise, of a longest-prefix table the entry of that length.
  bool replace_masked(const MaskedEntry& entry);
  /// False when there is no such entry.
  bool erase(MatchKey key);
  /// Likewise, of a longest-prefix table the entry of that length.
  bool erase_masked(const MaskedEntry& entry);
  void clear();

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] MatchKind kind() const { return kind_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t result = 0;
    std::uint8_t token = 0;
    std::uint8_t scope = 0;
  };
  [[nodiscard]] MatchKey key_at(std::size_t i) const {
    return {slots_[i].key, slots_[i].token, slots_[i].scope};
  }

  /// One multiplication, of which the upper bits depend on all of the key.
  [[nodiscard]] static std::uint64_t hash_of(MatchKey key) {
    const std::uint64_t others = std::uint64_t{key.token} << 40U | std::uint64_t{key.scope} << 52U;
    return (key.key ^ others) * sim::golden_gamma;
  }
  [[nodiscard]] std::size_t home_of(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash >> shift_);
  }
  /// Never 0, which marks a free slot.
  [[nodiscard]] static std::uint8_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint8_t>((hash >> 32U) | 1U);
  }
  /// Where the key is, or the free slot that ends the search for it.
  [[nodiscard]] std::size_t find(MatchKey key) const;
  void grow();
  [[nodiscard]] Match lookup_masked(MatchKey key) const;
  [[nodiscard]] Match lookup_prefix(std::uint64_t key) const;
  bool insert_prefix(const MaskedEntry& entry);
  [[nodiscard]] std::uint64_t* find_prefix(const MaskedEntry& entry);

  MatchKind kind_;
  std::uint32_t capacity_;
  std::uint32_t size_ = 0;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;  ///< leaves as many bits of a hash as the mask has
  /// Of exact tables: eight bits of the hash beside each other, so that a lookup that misses
  /// touches one cache line, mostly.
  std::vector<std::uint8_t> tags_;
  std::vector<Slot> slots_;
  std::vector<MaskedEntry> masked_;
  /// Of longest-prefix tables: all entries of one length, the longest first.
  struct Length {
    std::uint64_t mask = 0;
    sim::FlatMap<std::uint64_t> results;  ///< by the key's bits under the mask
  };
  std::vector<Length> lengths_;
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
