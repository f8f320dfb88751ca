#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/cache_directory.h"
#include "model/metadata.h"

namespace recirc::model::fletch {

/// The controller's log, written ahead of what it does to the switch (docs/decisions/0031). It
/// survives the controller.
class ActiveLog {
 public:
  enum class Event : std::uint8_t {
    admitting,  ///< a path is about to be brought into the switch
    admitted,
    evicting,  ///< its lookup entries are about to be removed
    released,  ///< its room is free
  };
  struct Record {
    Event event = Event::admitting;
    CacheEntry entry;
    Version version = 0;  ///< of the metadata, when admitted
  };
  /// A path that the log says is in the switch.
  struct Path {
    CacheEntry entry;
    Version version = 0;
    bool in_doubt = false;  ///< its admission or eviction had begun and not ended
  };

  explicit ActiveLog(bool kept) : kept_(kept) {}

  void write(Event event, const CacheEntry& entry, Version version = 0) {
    if (kept_) records_.push_back({event, entry, version});
  }
  /// The log begins anew: what it implied is being admitted again.
  void clear() { records_.clear(); }

  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  /// What the records imply, in the order of admission: ancestors before descendants.
  [[nodiscard]] std::vector<Path> implied() const;

 private:
  bool kept_;
  std::vector<Record> records_;
};

}  // namespace recirc::model::fletch
