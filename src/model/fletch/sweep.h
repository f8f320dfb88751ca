#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/fletch/desk.h"
#include "pipeline/control_port.h"
#include "sim/deadline.h"
#include "sim/scheduler.h"

namespace recirc::model::fletch {

/// The controller's look at what lost messages leave behind in the switch (Fletch §VI-A): a lock
/// counter that is raised and has not changed for the time-out is set to zero; a record whose flag
/// has been zero for that long is asked for at its server, which writes it anew unless a write is
/// on the way.
///
/// It sees values, not changes: a counter that other reads keep moving is never found stale, and
/// one of a reader whose server is slower than the time-out is.
class Sweep final : public sim::Component {
 public:
  explicit Sweep(Desk& desk);

  void start();
  /// All operations have ended: goes on until it finds nothing any more.
  void stop() { stopped_ = true; }
  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { round, values_read };
  /// One entry of a lock counter array or of the validation array.
  struct Place {
    pipeline::ArrayId array;
    std::uint32_t index = 0;
    workloads::PathId path;  ///< of a flag
    std::uint8_t pipe = 0;   ///< likewise; counters are in the first
  };
  struct Seen {
    pipeline::Words value;
    sim::Time since{};
  };
  static constexpr std::size_t reads_at_once = 256;
  /// After the run's end: what is still raised then does not come from a lost message.
  static constexpr unsigned most_last_rounds = 1'000;

  void begin_round();
  void add_places();
  void add_counter(const CachedCopy& entry);
  void read_next();
  void look_at_values();
  void look_at_counter(const Place& place, pipeline::Words value);
  void look_at_flag(const Place& place, std::uint32_t value);
  void end_round();

  static std::uint64_t key_of(const Place& place) {
    return (std::uint64_t{place.array.value()} << 32U) | place.index;
  }

  /// A record's flag, for dark_.
  static std::uint64_t copy_of(const Place& place) { return copy_id(place.path, place.pipe); }

  Desk& desk_;
  std::uint32_t life_;
  sim::Deadline next_;
  std::vector<Place> places_;
  std::size_t looked_at_ = 0;
  std::map<std::uint64_t, Seen> raised_;     ///< counters, by array and index
  std::map<std::uint64_t, sim::Time> dark_;  ///< copies whose flag is zero, and since when
  std::vector<pipeline::ControlOperation> operations_;
  std::vector<pipeline::ControlOperation> resets_;
  pipeline::ControlPort::Batch batch_ = 0;
  unsigned last_rounds_ = 0;
  bool stopped_ = false;
};

}  // namespace recirc::model::fletch
