#include "pipeline/programs/directory/regions.h"

#include <iterator>

#include "sim/error.h"

namespace recirc::pipeline::programs::directory {
namespace {

constexpr std::uint64_t pages_of(std::uint8_t bits) { return std::uint64_t{1} << bits; }

constexpr bool is_stable(State state) {
  return state == State::invalid || state == State::shared || state == State::modified;
}

}  // namespace

std::optional<Content> joined(Content low, Content high) {
  if (!is_stable(low.state) || !is_stable(high.state)) return std::nullopt;
  if (low.state == State::invalid) return high;
  if (high.state == State::invalid) return low;
  const auto all = static_cast<std::uint16_t>(low.sharers | high.sharers);
  if (low.state == State::shared && high.state == State::shared) return Content{low.state, all};
  if (low.sharers != high.sharers) return std::nullopt;
  return Content{State::modified, all};
}

Regions::Regions(std::uint32_t capacity) : capacity_(capacity) {
  if (capacity > most_entries) {
    throw sim::ConstraintViolation({.program = "directory", .array = "state"},
                                   "has fewer entries than the directory is to have");
  }
}

const Region* Regions::find(std::uint64_t page) const {
  const auto after = by_page_.upper_bound(page);
  if (after == by_page_.begin()) return nullptr;
  const Region& region = std::prev(after)->second;
  return page - region.first < pages_of(region.bits) ? &region : nullptr;
}

const Region* Regions::buddy_of(const Region& region) const {
  if (region.bits >= most_region_bits) return nullptr;
  const auto found = by_page_.find(region.first ^ pages_of(region.bits));
  return found != by_page_.end() && found->second.bits == region.bits ? &found->second : nullptr;
}

std::uint16_t Regions::take_entry() {
  if (free_.empty()) return unused_++;
  const std::uint16_t entry = free_.back();
  free_.pop_back();
  return entry;
}

std::optional<Region> Regions::add(std::uint64_t first, std::uint8_t bits) {
  if (full() || bits > most_region_bits || first % pages_of(bits) != 0) return std::nullopt;
  const auto next = by_page_.lower_bound(first);
  const bool overlaps = next != by_page_.end() && next->first - first < pages_of(bits);
  if (overlaps || find(first) != nullptr) return std::nullopt;
  const Region region{first, bits, take_entry()};
  by_page_.emplace(first, region);
  return region;
}

std::optional<Region> Regions::split(const Region& region) {
  if (full() || region.bits == 0) return std::nullopt;
  Region& low = by_page_.at(region.first);
  --low.bits;
  const Region high{low.first + pages_of(low.bits), low.bits, take_entry(), low.round};
  by_page_.emplace(high.first, high);
  return high;
}

Region Regions::next_round(const Region& region) {
  Region& kept = by_page_.at(region.first);
  ++kept.round;
  return kept;
}

Region Regions::join(const Region& low, const Region& high) {
  free_.push_back(high.entry);
  by_page_.erase(high.first);
  Region& both = by_page_.at(low.first);
  ++both.bits;
  return both;
}

}  // namespace recirc::pipeline::programs::directory
