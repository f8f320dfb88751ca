#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/endpoint.h"
#include "model/fabric.h"
#include "model/namespace_state.h"
#include "model/op_observer.h"
#include "model/request_memory.h"
#include "sim/distributions.h"
#include "sim/ring_queue.h"
#include "sim/rng.h"
#include "sim/scheduler.h"
#include "sim/slab.h"

namespace recirc::model {

/// What a metadata operation costs at the store, in units of a read.
using OperationCosts = std::array<double, workloads::op_kind_count>;

/// One metadata server: front-end workers, and the store behind them (for HDFS one handler).
struct ServerConfig {
  std::uint32_t workers = 20;
  sim::Duration front_end_time{};
  sim::Duration service_time = sim::microseconds(43);
  sim::ServiceLaw law;
  OperationCosts costs{};
  double existing_cost = 1.0;          ///< create or mkdir of a path that is there
  std::optional<double> missing_cost;  ///< any operation on a path that is not; else its own cost
  bool dedupe = true;
  bool copies = false;  ///< requests may come more than once
  std::uint32_t receive_queue = 16'384;
};

class Server;

/// What a scheme adds to a plain metadata server.
class ServerProtocol {
 public:
  virtual ~ServerProtocol() = default;
  /// A request has arrived, and waits for a worker from now on.
  virtual void arrived(Server& /*server*/, const Message& /*request*/) {}
  /// May the request go to the store now? If not, the protocol has parked it, holding its worker,
  /// and calls Server::proceed() later.
  virtual bool admit(Server& server, RequestHandle handle) = 0;
  /// What a request means to the store beside the operation's own cost.
  struct Work {
    double more_reads = 0;    ///< store time, in units of one read
    bool carries_out = true;  ///< false: no more than that, and answer() gets an error
  };
  /// The request enters the store now.
  virtual Work work(Server& /*server*/, RequestHandle /*handle*/) { return {}; }
  /// The store has carried it out: send the answer. False: it is kept back, with its worker, and
  /// the protocol calls Server::release_worker() after it has sent it.
  virtual bool answer(Server& server, RequestHandle handle,
                      const NamespaceState::Applied& applied) = 0;
  /// A message that is no request: acknowledgements, the controller's.
  virtual void control(Server& server, const Message& message) = 0;
  /// Whether a message is a request of a client.
  [[nodiscard]] virtual bool is_request(const Message& message) const = 0;
  /// Work beside the requests is done (see Server::fetch).
  virtual void fetched(Server& server, workloads::PathId path, std::uint32_t cookie) = 0;
};

/// A server with 20 front-end workers over a store with one handler (Fletch §IX-A). A request holds
/// its worker until it is answered; the store serves in order of arrival.
class Server final : public sim::Component, public Endpoint {
 public:
  Server(sim::Scheduler& scheduler, const ServerConfig& config, ServerId id,
         sim::Slab<Request>& requests, NamespaceState& state, ServerProtocol& protocol,
         sim::CounterRng service_draws);

  void observe(OpObserver* observer) { observer_ = observer; }
  void receive(const Message& message) override;
  void handle(const sim::Event& event) override;

  /// Lets a request that admit() parked go to the store.
  void proceed(RequestHandle handle) { enter_store(handle); }
  void release_worker();
  /// A request ends here: nothing refers to it any more.
  void discard(RequestHandle handle) { requests_.give_back(handle); }
  /// For an answer that gave its worker up while it waited: one more at once, whoever waits.
  void borrow_worker() { ++busy_workers_; }
  /// Reads a path's metadata, or does as much work, for the controller or another server: the
  /// store's time, but no worker of a client.
  void fetch(workloads::PathId path, std::uint32_t cookie, double reads = 1.0);

  /// All that is not in the store is gone: queues, workers, requests in the store's line. Requests
  /// are refused until serve().
  void crash();
  void serve() { is_serving_ = true; }
  [[nodiscard]] bool is_serving() const { return is_serving_; }

  [[nodiscard]] ServerId id() const { return id_; }
  [[nodiscard]] Request& request(RequestHandle handle) { return requests_[handle]; }
  [[nodiscard]] NamespaceState& state() { return state_; }
  [[nodiscard]] sim::Time now() const { return scheduler_.now(); }
  /// As much work for others waits in the store as requests may wait for a worker.
  [[nodiscard]] bool is_overrun() const { return fetches_.size() >= config_.receive_queue; }
  /// Requests that found the receive queue full, and are gone.
  [[nodiscard]] std::uint64_t requests_dropped() const { return dropped_; }
  [[nodiscard]] std::uint64_t requests_received() const { return received_; }
  [[nodiscard]] const RequestMemory& memory() const { return memory_; }
  /// Store time spent on operations with an index below `limit` (see count_busy_below).
  [[nodiscard]] sim::Duration busy_below() const { return busy_below_; }
  void count_busy_below(std::uint64_t limit) { busy_limit_ = limit; }
  /// Store time spent on everything.
  [[nodiscard]] sim::Duration busy() const { return busy_; }

 private:
  enum class Kind : std::uint16_t { parsed, store_done, fetch_done };
  struct Fetch {
    workloads::PathId path;
    std::uint32_t cookie = 0;
  };

  void tell(Moment moment, RequestHandle handle) {
    if (observer_ != nullptr) [[unlikely]]
      observer_->happened(moment, requests_[handle], handle);
  }
  void arrive(RequestHandle handle);
  void begin(RequestHandle handle);
  void ask_protocol(RequestHandle handle);
  bool is_known(RequestHandle handle);
  void answer_again(RequestHandle handle);
  NamespaceState::Applied carry_out(const Request& request);
  void enter_store(RequestHandle handle);
  void finish(RequestHandle handle);
  [[nodiscard]] double cost_of(const workloads::Operation& operation) const;
  /// Books the store for work of this length; returns when it starts.
  sim::Time book_store(sim::Duration service);

  sim::Scheduler& scheduler_;
  const ServerConfig& config_;
  ServerId id_;
  sim::Slab<Request>& requests_;
  NamespaceState& state_;
  ServerProtocol& protocol_;
  sim::CounterRng service_draws_;
  OpObserver* observer_ = nullptr;
  sim::Time store_free_{};
  std::uint32_t busy_workers_ = 0;
  sim::RingQueue<RequestHandle> waiting_;
  sim::RingQueue<Fetch> fetches_;
  std::uint64_t received_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t busy_limit_ = 0;
  RequestMemory memory_;
  std::uint16_t life_ = 0;  ///< events of an earlier one come to nothing
  bool is_serving_ = true;
  sim::Duration busy_{};
  sim::Duration busy_below_{};
};

}  // namespace recirc::model
