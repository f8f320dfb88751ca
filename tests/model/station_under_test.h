#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "model/client_pool.h"
#include "model/direct_fabric.h"
#include "model/server.h"
#include "workloads/computed_tree.h"

namespace recirc::model {

/// Always the same operation, as often as wanted.
class OneOperation final : public workloads::OpSource {
 public:
  OneOperation(std::uint64_t size, workloads::OpKind kind, workloads::PathId path)
      : size_(size), kind_(kind), path_(path) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] workloads::Operation at(std::uint64_t i) const override {
    workloads::Operation operation;
    operation.index = i;
    operation.kind = kind_;
    operation.path = path_;
    return operation;
  }
  [[nodiscard]] std::vector<workloads::Phase> phases() const override {
    return {{"all", 0, size_}};
  }
  [[nodiscard]] std::vector<workloads::PathId> hottest(std::uint64_t) const override {
    return {path_};
  }

 private:
  std::uint64_t size_;
  workloads::OpKind kind_;
  workloads::PathId path_;
};

/// Clients and one server on a fabric that takes next to no time: what is left is the station.
class StationUnderTest final : public ClientProtocol, public ServerProtocol {
 public:
  static constexpr EndpointId client_side{0};
  static constexpr EndpointId server_side{1};

  StationUnderTest(const ServerConfig& server, const ClientConfig& clients,
                   const workloads::OpSource& source, std::uint64_t seed)
      : server_config_(server),
        clients_config_(clients),
        rng_(seed, 0),
        tree_(workloads::TreeShape{2, 2, 100, 198}),
        state_(tree_),
        tracker_(state_, source.phases()),
        fabric_(scheduler_, 2, sim::gigabits_per_second(1'000'000), sim::Duration{}),
        server_(scheduler_, server_config_, ServerId{0}, requests_, state_, *this,
                rng_.stream("store")),
        clients_(scheduler_, clients_config_, source, tree_, requests_, tracker_, *this, fabric_,
                 {client_side}, rng_) {
    fabric_.connect(client_side, clients_);
    fabric_.connect(server_side, server_);
  }

  void run() {
    clients_.start();
    while (scheduler_.pending() > 0) scheduler_.run();
  }

  [[nodiscard]] double figure(const std::string& name) const {
    ReplicationResult result;
    tracker_.report(result);
    for (const Figure& figure : result.summary) {
      if (figure.name == name) return figure.value;
    }
    throw std::out_of_range(name);
  }

  sim::Scheduler& scheduler() { return scheduler_; }
  OpTracker& tracker() { return tracker_; }
  ClientPool& clients() { return clients_; }

  /// While set, the server answers nothing.
  bool silent = false;

  void ask(Request& /*request*/, Message& message) override {
    message.to = server_side;
    message.length = sim::Bytes{60};
  }
  void answered(Request& /*request*/, const Message& /*message*/) override {}
  bool admit(Server& /*server*/, RequestHandle /*handle*/) override { return true; }
  bool answer(Server& /*server*/, RequestHandle handle, const NamespaceState::Applied&) override {
    if (silent) return true;
    Message message;
    message.from = server_side;
    message.to = client_side;
    message.length = sim::Bytes{60};
    message.payload = handle;
    fabric_.send(message);
    return true;
  }
  void control(Server& /*server*/, const Message& /*message*/) override {}
  [[nodiscard]] bool is_request(const Message& /*message*/) const override { return true; }
  void fetched(Server&, workloads::PathId, std::uint32_t) override {}

 private:
  const ServerConfig server_config_;  // servers and clients keep references
  const ClientConfig clients_config_;
  sim::Scheduler scheduler_;
  sim::RngFactory rng_;
  workloads::ComputedTree tree_;
  NamespaceState state_;
  sim::Slab<Request> requests_;
  OpTracker tracker_;
  DirectFabric fabric_;
  Server server_;
  ClientPool clients_;
};

}  // namespace recirc::model
