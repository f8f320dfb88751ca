#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/desk.h"
#include "model/fletch/eviction.h"
#include "pipeline/control_port.h"
#include "sim/scheduler.h"

namespace recirc::model::fletch {

/// Brings one hot path and its uncached ancestors into one pipe's cache, ancestors first (Fletch
/// §IV-B).
/// For each: block its writes at its server and fetch its metadata, write the record, insert the
/// lookup entries, let the writes go on. When there is no room, the coldest leaves make some.
class Admission final : public sim::Component, public EvictionListener {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void admission_over() = 0;
  };

  Admission(Desk& desk, Eviction& eviction, Listener& listener)
      : desk_(desk), eviction_(eviction), listener_(listener), life_(desk.life) {}

  void begin(workloads::PathId path, std::uint8_t pipe);
  /// A server that was asked for metadata has lost the question: asks it again.
  void ask_again(ServerId server);
  /// Is the path on its way into the cache?
  [[nodiscard]] bool is_admitting(workloads::PathId path) const {
    return entry_ != CacheEntry::none && next_ < chain_.size() && chain_[next_] == path;
  }
  /// The pipe that it is on its way into, as a bit; 0 if it is on none.
  [[nodiscard]] std::uint8_t on_its_way(workloads::PathId path) const {
    return is_admitting(path) ? pipe_bit() : std::uint8_t{0};
  }
  /// The server's answer to a fetch.
  void fetched(const ControlHeader& header);
  void handle(const sim::Event& event) override;
  void released() override;

 private:
  enum class Kind : std::uint16_t { worked, record_written, lookups_inserted, frequencies_read };
  /// Evictions for one newcomer before it is given up: each frees a candidate's row at least.
  static constexpr unsigned most_rounds = 8;

  void admit_next();
  void ask_for_metadata();
  void over();
  void make_room(bool in_this_pipe);
  void choose_victims();
  void write_record();
  void insert_lookups();
  void path_is_cached();

  Desk& desk_;
  Eviction& eviction_;
  Listener& listener_;
  std::uint32_t life_;
  bool waits_for_metadata_ = false;
  std::uint32_t question_ = 0;
  [[nodiscard]] std::uint8_t pipe_bit() const { return static_cast<std::uint8_t>(1U << pipe_); }

  std::uint8_t pipe_ = 0;
  std::vector<workloads::PathId> chain_;      ///< to be admitted, the deepest last
  std::vector<workloads::PathId> ancestors_;  ///< of the newcomer: they must stay
  std::size_t next_ = 0;
  unsigned rounds_ = 0;
  CacheEntry::Index entry_ = CacheEntry::none;
  Metadata metadata_;
  sim::Time begun_{};  ///< with the path at hand
  std::vector<CacheEntry::Index> candidates_;
  std::vector<pipeline::ControlOperation> operations_;
  pipeline::ControlPort::Batch batch_ = 0;
};

}  // namespace recirc::model::fletch
