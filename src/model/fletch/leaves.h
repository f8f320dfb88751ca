#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "model/fletch/cache_directory.h"

namespace recirc::model::fletch {

/// The cached paths without cached children, coldest first by the hits that the controller has
/// last read, then the one that came first. Candidates for eviction are taken from here.
class Leaves {
 public:
  Leaves(CacheDirectory& directory, bool kept) : directory_(directory), kept_(kept) {}

  /// The entry is in the cache now.
  void added(CacheEntry::Index index);
  /// The entry, a leaf, is about to be removed from the directory.
  void removing(CacheEntry::Index index);
  void set_frequency(CacheEntry::Index index, std::uint32_t hits);
  void clear() { leaves_.clear(); }
  /// The switch's hit counters are zero again.
  void reset();
  /// Up to `most` leaves, of one pipe if it matters, coldest first, without those that are
  /// ancestors of a newcomer.
  [[nodiscard]] std::vector<CacheEntry::Index> coldest(
      std::size_t most, const std::vector<workloads::PathId>& excluded,
      std::optional<std::uint8_t> pipe = {}) const;

  [[nodiscard]] std::size_t size() const { return leaves_.size(); }

 private:
  using Rank = std::tuple<std::uint32_t, std::uint64_t, CacheEntry::Index>;
  [[nodiscard]] Rank rank_of(CacheEntry::Index index) const {
    const CacheEntry& entry = directory_[index];
    return {entry.frequency, entry.order, index};
  }

  CacheDirectory& directory_;
  bool kept_;  ///< false: nothing is ever admitted, so nobody asks
  std::set<Rank> leaves_;
};

}  // namespace recirc::model::fletch
