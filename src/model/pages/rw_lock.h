#pragma once

#include <cstdint>
#include <optional>

#include "sim/error.h"
#include "sim/ring_queue.h"
#include "workloads/page_ops.h"

namespace recirc::model::pages {

/// A read-write semaphore, first come first served. A mutex is one that nobody shares.
class RwLock {
 public:
  enum class Mode : std::uint8_t { shared, exclusive };

  /// True: the lock is the worker's. False: it stands in the queue and is told by release().
  bool acquire(workloads::WorkerId worker, Mode mode) {
    if (queue_.empty() && fits(mode)) {
      take(mode);
      return true;
    }
    queue_.push({worker, mode});
    return false;
  }

  /// `granted(worker)` for each one that has the lock from now on.
  template <class Granted>
  void release(Mode mode, Granted granted) {
    if (mode == Mode::shared) {
      --shared_;
    } else {
      exclusive_ = false;
    }
    while (!queue_.empty() && fits(queue_.front().mode)) {
      const Waiter next = queue_.front();
      queue_.pop();
      take(next.mode);
      granted(next.worker);
    }
  }

  /// Who gets the lock next, if anybody waits.
  [[nodiscard]] std::optional<workloads::WorkerId> first_waiting() const {
    if (queue_.empty()) return std::nullopt;
    return queue_.front().worker;
  }

  /// Throws InvariantBroken if anybody has the lock or waits for it.
  void check_idle() const {
    if (exclusive_ || shared_ != 0 || !queue_.empty()) {
      throw sim::InvariantBroken("an inode is locked by nobody");
    }
  }

 private:
  struct Waiter {
    workloads::WorkerId worker;
    Mode mode = Mode::shared;
  };
  [[nodiscard]] bool fits(Mode mode) const {
    return !exclusive_ && (mode == Mode::shared || shared_ == 0);
  }
  void take(Mode mode) {
    if (mode == Mode::shared) {
      ++shared_;
    } else {
      exclusive_ = true;
    }
  }

  sim::RingQueue<Waiter> queue_;
  std::uint32_t shared_ = 0;
  bool exclusive_ = false;
};

}  // namespace recirc::model::pages
