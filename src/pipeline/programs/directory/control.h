#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/control_port.h"
#include "pipeline/programs/directory/regions.h"
#include "sim/component.h"

namespace recirc::pipeline::programs::directory {

/// Changes the directory's entries while packets use them: one change at a time.
///
/// To split or join, it first locks the entries (requests are refused then, evictions and fin_acks
/// go round), then reads them, and changes nothing when a packet has claimed one or somebody still
/// has to give up: the lock keeps new packets away, not those that have been in pass 1. The change
/// itself is one batch, which a packet sees whole or not at all. When to split and join is a policy
/// of whoever owns this.
class Control final : public sim::Component {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    /// The change begun last is over. `done` is false when it could not be made; the region is then
    /// as before. Of a split the lower half, of a join both.
    virtual void changed(const Region& region, bool done) = 0;
    /// The region that was to be held is: see hold().
    virtual void held(const Region& /*region*/) {}
  };

  /// Packets use the registers of `pipe`.
  Control(ControlPort& port, ProtocolTag program, PipeId pipe, Listener& listener,
          std::uint32_t capacity = default_capacity);

  /// What the switch starts with, or gets back after a crash: at once and for nothing. False when
  /// there is no room, or a page has a region already.
  bool set_up(std::uint64_t first, std::uint8_t bits, Content content = {});

  // Each begins a change, and is false when it cannot: another one is under way, or there is no
  // such region, no free entry, no other half of the same size, or no smaller or larger region.
  bool insert(std::uint64_t first, std::uint8_t bits);
  bool split(std::uint64_t page);
  bool join(std::uint64_t page);

  /// Gives an entry a content and takes back its claim, for one whose packet was lost or that waits
  /// for a node that is gone. Whoever calls it must know that no packet is on its way that has
  /// claimed the entry. Nobody is told when it has happened.
  void repair(std::uint64_t page, Content content);

  /// Begins to keep requests from a region, so that its nodes can be asked to give it up; the
  /// listener is told when it is so. When they have, release() makes it nobody's: a claim of a lost
  /// packet is gone, and what is of the old round does not count any more.
  bool hold(std::uint64_t page);
  void release();
  /// Other changes may be made while the region stays held; resume() goes back to it, and is false
  /// while one is under way.
  void park();
  bool resume(std::uint64_t page);

  /// The switch has lost all it had, and the port what was under way.
  void forget();

  [[nodiscard]] bool busy() const { return change_ != Change::none; }
  [[nodiscard]] const Regions& regions() const { return regions_; }

  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { locked, seen, over };
  enum class Change : std::uint8_t { none, insert, split, join, take };

  [[nodiscard]] bool is_parked(const Region& region) const;
  void begin(Change change, Region low, Region high);
  void look();
  void decide();
  void apply_split(Content content);
  void apply_join(Content content);
  void give_up();
  void submit(Kind then);

  [[nodiscard]] std::span<const Region> held() const;
  void add_entry(ControlOperation::Kind kind, const Region& region, bool locked);
  void write(ArrayId array, const Region& region, Words value);
  void write(const Region& region, Content content);

  ControlPort& port_;
  ProtocolTag program_;
  PipeId pipe_;
  Listener& listener_;
  std::uint32_t capacity_;
  Regions regions_;
  std::vector<std::uint64_t> parked_;  ///< regions: first pages
  Change change_ = Change::none;
  bool done_ = false;
  Region regions_held_[2];  ///< the one that is changed; of a join both, the lower one first
  ControlPort::Batch batch_ = 0;
  std::vector<ControlOperation> operations_;  ///< of the next batch
};

}  // namespace recirc::pipeline::programs::directory
