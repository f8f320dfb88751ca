#include "model/fletch/records.h"

#include "model/fletch/cacheable.h"
#include "pipeline/programs/fletch/layout.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using pipeline::ControlOperation;
using pipeline::PipeId;
using pipeline::Words;

void append_record(std::vector<ControlOperation>& operations, PipeId pipe, const CacheEntry& entry,
                   const Metadata& metadata) {
  const auto write = [&](pipeline::ArrayId array, std::uint32_t index, std::uint32_t value) {
    operations.push_back(ControlOperation::write(protocol, pipe, array, index, Words{value, 0}));
  };
  const MetadataSlots slots = to_slots(metadata);
  std::size_t next = 0;
  for (unsigned slot = 0; slot < program::row_slots; ++slot) {
    if ((entry.location.slots >> slot & 1U) == 0) continue;
    const std::uint64_t value = slots[next++];
    const std::uint16_t row = entry.location.row;
    write(program::value_array(2 * slot), row, static_cast<std::uint32_t>(value));
    write(program::value_array(2 * slot + 1), row, static_cast<std::uint32_t>(value >> 32U));
  }
  const std::uint16_t counter = entry.location.counter;
  write(program::length_array, counter, metadata.slots() * program::slot_bytes);
  write(program::frequency_array, counter, 0);
  write(program::validation_array, counter, 1);
}

namespace {

pipeline::TableId level_table(const CacheEntry& entry) {
  return entry.in_small_table ? program::level_small : program::level_large;
}
pipeline::TableId last_table(const CacheEntry& entry) {
  return entry.last_in_small_table ? program::last_small : program::last_large;
}
pipeline::MatchKey level_key(const CacheEntry& entry) {
  return {entry.key, entry.token, entry.pipe};
}

}  // namespace

void append_lookups(std::vector<ControlOperation>& operations, const CacheEntry& entry,
                    std::uint8_t copies) {
  operations.push_back(ControlOperation::insert(protocol, level_table(entry), level_key(entry),
                                                pipeline::match_result(entry.location)));
  const pipeline::MatchKey last{entry.key, entry.token};
  operations.push_back(entry.is_alone
                           ? ControlOperation::insert(protocol, last_table(entry), last, copies)
                           : ControlOperation::replace(protocol, last_table(entry), last, copies));
}

void append_removal(std::vector<ControlOperation>& operations, const CacheEntry& entry,
                    std::uint8_t copies) {
  const pipeline::MatchKey last{entry.key, entry.token};
  operations.push_back(entry.is_alone
                           ? ControlOperation::erase(protocol, last_table(entry), last)
                           : ControlOperation::replace(protocol, last_table(entry), last, copies));
  operations.push_back(ControlOperation::erase(protocol, level_table(entry), level_key(entry)));
}

ControlOperation read_frequency(PipeId pipe, const CacheEntry& entry) {
  return ControlOperation::read(protocol, pipe, program::frequency_array, entry.location.counter);
}

ControlOperation read_lock(PipeId pipe, const program::LockPlan& locks,
                           const workloads::Namespace& tree, const CachedCopy& entry) {
  const workloads::PathId indexing =
      ancestor_at(tree, entry.path, locks.own_key_level(entry.depth));
  return ControlOperation::read(protocol, pipe, program::lock_array(locks.own_array(entry.depth)),
                                program::lock_index(tree.key(indexing)));
}

void append_reset(std::vector<ControlOperation>& operations, PipeId pipe) {
  for (unsigned row = 0; row < program::sketch_rows; ++row) {
    operations.push_back(ControlOperation::fill(protocol, pipe, program::sketch_array(row), 0,
                                                program::sketch_counters, Words{}));
  }
  operations.push_back(ControlOperation::fill(protocol, pipe, program::frequency_array, 0,
                                              program::cached_records, Words{}));
}

}  // namespace recirc::model::fletch
