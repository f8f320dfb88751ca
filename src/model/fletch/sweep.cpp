#include "model/fletch/sweep.h"

#include <algorithm>

#include "model/fletch/eviction.h"
#include "model/fletch/records.h"
#include "pipeline/programs/fletch/layout.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using pipeline::ControlOperation;

Sweep::Sweep(Desk& desk)
    : desk_(desk), life_(desk.life), next_(desk.world.scheduler, *this, Kind::round) {}

void Sweep::start() { next_.set(desk_.world.scheduler.now() + desk_.settings.sweep.interval); }

void Sweep::handle(const sim::Event& event) {
  if (life_ != desk_.life) return;
  switch (static_cast<Kind>(event.kind)) {
    case Kind::round:
      if (next_.expired(event)) begin_round();
      return;
    case Kind::values_read:
      return look_at_values();
  }
}

void Sweep::begin_round() {
  places_.clear();
  resets_.clear();
  looked_at_ = 0;
  add_places();
  read_next();
}

void Sweep::add_counter(const CachedCopy& entry) {
  if (entry.depth == 0) return;  // the root has none
  const ControlOperation read =
      read_lock(desk_.world.topology.server_pipe, desk_.locks, desk_.world.tree, entry);
  places_.push_back({read.array, read.index, {}, 0});
}

/// The counters of cached paths, those that were raised when their path left, and the flags.
void Sweep::add_places() {
  for (const auto& [key, seen] : raised_) {
    places_.push_back({pipeline::ArrayId{static_cast<pipeline::ArrayId::rep>(key >> 32U)},
                       static_cast<std::uint32_t>(key),
                       {},
                       0});
  }
  std::vector<CacheEntry::Index> cached = Eviction::everything(desk_.directory);
  if (cached.empty()) return;
  std::erase_if(cached, [this](auto index) { return desk_.directory[index].depth == 0; });
  for (const CacheEntry::Index index : cached) add_counter(desk_.directory[index]);
  for (const CachedCopy& entry : desk_.left) add_counter(entry);
  desk_.left.clear();
  const auto by_key = [](const Place& a, const Place& b) { return key_of(a) < key_of(b); };
  const auto same = [](const Place& a, const Place& b) { return key_of(a) == key_of(b); };
  std::sort(places_.begin(), places_.end(), by_key);
  places_.erase(std::unique(places_.begin(), places_.end(), same), places_.end());
  for (const CacheEntry::Index index : cached) {
    const CacheEntry& entry = desk_.directory[index];
    places_.push_back({program::validation_array, entry.location.counter, entry.path, entry.pipe});
  }
}

void Sweep::read_next() {
  operations_.clear();
  const std::size_t end = std::min(places_.size(), looked_at_ + reads_at_once);
  for (std::size_t i = looked_at_; i < end; ++i) {
    const Place& place = places_[i];
    operations_.push_back(ControlOperation::read(
        protocol, desk_.world.topology.server_pipes[place.pipe].pipe, place.array, place.index));
  }
  if (operations_.empty()) return end_round();
  batch_ = desk_.world.control.submit(operations_, *this, Kind::values_read);
}

void Sweep::look_at_values() {
  const auto values = desk_.world.control.values(batch_);
  for (const pipeline::Words& words : values) {
    const Place& place = places_[looked_at_++];
    if (place.array == program::validation_array) {
      look_at_flag(place, words.low);
    } else {
      look_at_counter(place, words);
    }
  }
  desk_.world.control.release(batch_);
  read_next();
}

/// The reads that hold it; when there are none, the writes that are counted as waiting for them.
/// Writes that come and wait do not make a counter busy whose reads are gone.
void Sweep::look_at_counter(const Place& place, pipeline::Words value) {
  if (value.low != 0) value.high = 0;
  if (value == pipeline::Words{}) {
    raised_.erase(key_of(place));
    return;
  }
  const sim::Time now = desk_.world.scheduler.now();
  const auto [entry, is_new] = raised_.try_emplace(key_of(place), Seen{value, now});
  Seen& seen = entry->second;
  if (!(seen.value == value)) seen = {value, now};
  if (is_new || now - seen.since < desk_.settings.sweep.timeout) return;
  ++desk_.counters.counters_reset;
  raised_.erase(entry);
  resets_.push_back(ControlOperation::write(protocol, desk_.world.topology.server_pipe, place.array,
                                            place.index, {}));
}

void Sweep::look_at_flag(const Place& place, std::uint32_t value) {
  if (value != 0 || !desk_.directory.contains(place.path, place.pipe)) {
    dark_.erase(copy_of(place));
    return;
  }
  const sim::Time now = desk_.world.scheduler.now();
  const sim::Time since = dark_.try_emplace(copy_of(place), now).first->second;
  if (now - since < desk_.settings.sweep.timeout) return;
  // As many messages as there are records: its owner has been asked, and hears little.
  const EndpointId owner = desk_.world.topology.server(desk_.owner(place.path));
  if (desk_.mail.unacknowledged_by(owner) > desk_.directory.entries()) return;
  dark_[copy_of(place)] = now;
  ++desk_.counters.refreshes;
  desk_.tell_owner(Ask::refresh, place.path);
}

void Sweep::end_round() {
  if (!resets_.empty()) desk_.world.control.submit(resets_);
  if (stopped_) {
    // A copy of a write that is on its way yet would clear a flag that nobody looks at any more.
    const bool found_nothing = raised_.empty() && dark_.empty() && resets_.empty() &&
                               desk_.left.empty() && desk_.world.scheduler.pending() == 0;
    if (found_nothing || ++last_rounds_ == most_last_rounds) return;
  }
  start();
}

}  // namespace recirc::model::fletch
