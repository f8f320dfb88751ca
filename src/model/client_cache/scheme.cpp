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

/// The caches that every part of a rotation begins with.
struct WarmCaches final : Prepared {
  explicit WarmCaches(std::unique_ptr<ClientCaches> warm) : caches(std::move(warm)) {}
  std::unique_ptr<const ClientCaches> caches;
  std::unique_ptr<ClientCaches> spare;  ///< of a part that has ended: its memory is used again
};

/// What there is once the world around the scheme stands.
struct Parts {
  explicit Parts(World& world)
      : fabric(world.fabric, world.topology, exchanges), inner_world(with_fabric(world, fabric)) {}

  Exchanges exchanges;
  LongerAnswers fabric;
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
  ~WithClientCache() override {
    if (warm_ != nullptr) warm_->spare = std::move(caches_);
  }
  WithClientCache(const WithClientCache&) = delete;
  WithClientCache& operator=(const WithClientCache&) = delete;

  pipeline::Program& program() override { return inner_->program(); }
  void connect(World& world) override {
    caches_ = caches_at_start(world);
    parts_.emplace(world);
    inner_->connect(parts_->inner_world);
    clients_.emplace(inner_->clients(), world, settings_, parts_->exchanges, *caches_);
    servers_.emplace(*inner_, inner_->servers(), world, settings_, parts_->exchanges, mutants_);
  }
  void write_log_to(const LogPlace& place) override { inner_->write_log_to(place); }
  void commit_log(bool at_end) override { inner_->commit_log(at_end); }
  ClientProtocol& clients() override { return *clients_; }
  ServerProtocol& servers() override { return *servers_; }
  Endpoint* controller() override { return inner_->controller(); }
  [[nodiscard]] Message between_servers(EndpointId from, EndpointId to,
                                        sim::Bytes length) const override {
    return inner_->between_servers(from, to, length);
  }
  void crashed(const faults::CrashSettings& crash) override {
    inner_->crashed(crash);
    if (crash.component == faults::Component::server) servers_->crashed(ServerId{crash.server});
  }
  bool restarted(const faults::CrashSettings& crash, Server* server) override {
    if (crash.component == faults::Component::server) servers_->restarted(ServerId{crash.server});
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
  [[nodiscard]] std::unique_ptr<ClientCaches> caches_at_start(const World& world);
  [[nodiscard]] std::unique_ptr<ClientCaches> warmed_up(const World& world) const;

  std::unique_ptr<Scheme> inner_;
  std::uint32_t clients_of_run_;
  ClientCacheSettings settings_;
  Mutants mutants_;
  WarmCaches* warm_ = nullptr;
  std::unique_ptr<ClientCaches> caches_;
  std::optional<Parts> parts_;
  std::optional<Clients> clients_;
  std::optional<Servers> servers_;
};

std::unique_ptr<ClientCaches> WithClientCache::warmed_up(const World& world) const {
  auto caches = std::make_unique<ClientCaches>(clients_of_run_, world.tree, settings_);
  if (world.source.size() == 0) return caches;
  for (std::uint32_t c = 0; c < clients_of_run_; ++c) {
    for (std::uint64_t i = 0; i < settings_.warm_up; ++i) {
      const workloads::PathId path = world.source.earlier(i * clients_of_run_ + c);
      caches->fill(ClientId{c}, world.tree.parent(path));
    }
  }
  return caches;
}

std::unique_ptr<ClientCaches> WithClientCache::caches_at_start(const World& world) {
  if (world.start == nullptr || settings_.warm_up == 0) return warmed_up(world);
  if (*world.start == nullptr) *world.start = std::make_shared<WarmCaches>(warmed_up(world));
  warm_ = &dynamic_cast<WarmCaches&>(**world.start);
  auto caches = std::move(warm_->spare);
  if (caches == nullptr) {
    caches = std::make_unique<ClientCaches>(clients_of_run_, world.tree, settings_);
  }
  caches->begin_as(*warm_->caches);
  return caches;
}

}  // namespace

std::unique_ptr<Scheme> with_client_cache(std::unique_ptr<Scheme> inner, std::uint32_t clients,
                                          const ClientCacheSettings& settings, Mutants mutants) {
  return std::make_unique<WithClientCache>(std::move(inner), clients, settings, mutants);
}

}  // namespace recirc::model::client_cache
