#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/client_pool.h"
#include "model/config.h"
#include "model/faults/crashes.h"
#include "model/namespace_state.h"
#include "model/op_tracker.h"
#include "model/run.h"
#include "model/scheme.h"
#include "model/server.h"
#include "model/switch_fabric.h"
#include "model/systems.h"
#include "model/topology.h"
#include "model/walk.h"
#include "model/workload.h"
#include "pipeline/control_port.h"
#include "pipeline/switch.h"
#include "sim/scheduler.h"

namespace recirc::model {

/// Where the machines of a configuration are plugged in, and the switch they are plugged into.
struct Cabling {
  Topology topology;
  pipeline::SwitchSpec rmt_switch;
};
Cabling cabling_of(const Config& config, std::uint64_t replication);

/// What stands before a replication begins: what is asked for, who owns it, where all are plugged
/// in. The rotation (model/rotation/) runs parts of one ground.
struct Ground {
  Workload workload;
  workloads::Ring ring;
  Cabling cabling;
  std::shared_ptr<SharedStart> start{};  ///< of the parts of a rotation
  std::string log_file{};                ///< of the controller; empty: none
};
Ground ground_of(const Config& config, const Inputs& inputs, std::uint64_t replication);

/// Builds the scheme of a run; tests build schemes that no configuration names.
using SchemeMaker = std::unique_ptr<Scheme> (*)(const Config& config, const Topology& topology);

/// One replication: everything that exists while it runs. Many may live in one process.
class Simulation final : private faults::Crashable {
 public:
  Simulation(const Config& config, const Inputs& inputs, std::uint64_t replication,
             SchemeMaker make = &make_scheme);
  Simulation(const Config& config, Ground ground, std::uint64_t replication,
             SchemeMaker make = &make_scheme);

  /// Runs until every operation has ended and nothing is in flight.
  void run(RunControl& control);
  /// Runs until the walk's operations have ended and what they left in the switch is gone.
  void follow(Walk& walk, RunControl& control);
  [[nodiscard]] ReplicationResult result() const;
  /// Share of the clients' time that went into answers that never came.
  [[nodiscard]] double client_time_lost() const;

  // For scenarios and traces, which look into a run.
  void observe(OpObserver* observer);
  [[nodiscard]] sim::Scheduler& scheduler() { return scheduler_; }
  [[nodiscard]] pipeline::Switch& rmt_switch() { return switch_; }
  [[nodiscard]] NamespaceState& state() { return state_; }
  [[nodiscard]] OpTracker& tracker() { return tracker_; }
  /// Requests that a client, a server or a message still refers to.
  [[nodiscard]] std::size_t requests_in_use() const { return requests_.in_use(); }
  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] const workloads::Ring& ring() const { return ring_; }
  [[nodiscard]] Scheme& scheme() { return *scheme_; }

 private:
  void advance(RunControl& control, bool until_answered);
  void check_end() const;
  void report_servers(ReplicationResult& result) const;
  void report_switch(ReplicationResult& result) const;
  void report_faults(ReplicationResult& result) const;
  void crash(const faults::CrashSettings& crash) override;
  void restart(const faults::CrashSettings& crash) override;
  [[nodiscard]] bool client_limited() const;

  const Config& config_;
  std::uint64_t replication_;
  sim::RngFactory rng_;
  sim::Scheduler scheduler_;
  Workload workload_;
  Cabling cabling_;
  NamespaceState state_;
  sim::Slab<Request> requests_;
  OpTracker tracker_;
  workloads::Ring ring_;
  ServerConfig server_config_;
  bool copies_;
  ClientConfig client_config_;
  std::shared_ptr<SharedStart> start_;
  std::unique_ptr<Scheme> scheme_;
  SwitchFabric fabric_;
  std::optional<faults::LinkFaults> link_faults_;
  faults::Crashes crashes_;
  pipeline::Switch switch_;
  pipeline::ControlPort control_port_;
  World world_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::unique_ptr<ClientPool> clients_;
};

}  // namespace recirc::model
