#pragma once

#include <cstdint>

#include "model/fletch/admission.h"
#include "model/fletch/desk.h"
#include "model/fletch/eviction.h"
#include "model/fletch/server_recovery.h"
#include "model/fletch/sweep.h"
#include "model/fletch/switch_recovery.h"
#include "sim/deadline.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"

namespace recirc::model::fletch {

/// The cache's controller. It does one thing at a time: evictions that servers ask for come first,
/// then hot paths in the order of their reports.
class Controller final : public sim::Component,
                         public Endpoint,
                         public EvictionListener,
                         public Admission::Listener,
                         public ServerRecovery::Listener,
                         public SwitchRecovery::Listener {
 public:
  explicit Controller(Desk& desk);

  void start();
  void stop();
  /// A path is being admitted or evicted.
  [[nodiscard]] bool is_busy() const { return busy_; }

  void receive(const Message& message) override;
  void handle(const sim::Event& event) override;
  void released() override;
  void admission_over() override { job_over(); }

  // Recoveries (controller_recovery.cpp).
  /// Takes no job until it is told to recover.
  void wait() { busy_ = true; }
  /// From what has crashed, itself or the switch or both (desk.h's Outage).
  void recover();
  void switch_is_up();
  [[nodiscard]] std::uint8_t on_its_way(workloads::PathId path) const override {
    return admission_.on_its_way(path);
  }
  void server_knows_all(ServerId server) override { admission_.ask_again(server); }
  void numbers_agreed() override;

 private:
  enum class Kind : std::uint16_t { reset, log_read };
  enum class Recovering : std::uint8_t { nothing, controller, rmt_switch };

  void reported(workloads::PathId path);
  void job_over();
  void next_job();
  void log_was_read();
  void knows_the_switch();
  void recover_switch(const ActiveLog::Implied& implied);
  void recovered();
  void server_recovers(ServerId server, std::uint32_t boot);
  void tell_all_that_it_is_back();
  bool replay_next();
  bool evict_next();
  bool admit_next();
  void reset();

  Desk& desk_;
  Eviction eviction_;
  Admission admission_;
  Sweep sweep_;
  ServerRecovery server_recovery_;
  SwitchRecovery switch_recovery_;
  std::uint32_t life_;
  Recovering recovering_ = Recovering::nothing;
  struct Replayed {
    workloads::PathId path;
    std::uint8_t pipe = 0;
  };
  sim::RingQueue<Replayed> replayed_;  ///< paths of the log, to be admitted again
  sim::RingQueue<workloads::PathId> hot_;
  sim::FlatMap<char> waiting_;  ///< the paths in hot_
  sim::RingQueue<workloads::PathId> gone_;
  bool busy_ = false;
  bool choosing_ = false;
  bool stopped_ = false;
  sim::Deadline next_reset_;
};

}  // namespace recirc::model::fletch
