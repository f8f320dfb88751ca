#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "pipeline/programs/directory/layout.h"
#include "pipeline/programs/directory/transitions.h"

namespace recirc::pipeline::programs::directory {

inline constexpr std::uint32_t default_capacity = 30'000;  ///< MIND's target, of 30,624 entries
inline constexpr std::uint8_t most_region_bits = 9;        ///< 2 MiB of pages of 4 KiB

struct Region {
  std::uint64_t first = 0;  ///< page
  std::uint8_t bits = 0;    ///< it has 2^bits pages
  std::uint16_t entry = 0;
  std::uint8_t round = 0;  ///< how often it was taken from all nodes
  bool operator==(const Region&) const = default;
};

/// What the registers hold of a region.
struct Content {
  State state = State::invalid;
  std::uint16_t sharers = 0;
  bool operator==(const Content&) const = default;
};

/// What two regions hold as one: nobody has one of them, both are clean, or the same nodes have
/// both. Nothing for other pairs, and while somebody has to give up.
std::optional<Content> joined(Content low, Content high);

/// Which regions there are and which entry each has, as the control plane knows it. No two regions
/// have a page in common.
class Regions {
 public:
  /// ConstraintViolation when the registers have fewer entries.
  explicit Regions(std::uint32_t capacity = default_capacity);

  /// The region of a page, or null.
  [[nodiscard]] const Region* find(std::uint64_t page) const;
  /// The other half of the region of twice the size, when it is a region; or null.
  [[nodiscard]] const Region* buddy_of(const Region& region) const;

  /// Nothing when no entry is free, a page has a region already, or there is no such region.
  std::optional<Region> add(std::uint64_t first, std::uint8_t bits);
  /// The upper half, which gets an entry of its own; the lower one keeps the region's.
  std::optional<Region> split(const Region& region);
  /// Of an old round nothing counts any more.
  Region next_round(const Region& region);
  /// The lower half's entry becomes that of both.
  Region join(const Region& low, const Region& high);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(by_page_.size()); }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] const std::map<std::uint64_t, Region>& all() const { return by_page_; }

 private:
  [[nodiscard]] bool full() const { return size() == capacity_; }
  std::uint16_t take_entry();

  std::uint32_t capacity_;
  std::uint16_t unused_ = 0;  ///< entries from here on have never been used
  std::vector<std::uint16_t> free_;
  std::map<std::uint64_t, Region> by_page_;
};

}  // namespace recirc::pipeline::programs::directory
