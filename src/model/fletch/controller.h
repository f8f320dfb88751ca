#pragma once

#include <cstdint>

#include "model/fletch/admission.h"
#include "model/fletch/desk.h"
#include "model/fletch/eviction.h"
#include "model/fletch/sweep.h"
#include "sim/deadline.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"

namespace recirc::model::fletch {

/// The cache's controller. It does one thing at a time: evictions that servers ask for come first,
/// then hot paths in the order of their reports.
class Controller final : public sim::Component,
                         public Endpoint,
                         public EvictionListener,
                         public Admission::Listener {
 public:
  explicit Controller(Desk& desk);

  void start();
  void stop();
  /// A path is being admitted or evicted.
  [[nodiscard]] bool is_busy() const { return busy_; }

  void receive(const Message& message) override;
  void handle(const sim::Event& event) override;
  void released() override { job_over(); }
  void admission_over() override { job_over(); }

 private:
  enum class Kind : std::uint16_t { reset };

  void reported(workloads::PathId path);
  void job_over();
  void next_job();
  bool evict_next();
  bool admit_next();
  void reset();

  Desk& desk_;
  Eviction eviction_;
  Admission admission_;
  Sweep sweep_;
  sim::RingQueue<workloads::PathId> hot_;
  sim::FlatMap<char> waiting_;  ///< the paths in hot_
  sim::RingQueue<workloads::PathId> gone_;
  bool busy_ = false;
  bool choosing_ = false;
  bool stopped_ = false;
  sim::Deadline next_reset_;
};

}  // namespace recirc::model::fletch
