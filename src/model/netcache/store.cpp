#include "model/netcache/store.h"

#include <algorithm>

namespace recirc::model::netcache {

namespace program = pipeline::programs::netcache;
using pipeline::ControlOperation;
using pipeline::PipeId;
using pipeline::Words;

Store::Store(std::uint64_t most) {
  const auto items = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, program::most_items));
  paths_.resize(items);
  keys_.resize(items);
  places_.resize(items);
  for (std::uint32_t i = items; i > 0; --i) free_.push_back(static_cast<Item>(i - 1));
}

std::optional<Store::Item> Store::find(workloads::PathId path) const {
  const Item* item = by_path_.find(path.value());
  if (item == nullptr) return std::nullopt;
  return *item;
}

Store::Item Store::add(workloads::PathId path, workloads::Key key) {
  const Item item = free_.back();
  free_.pop_back();
  by_path_[path.value()] = item;
  paths_[item] = path;
  keys_[item] = key;
  places_[item] = static_cast<std::uint32_t>(cached_.size());
  cached_.push_back(item);
  return item;
}

void Store::remove(Item item) {
  by_path_.erase(paths_[item].value());
  const std::uint32_t place = places_[item];
  cached_[place] = cached_.back();
  places_[cached_[place]] = place;
  cached_.pop_back();
}

program::Location Store::location(Item item) {
  const unsigned place = item % program::records_per_row;
  return {
      item, static_cast<std::uint16_t>(item / program::records_per_row),
      static_cast<std::uint16_t>(((1U << program::max_slots) - 1) << (place * program::max_slots))};
}

pipeline::TableId Store::table(Item item) {
  return program::lookup_table(item / program::items_per_table);
}

void Store::append_record(Operations& operations, PipeId pipe, Item item,
                          const Metadata& metadata) const {
  const auto write = [&](pipeline::ArrayId array, std::uint32_t index, std::uint32_t value) {
    operations.push_back(ControlOperation::write(protocol, pipe, array, index, Words{value, 0}));
  };
  const program::Location where = location(item);
  const MetadataSlots slots = to_slots(metadata);
  const unsigned first = item % program::records_per_row * program::max_slots;
  for (unsigned i = 0; i < slots.size(); ++i) {
    const unsigned word = 2 * (first + i);
    write(program::value_array(word), where.row, static_cast<std::uint32_t>(slots[i]));
    write(program::value_array(word + 1), where.row, static_cast<std::uint32_t>(slots[i] >> 32U));
  }
  write(program::length_array, item, metadata.slots() * program::slot_bytes);
  write(program::hits_array, item, 0);
  write(program::validity_array, item, 1);
}

void Store::append_lookup(Operations& operations, Item item) const {
  operations.push_back(ControlOperation::insert(protocol, table(item), match_key(item),
                                                pipeline::match_result(location(item))));
}

void Store::append_removal(Operations& operations, Item item) const {
  operations.push_back(ControlOperation::erase(protocol, table(item), match_key(item)));
}

ControlOperation Store::read_hits(PipeId pipe, Item item) {
  return ControlOperation::read(protocol, pipe, program::hits_array, item);
}

void Store::append_reset(Operations& operations, PipeId pipe) {
  const auto clear = [&](pipeline::ArrayId array, std::uint32_t entries) {
    operations.push_back(ControlOperation::fill(protocol, pipe, array, 0, entries, Words{}));
  };
  for (unsigned row = 0; row < program::sketch_rows; ++row) {
    clear(program::sketch_array(row), program::sketch_counters);
  }
  for (unsigned row = 0; row < program::bloom_rows; ++row) {
    clear(program::bloom_array(row), program::bloom_bits);
  }
  clear(program::hits_array, program::most_items);
}

}  // namespace recirc::model::netcache
