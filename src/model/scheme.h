#pragma once

#include <memory>

#include "model/client_pool.h"
#include "model/fabric.h"
#include "model/faults/config.h"
#include "model/log_place.h"
#include "model/namespace_state.h"
#include "model/result.h"
#include "model/server.h"
#include "model/topology.h"
#include "workloads/ring.h"

namespace recirc::pipeline {
class ControlPort;
class Program;
class Switch;
}  // namespace recirc::pipeline

namespace recirc::model {

/// What a scheme has made ready once for all simulations of a replication: a rotation's parts run
/// one after another and begin alike.
struct Prepared {
  virtual ~Prepared() = default;
};
using SharedStart = std::shared_ptr<Prepared>;

/// What a scheme finds around it once the switch stands.
struct World {
  sim::Scheduler& scheduler;
  const sim::RngFactory& rng;
  const Topology& topology;
  const workloads::Namespace& tree;
  const workloads::OpSource& source;
  const workloads::Ring& ring;
  NamespaceState& state;
  sim::Slab<Request>& requests;
  Fabric& fabric;
  pipeline::Switch& rmt_switch;
  pipeline::ControlPort& control;
  /// Where the client caches leave what the next part begins with; nullptr when there is none.
  SharedStart* start = nullptr;
};

/// The same world with another view of its paths.
inline World with_tree(const World& world, const workloads::Namespace& tree) {
  return {world.scheduler, world.rng,        world.topology, tree,
          world.source,    world.ring,       world.state,    world.requests,
          world.fabric,    world.rmt_switch, world.control,  world.start};
}

/// The same world with another fabric: for a scheme around another one, which looks after what the
/// inner one sends.
inline World with_fabric(const World& world, Fabric& fabric) {
  return {world.scheduler, world.rng,        world.topology, world.tree,
          world.source,    world.ring,       world.state,    world.requests,
          fabric,          world.rmt_switch, world.control,  world.start};
}

/// One way to serve metadata: the program in the switch and what clients, servers and controller
/// do beside it. Built from the configuration and the topology, then connected to the world.
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// The switch's program; needed before there is a switch.
  virtual pipeline::Program& program() = 0;
  /// Before connect(): the controller, if there is one with a log, writes it to this file.
  virtual void write_log_to(const LogPlace& /*place*/) {}
  /// What the controller has written may be read by others now; `at_end`: the run is over.
  virtual void commit_log(bool /*at_end*/) {}
  /// The rest of the world stands now: keep references, fill the cache that the run starts with.
  virtual void connect(World& world) = 0;

  /// Valid after connect().
  virtual ClientProtocol& clients() = 0;
  virtual ServerProtocol& servers() = 0;
  /// Receives what is sent to the controller's endpoint; nullptr if there is none.
  virtual Endpoint* controller() { return nullptr; }

  /// A message from one server to another that the switch's program forwards and does not look
  /// into; the last `senders_part` bytes of its header are the sender's.
  static constexpr std::size_t senders_part = 16;
  [[nodiscard]] virtual Message between_servers(EndpointId from, EndpointId to,
                                                sim::Bytes length) const;

  /// A component goes down, and is up again. False: the recovery is over at once. True: it goes on,
  /// and of a server the scheme calls Server::serve() at its end.
  virtual void crashed(const faults::CrashSettings& /*crash*/) {}
  virtual bool restarted(const faults::CrashSettings& /*crash*/, Server* /*server*/) {
    return false;
  }

  virtual void start() {}  ///< periodic work begins
  virtual void stop() {}   ///< all operations have ended: no periodic work any more
  virtual void report(ReplicationResult& /*result*/) const {}
  /// Called when nothing is in flight; throws InvariantBroken when state is left behind that should
  /// not be.
  virtual void check_idle() const {}
};

inline Message Scheme::between_servers(EndpointId from, EndpointId to, sim::Bytes length) const {
  Message message;
  message.from = from;
  message.to = to;
  message.length = length;
  return message;
}

}  // namespace recirc::model
