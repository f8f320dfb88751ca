#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/client_pool.h"
#include "model/cluster_config.h"
#include "model/faults/config.h"
#include "model/fletch/config.h"
#include "model/server_config.h"
#include "model/switch_config.h"
#include "sim/config.h"
#include "workloads/config.h"

namespace recirc::model {

/// `/client`
struct ClientSettings {
  sim::Duration timeout = sim::seconds(5);
  std::optional<RetransmitSettings> retransmit;
};

/// `/run`
struct RunSettings {
  std::uint64_t seed = 1;
  std::uint32_t replications = 5;
};

/// A whole configuration: what a run is a function of.
struct Config {
  std::string system;
  workloads::WorkloadConfig workload;
  ClusterSettings cluster;
  ClientSettings client;
  ServerSettings server;
  NetworkSettings network;
  SwitchSettings rmt_switch;
  fletch::CacheSettings cache;
  fletch::ControllerSettings controller;
  faults::FaultSettings faults;
  RunSettings run;
};

void describe(sim::config::Visitor& v, RetransmitSettings& c);
void describe(sim::config::Visitor& v, ClientSettings& c);
void describe(sim::config::Visitor& v, RunSettings& c);
void describe(sim::config::Visitor& v, Config& c);
void validate(const Config& c, sim::config::Issues& issues);

}  // namespace recirc::model
