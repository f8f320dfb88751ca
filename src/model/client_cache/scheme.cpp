#include "model/client_cache/scheme.h"

#include <optional>
#include <utility>

#include "model/client_cache/client_caches.h"
#include "model/client_cache/clients.h"
#include "model/client_cache/servers.h"

namespace recirc::model::client_cache {
namespace {

/// The fabric that the inner scheme sees: answers grow by the directories that they return.
class LongerAnswers final : public Fabric {
 public:
  LongerAnswers(Fabric& fabric, const Topology& topology, Exchanges& exchanges)
      : fabric_(fabric), clients_(topology.client_machines.size()), exchanges_(exchanges) {}

  void send(const Message& message) override {
    if (message.to.value() >= clients_ || message.payload == Message::no_payload) {
      return fabric_.send(message);
    }
    Message longer = message;
    longer.length += frames::record * exchanges_[message.payload].records;
    fabric_.send(longer);
  }
  RequestHandle copy_payload(RequestHandle payload) override {
    return fabric_.copy_payload(payload);
  }

 private:
  Fabric& fabric_;
  std::size_t clients_;
  Exchanges& exchanges_;
};

/// What there is once the world around the scheme stands.
struct Parts {
  Parts(World& world, std::uint32_t clients, const ClientCacheSettings& settings)
      : fabric(world.fabric, world.topology, exchanges),
        caches(clients, world.tree, settings),
        inner_world(with_fabric(world, fabric)) {}

  Exchanges exchanges;
  LongerAnswers fabric;
  ClientCaches caches;
  World inner_world;
};

class WithClientCache final : public Scheme {
 public:
  WithClientCache(std::unique_ptr<Scheme> inner, std::uint32_t clients,
                  const ClientCacheSettings& settings, Mutants mutants)
      : inner_(std::move(inner)),
        clients_of_run_(clients),
        settings_(settings),
        mutants_(mutants) {}

  pipeline::Program& program() override { return inner_->program(); }
  void connect(World& world) override {
    parts_.emplace(world, clients_of_run_, settings_);
    warm_up(world);
    inner_->connect(parts_->inner_world);
    clients_.emplace(inner_->clients(), world, settings_, parts_->exchanges, parts_->caches);
    servers_.emplace(*inner_, inner_->servers(), world, settings_, parts_->exchanges, mutants_);
  }
  ClientProtocol& clients() override { return *clients_; }
  ServerProtocol& servers() override { return *servers_; }
  Endpoint* controller() override { return inner_->controller(); }
  [[nodiscard]] Message between_servers(EndpointId from, EndpointId to,
                                        sim::Bytes length) const override {
    return inner_->between_servers(from, to, length);
  }
  void crashed(const faults::CrashSettings& crash) override { inner_->crashed(crash); }
  bool restarted(const faults::CrashSettings& crash, Server* server) override {
    return inner_->restarted(crash, server);
  }
  void start() override { inner_->start(); }
  void stop() override { inner_->stop(); }
  void report(ReplicationResult& result) const override {
    inner_->report(result);
    clients_->report(result);
    servers_->report(result);
  }
  void check_idle() const override { inner_->check_idle(); }

 private:
  void warm_up(const World& world);

  std::unique_ptr<Scheme> inner_;
  std::uint32_t clients_of_run_;
  ClientCacheSettings settings_;
  Mutants mutants_;
  std::optional<Parts> parts_;
  std::optional<Clients> clients_;
  std::optional<Servers> servers_;
};

void WithClientCache::warm_up(const World& world) {
  const sim::CounterRng draws = world.rng.stream("client_cache/warm_up");
  if (world.source.size() == 0) return;
  for (std::uint32_t c = 0; c < clients_of_run_ && settings_.warm_up > 0; ++c) {
    sim::CounterRng own = draws.at(c);
    for (std::uint32_t i = 0; i < settings_.warm_up; ++i) {
      const workloads::PathId path = world.source.at(own.next() % world.source.size()).path;
      parts_->caches.fill(ClientId{c}, world.tree.parent(path));
    }
  }
}

}  // namespace

std::unique_ptr<Scheme> with_client_cache(std::unique_ptr<Scheme> inner, std::uint32_t clients,
                                          const ClientCacheSettings& settings, Mutants mutants) {
  return std::make_unique<WithClientCache>(std::move(inner), clients, settings, mutants);
}

}  // namespace recirc::model::client_cache
