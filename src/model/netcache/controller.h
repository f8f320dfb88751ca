#pragma once

#include <cstdint>
#include <vector>

#include "model/admission_counters.h"
#include "model/netcache/config.h"
#include "model/netcache/messages.h"
#include "model/netcache/store.h"
#include "model/scheme.h"
#include "sim/deadline.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"
#include "sim/rng.h"

namespace recirc::model::netcache {

/// The cache's controller (NetCache §4.3). One thing at a time: evictions that servers ask for come
/// first, then hot paths in the order of their reports. When the cache is full, the coldest of a
/// few items drawn at random makes room.
class Controller final : public sim::Component, public Endpoint {
 public:
  Controller(const World& world, const Settings& settings, Store& store);

  void start();
  void stop();
  [[nodiscard]] bool is_busy() const { return busy_; }
  [[nodiscard]] const AdmissionCounters& counters() const { return counters_; }

  void receive(const Message& message) override;
  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t {
    reset,
    hits_read,
    worked,
    record_written,
    lookup_inserted,
    lookup_removed,
    grace_over
  };
  /// A path that a server wants evicted.
  struct Wish {
    workloads::PathId path;
    EndpointId server;
  };

  void reported(workloads::PathId path);
  void next_job();
  void job_over();
  void begin_wish();
  void begin_admission();
  void make_room();
  void choose_victim();
  void fetch();
  void fetched(const Header& header);
  void write_record();
  void insert_lookup();
  void path_is_cached();
  void evict(Store::Item item);
  void lookup_is_removed();
  void item_is_free();
  void reset();
  void tell_owner(Ask ask, workloads::PathId path);
  void tell(EndpointId server, Ask ask, workloads::PathId path);

  World world_;
  const Settings& settings_;
  Store& store_;
  AdmissionCounters counters_;
  sim::RingQueue<workloads::PathId> hot_;
  sim::FlatMap<char> waiting_;  ///< the paths in hot_
  sim::RingQueue<Wish> gone_;
  sim::CounterRng samples_;
  bool busy_ = false;
  bool stopped_ = false;
  bool for_newcomer_ = false;  ///< the eviction at hand makes room
  Wish wish_{};
  workloads::PathId newcomer_;
  Store::Item item_ = 0;  ///< being admitted or evicted
  Metadata metadata_;
  sim::Time begun_{};
  std::vector<Store::Item> candidates_;
  Store::Operations operations_;
  pipeline::ControlPort::Batch batch_ = 0;
  sim::Deadline next_reset_;
};

}  // namespace recirc::model::netcache
