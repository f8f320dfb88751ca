#include "model/nocache/nocache.h"

#include "model/frames.h"
#include "pipeline/programs/addresses.h"
#include "pipeline/programs/forward/forward.h"
#include "pipeline/switch.h"
#include "sim/error.h"

namespace recirc::model::nocache {
namespace {

using pipeline::programs::Addresses;

/// What follows the addresses on the wire.
struct Header {
  Addresses addresses;
  std::uint8_t outcome = 0;
  Version version = 0;
};

class Clients final : public ClientProtocol {
 public:
  explicit Clients(const World& world) : world_(world) {}

  void ask(Request& request, Message& message) override {
    request.server = world_.ring.owner(request.key);
    message.to = world_.topology.server(request.server);
    message.length = frames::request(0, world_.tree.path_length(request.operation.path));
  }

  void answered(Request& request, const Message& message) override {
    const auto header = message.header.get<Header>();
    request.outcome = static_cast<Outcome>(header.outcome);
    request.version = header.version;
  }

 private:
  World world_;
};

class Servers final : public ServerProtocol {
 public:
  explicit Servers(const World& world) : world_(world) {}

  bool admit(Server& /*server*/, RequestHandle /*handle*/) override { return true; }

  bool answer(Server& server, RequestHandle handle,
              const NamespaceState::Applied& applied) override {
    const Request& request = server.request(handle);
    Message message;
    message.from = world_.topology.server(server.id());
    message.to =
        world_.topology
            .client_machines[request.client.value() % world_.topology.client_machines.size()]
            .endpoint;
    message.payload = handle;
    const bool carries_metadata =
        workloads::is_read(request.operation.kind) && applied.outcome == Outcome::miss;
    message.length = frames::answer(0, carries_metadata ? applied.metadata.slots() : 0);
    Header header;
    header.outcome = static_cast<std::uint8_t>(applied.outcome);
    header.version = applied.metadata.version;
    message.header.set(header);
    world_.fabric.send(message);
    return true;
  }

  [[nodiscard]] bool is_request(const Message& /*message*/) const override { return true; }
  void control(Server& /*server*/, const Message& /*message*/) override {
    throw sim::InvariantBroken("a server without a cache got a control message");
  }
  void fetched(Server& /*server*/, workloads::PathId /*path*/, std::uint32_t /*cookie*/) override {
    throw sim::InvariantBroken("a server without a cache was asked for metadata to cache");
  }

 private:
  World world_;
};

class NoCache final : public Scheme {
 public:
  explicit NoCache(const Topology& topology)
      : program_(static_cast<std::uint32_t>(topology.endpoints())) {}

  pipeline::Program& program() override { return program_; }
  void connect(World& world) override {
    clients_ = std::make_unique<Clients>(world);
    servers_ = std::make_unique<Servers>(world);
    for (std::size_t i = 0; i < world.topology.endpoints(); ++i) {
      const auto endpoint = static_cast<EndpointId::rep>(i);
      program_.add_route(world.rmt_switch, pipeline::ProtocolTag{0}, endpoint,
                         world.topology.port(EndpointId{endpoint}));
    }
  }
  ClientProtocol& clients() override { return *clients_; }
  ServerProtocol& servers() override { return *servers_; }
  void report(ReplicationResult& result) const override {
    result.summary.push_back(count_figure("locks_leaked", 0));  // a figure of every system
  }

 private:
  pipeline::programs::Forward program_;
  std::unique_ptr<Clients> clients_;
  std::unique_ptr<Servers> servers_;
};

}  // namespace

std::unique_ptr<Scheme> make_nocache(const Topology& topology) {
  return std::make_unique<NoCache>(topology);
}

}  // namespace recirc::model::nocache
