#include "model/fletch/audit.h"

#include "model/fletch/eviction.h"
#include "model/fletch/records.h"
#include "pipeline/programs/fletch/layout.h"
#include "pipeline/switch.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;

namespace {

std::uint32_t word_of(const Desk& desk, const CacheEntry& entry, pipeline::ArrayId array,
                      std::uint32_t index) {
  return desk.world.rmt_switch.array(desk.pipe_of(entry), protocol, array).load(index).low;
}

bool holds(const Desk& desk, const CacheEntry& entry, const Metadata& metadata) {
  const MetadataSlots slots = to_slots(metadata);
  std::size_t next = 0;
  for (unsigned slot = 0; slot < program::row_slots; ++slot) {
    if ((entry.location.slots >> slot & 1U) == 0) continue;
    const std::uint64_t low =
        word_of(desk, entry, program::value_array(2 * slot), entry.location.row);
    const std::uint64_t high =
        word_of(desk, entry, program::value_array(2 * slot + 1), entry.location.row);
    if (((high << 32U) | low) != slots[next++]) return false;
  }
  return true;
}

bool is_found(const Desk& desk, const CacheEntry& entry) {
  const auto look_up = [&](bool small, pipeline::TableId in_small, pipeline::TableId in_large,
                           std::uint8_t pipe) {
    return desk.world.rmt_switch.table(protocol, small ? in_small : in_large)
        .lookup({entry.key, entry.token, pipe});
  };
  const auto level =
      look_up(entry.in_small_table, program::level_small, program::level_large, entry.pipe);
  const auto last = look_up(entry.last_in_small_table, program::last_small, program::last_large, 0);
  return level.hit && level.result == pipeline::match_result(entry.location) &&
         last.result == desk.directory.copies(entry.path);
}

}  // namespace

Audit audit(const Desk& desk) {
  Audit found;
  for (const CacheEntry::Index index : Eviction::everything(desk.directory)) {
    const CacheEntry& entry = desk.directory[index];
    if (!is_found(desk, entry)) ++found.misplaced;
    if (word_of(desk, entry, program::validation_array, entry.location.counter) != 1) {
      ++found.unreadable;
    } else if (!holds(desk, entry, desk.world.state.metadata(entry.path))) {
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
