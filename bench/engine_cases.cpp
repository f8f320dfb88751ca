#include <memory>
#include <vector>

#include "cases.h"
#include "sim/deadline.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"

namespace recirc::bench {
namespace {

class Holder final : public sim::Component {
 public:
  explicit Holder(sim::Scheduler& scheduler) : scheduler_(scheduler) {}
  void handle(const sim::Event& event) override {
    scheduler_.after(delays_.next(), *this, Kind::fire, event.arg);
  }
  void start(std::uint64_t pending) {
    for (std::uint32_t i = 0; i < pending; ++i) {
      scheduler_.after(delays_.next(), *this, Kind::fire, i);
    }
  }

 private:
  enum class Kind : std::uint16_t { fire };
  sim::Scheduler& scheduler_;
  Delays delays_;
};

/// Works every microsecond or so; each piece of work moves its time-out or cancels it.
class ImpatientClient final : public sim::Component {
 public:
  ImpatientClient(sim::Scheduler& scheduler, Delays& delays)
      : scheduler_(scheduler), delays_(delays), timeout_(scheduler, *this, Kind::timeout) {
    scheduler_.after(delays_.next(), *this, Kind::work);
  }
  void handle(const sim::Event& event) override {
    if (static_cast<Kind>(event.kind) == Kind::timeout) {
      if (timeout_.expired(event)) ++expired_;
      return;
    }
    if (++steps_ % 2 == 0) {
      timeout_.cancel();
    } else {
      timeout_.set(scheduler_.now() + sim::microseconds(20));
    }
    scheduler_.after(delays_.next(), *this, Kind::work);
  }

 private:
  enum class Kind : std::uint16_t { work, timeout };
  sim::Scheduler& scheduler_;
  Delays& delays_;
  std::uint64_t steps_ = 0;
  std::uint64_t expired_ = 0;
  sim::Deadline timeout_;
};

class SingleQueue final : public sim::Component {
 public:
  explicit SingleQueue(sim::Scheduler& scheduler) : scheduler_(scheduler) { come_next(); }
  void handle(const sim::Event& event) override {
    if (static_cast<Kind>(event.kind) == Kind::arrival) {
      come_next();
      waiting_.push(scheduler_.now());
      if (waiting_.size() == 1) serve();
      return;
    }
    in_system_ += scheduler_.now() - waiting_.front();
    waiting_.pop();
    ++served_;
    if (!waiting_.empty()) serve();
  }
  [[nodiscard]] std::uint64_t served() const { return served_; }

 private:
  enum class Kind : std::uint16_t { arrival, departure };
  void come_next() { scheduler_.after(gaps_.next(), *this, Kind::arrival); }
  void serve() {
    scheduler_.after(sim::Duration{times_.next().count() / 10 * 8}, *this, Kind::departure);
  }

  sim::Scheduler& scheduler_;
  Delays gaps_;
  Delays times_;
  sim::RingQueue<sim::Time> waiting_;
  sim::Duration in_system_{};
  std::uint64_t served_ = 0;
};

}  // namespace

Measurement hold(std::uint64_t pending, std::uint64_t events) {
  sim::Scheduler scheduler;
  Holder holder(scheduler);
  holder.start(pending);
  scheduler.run(sim::Scheduler::forever, 2 * pending);
  return measure(events, [&] { scheduler.run(sim::Scheduler::forever, events); });
}

Measurement cancelling(std::uint64_t clients, std::uint64_t steps) {
  sim::Scheduler scheduler;
  Delays delays;
  std::vector<std::unique_ptr<ImpatientClient>> all;
  for (std::uint64_t i = 0; i < clients; ++i) {
    all.push_back(std::make_unique<ImpatientClient>(scheduler, delays));
  }
  scheduler.run(sim::Scheduler::forever, 20 * clients);
  return measure(steps, [&] { scheduler.run(sim::Scheduler::forever, steps); });
}

Measurement single_queue(std::uint64_t customers) {
  sim::Scheduler scheduler;
  SingleQueue queue(scheduler);
  return measure(customers, [&] { scheduler.run(sim::Scheduler::forever, 2 * customers); });
}

}  // namespace recirc::bench
