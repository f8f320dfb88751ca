#pragma once

#include <algorithm>
#include <cstdint>

#include "model/callosal/network.h"
#include "model/callosal/store_config.h"
#include "sim/component.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"
#include "sim/slab.h"
#include "sim/units.h"

namespace recirc::model::callosal {

/// The block store behind the memory blades: so many requests at a time, first come first served;
/// their pages go over one link, one after another.
class Store final : public sim::Component {
 public:
  /// Who asks it.
  class Client {
   public:
    virtual ~Client() = default;
    virtual void loaded(PageNumber page) = 0;
    /// The write that was given this number is durable.
    virtual void written(std::uint32_t number) = 0;
  };

  Store(sim::Scheduler& scheduler, const StoreSpec& spec)
      : scheduler_(scheduler), spec_(spec), link_(spec.bandwidth) {}

  void read(PageNumber page, Client& client) { ask({&client, page, false}); }
  void write(std::uint32_t number, Client& client) { ask({&client, number, true}); }

  void handle(const sim::Event& event) override {
    const Request request = requests_[event.arg];
    requests_.give_back(event.arg);
    --under_way_;
    if (!waiting_.empty()) {
      const Request next = waiting_.front();
      waiting_.pop();
      begin(next);
    }
    if (request.writes) {
      ++writes_;
      request.client->written(static_cast<std::uint32_t>(request.what));
    } else {
      ++reads_;
      request.client->loaded(request.what);
    }
  }

  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] std::uint64_t writes() const { return writes_; }

 private:
  enum class Kind : std::uint16_t { done };
  struct Request {
    Client* client = nullptr;
    std::uint64_t what = 0;  ///< page to read, or number of a write
    bool writes = false;
  };

  void ask(const Request& request) {
    if (under_way_ >= spec_.depth) return waiting_.push(request);
    begin(request);
  }
  void begin(const Request& request) {
    ++under_way_;
    free_at_ = std::max(free_at_, scheduler_.now()) + link_.time_of(workloads::page_size);
    const std::uint32_t handle = requests_.take();
    requests_[handle] = request;
    scheduler_.at(free_at_ + (request.writes ? spec_.write : spec_.read), *this, Kind::done,
                  handle);
  }

  sim::Scheduler& scheduler_;
  StoreSpec spec_;
  sim::Serializer link_;
  sim::Time free_at_{};
  std::uint32_t under_way_ = 0;
  sim::RingQueue<Request> waiting_;
  sim::Slab<Request> requests_;
  std::uint64_t reads_ = 0;
  std::uint64_t writes_ = 0;
};

}  // namespace recirc::model::callosal
