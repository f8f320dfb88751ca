#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/endpoint.h"
#include "model/fabric.h"
#include "model/op_observer.h"
#include "model/op_tracker.h"
#include "sim/deadline.h"
#include "sim/flat_map.h"
#include "sim/scheduler.h"
#include "sim/slab.h"
#include "workloads/arrival.h"
#include "workloads/namespace.h"
#include "workloads/op_source.h"

namespace recirc::model {

/// How a scheme's clients speak to its servers.
class ClientProtocol {
 public:
  virtual ~ClientProtocol() = default;
  /// Fills in the message for a new request: header, length, destination. `message.payload` and
  /// `message.from` are set already.
  virtual void ask(Request& request, Message& message) = 0;
  /// An answer has come. True: it does not end the operation, and the client asks again at once.
  virtual bool asks_again(Request& /*request*/, const Message& /*message*/) { return false; }
  /// The fabric has doubled the message that carries `from`; its copy carries `to`.
  virtual void doubled(RequestHandle /*from*/, RequestHandle /*to*/) {}
  /// Reads an answer: sets the request's outcome, version and answered_by_switch.
  virtual void answered(Request& request, const Message& message) = 0;
};

/// `/client/retransmit`
struct RetransmitSettings {
  sim::Duration timeout = sim::milliseconds(20);
  std::uint32_t tries = 10;
};

struct ClientConfig {
  std::uint32_t clients = 0;
  workloads::Arrival arrival;
  sim::Duration timeout = sim::seconds(5);
  std::optional<RetransmitSettings> retransmit;
  bool copies = false;  ///< messages may be lost, doubled or sent again: each has its own request
  std::optional<sim::Duration> duration{};  ///< nothing is issued from this time on
};

/// All clients of a run. A free client takes the next operation of the workload; a client whose
/// answer does not come sends its request again, if it is told to, and gives up in the end.
class ClientPool final : public sim::Component, public Endpoint, public PayloadKeeper {
 public:
  /// `machines`: the endpoints that the clients are spread over.
  ClientPool(sim::Scheduler& scheduler, const ClientConfig& config,
             const workloads::OpSource& source, const workloads::Namespace& tree,
             sim::Slab<Request>& requests, OpTracker& tracker, ClientProtocol& protocol,
             Fabric& fabric, std::vector<EndpointId> machines, const sim::RngFactory& rng);

  void start();
  /// Requests come at their own times, whether clients are free or not.
  [[nodiscard]] bool comes_by_itself() const;
  void observe(OpObserver* observer) { observer_ = observer; }
  void receive(const Message& message) override;
  void lost(RequestHandle payload) override;
  RequestHandle duplicated(RequestHandle payload) override;
  [[nodiscard]] std::uint64_t identity(RequestHandle payload) const override {
    return requests_[payload].identity;
  }
  void handle(const sim::Event& event) override;

  /// All operations of the workload, or of its duration, have been issued and have ended.
  [[nodiscard]] bool done() const { return nothing_left() && in_flight_ == 0; }
  /// Arrivals of an open workload that found too many requests in flight and were not sent.
  [[nodiscard]] std::uint64_t excess() const { return excess_; }
  [[nodiscard]] std::uint64_t timeouts() const { return timeouts_; }
  [[nodiscard]] std::uint64_t late_answers() const { return late_answers_; }
  /// Answers to an operation that another answer has completed.
  [[nodiscard]] std::uint64_t repeated_answers() const { return repeated_answers_; }
  [[nodiscard]] std::uint64_t retransmissions() const { return retransmissions_; }

 private:
  enum class Kind : std::uint16_t { issue, arrival, timeout, end };
  struct ClientState {
    sim::Time last_issue{};
  };

  [[nodiscard]] bool nothing_left() const { return ended_ || next_operation_ == source_.size(); }
  void end();
  void issue_next(ClientId client);
  void issue(ClientId client, std::uint64_t operation);
  void transmit(RequestHandle handle, Moment moment);
  void receive_copy(const Message& message);
  void complete(RequestHandle handle, const Message& message);
  void send_again(RequestHandle handle);
  void free(RequestHandle handle);
  std::uint32_t take_session(ClientId client);
  void arrive();
  void schedule_arrival();
  void client_is_free(ClientId client);
  /// How long a client waits for the answer to one transmission.
  [[nodiscard]] sim::Duration patience() const {
    return config_.retransmit ? config_.retransmit->timeout : config_.timeout;
  }
  void watch(RequestHandle handle);
  void unwatch(const Request& request);
  void check_timeouts();
  void give_up(RequestHandle handle);

  sim::Scheduler& scheduler_;
  const ClientConfig& config_;
  const workloads::OpSource& source_;
  const workloads::Namespace& tree_;
  sim::Slab<Request>& requests_;
  OpTracker& tracker_;
  ClientProtocol& protocol_;
  Fabric& fabric_;
  std::vector<EndpointId> machines_;
  OpObserver* observer_ = nullptr;
  std::vector<ClientState> clients_;
  std::optional<workloads::OpenArrivals> arrivals_;
  std::uint64_t max_in_flight_ = 0;
  bool ended_ = false;  ///< the workload's duration is over
  std::uint64_t next_operation_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t excess_ = 0;
  std::uint64_t timeouts_ = 0;
  std::uint64_t late_answers_ = 0;
  std::uint64_t repeated_answers_ = 0;
  std::uint64_t retransmissions_ = 0;
  std::vector<std::uint32_t> free_sessions_;  ///< of open workloads
  std::uint32_t sessions_ = 0;
  sim::FlatMap<bool> given_up_;        ///< operations, where answers carry copies
  RequestHandle oldest_ = no_request;  ///< of the requests that a client waits for
  RequestHandle newest_ = no_request;
  sim::Deadline timeout_;
};

}  // namespace recirc::model
