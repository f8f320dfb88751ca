#include "model/fletch/audit.h"

#include "model/fletch/eviction.h"
#include "model/fletch/records.h"
#include "pipeline/programs/fletch/layout.h"
#include "pipeline/switch.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;

namespace {

std::uint32_t word_of(const World& world, pipeline::ArrayId array, std::uint32_t index) {
  return world.rmt_switch.array(world.topology.server_pipe, protocol, array).load(index).low;
}

bool holds(const World& world, const CacheEntry& entry, const Metadata& metadata) {
  const MetadataSlots slots = to_slots(metadata);
  std::size_t next = 0;
  for (unsigned slot = 0; slot < program::row_slots; ++slot) {
    if ((entry.location.slots >> slot & 1U) == 0) continue;
    const std::uint64_t low = word_of(world, program::value_array(2 * slot), entry.location.row);
    const std::uint64_t high =
        word_of(world, program::value_array(2 * slot + 1), entry.location.row);
    if (((high << 32U) | low) != slots[next++]) return false;
  }
  return true;
}

bool is_found(const World& world, const CacheEntry& entry) {
  const bool small = entry.in_small_table;
  const pipeline::MatchKey key{entry.key, entry.token};
  const auto look_up = [&](pipeline::TableId table) {
    return world.rmt_switch.table(protocol, table).lookup(key);
  };
  const auto level = look_up(small ? program::level_small : program::level_large);
  const auto last = look_up(small ? program::last_small : program::last_large);
  return level.hit && last.hit && level.result == pipeline::match_result(entry.location);
}

}  // namespace

Audit audit(const Desk& desk) {
  Audit found;
  const World& world = desk.world;
  const CacheEntry::Index root = desk.directory.find(workloads::PathId{0});
  if (root == CacheEntry::none) return found;  // frames are too short for any path
  std::vector<CacheEntry::Index> all = Eviction::subtree(desk.directory, root);
  all.push_back(root);
  for (const CacheEntry::Index index : all) {
    const CacheEntry& entry = desk.directory[index];
    if (!is_found(world, entry)) ++found.misplaced;
    if (word_of(world, program::validation_array, entry.location.counter) != 1) {
      ++found.unreadable;
    } else if (!holds(world, entry, world.state.metadata(entry.path))) {
      ++found.different;
    }
  }
  return found;
}

std::uint64_t locks_held(const Desk& desk) {
  const World& world = desk.world;
  std::uint64_t sum = 0;
  for (unsigned array = 1; array <= desk.locks.arrays; ++array) {
    const pipeline::ArrayState& counters =
        world.rmt_switch.array(world.topology.server_pipe, protocol, program::lock_array(array));
    for (std::uint32_t i = 0; i < program::lock_counters; ++i) {
      const pipeline::Words held = counters.load(i);
      sum += std::uint64_t{held.low} + held.high;
    }
  }
  return sum;
}

}  // namespace recirc::model::fletch
