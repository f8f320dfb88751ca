#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/desk.h"
#include "pipeline/control_port.h"
#include "sim/scheduler.h"

namespace recirc::model::fletch {

/// Hears how an eviction proceeds.
class EvictionListener {
 public:
  virtual ~EvictionListener() = default;
  virtual void released() = 0;  ///< their room may be used again
};

/// Takes cached paths out of the switch: removes their lookup entries, tells their servers, waits
/// until no packet can hold their rows, and frees them. One eviction at a time.
class Eviction final : public sim::Component {
 public:
  explicit Eviction(Desk& desk) : desk_(desk), life_(desk.life) {}

  /// `leaf_first`: every path comes after its cached children. Not empty.
  void begin(const std::vector<CacheEntry::Index>& leaf_first, EvictionListener& listener);
  void handle(const sim::Event& event) override;

  /// A cached path and all that is cached below it, leaf first; without the root.
  static std::vector<CacheEntry::Index> subtree(const CacheDirectory& directory,
                                                CacheEntry::Index top);
  /// All that is cached, pipe by pipe, leaf first; the roots last.
  static std::vector<CacheEntry::Index> everything(const CacheDirectory& directory);

 private:
  enum class Kind : std::uint16_t { lookups_removed, grace_over, locks_read };

  void tell_servers();
  void read_locks();
  void look_at_locks(pipeline::ControlPort::Batch batch);
  void release_all();

  void release(const CacheEntry& entry);
  void all_released();

  Desk& desk_;
  std::uint32_t life_;
  EvictionListener* listener_ = nullptr;
  std::vector<CacheEntry> leaving_;
  std::vector<CacheEntry> released_;  ///< of them, already
  std::vector<pipeline::ControlOperation> operations_;
  pipeline::ControlPort::Batch batch_ = 0;
  std::uint32_t looks_ = 0;
};

}  // namespace recirc::model::fletch
