#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/client_cache/config.h"
#include "model/client_pool.h"
#include "model/cluster_config.h"
#include "model/faults/config.h"
#include "model/fletch/config.h"
#include "model/netcache/config.h"
#include "model/server_config.h"
#include "model/switch_config.h"
#include "sim/config.h"
#include "workloads/config.h"

namespace recirc::model {

/// `/client`
struct ClientSettings {
  sim::Duration timeout = sim::seconds(5);
  std::optional<RetransmitSettings> retransmit;
  fletch::UnknownToken unknown_token = fletch::UnknownToken::first;
  sim::Duration token_expiry = sim::seconds(3600);
};

/// How a run meets all of its servers.
enum class Method : std::uint8_t {
  joint,     ///< all servers at once
  rotation,  ///< two at a time, and an estimate of all (Fletch §IX-A)
  solo,      ///< one at a time: the paper's recirculation counts
};

/// Which files the cache is filled with before a part of a rotation.
enum class RotationCache : std::uint8_t { workload, part };

constexpr sim::config::EnumName method_names[] = {
    {"joint", Method::joint, "all servers at once"},
    {"rotation", Method::rotation,
     "the busiest server with each other one in turn; throughput is an estimate for all"},
    {"solo", Method::solo, "one server after another; counts add up"}};
inline std::span<const sim::config::EnumName> names_of(Method) { return method_names; }

constexpr sim::config::EnumName rotation_cache_names[] = {
    {"workload", RotationCache::workload, "the hottest of the whole workload"},
    {"part", RotationCache::part, "the hottest of the servers at hand"}};
inline std::span<const sim::config::EnumName> names_of(RotationCache) {
  return rotation_cache_names;
}

/// `/run`
struct RunSettings {
  Method method = Method::joint;
  RotationCache rotation_cache = RotationCache::workload;
  std::uint64_t seed = 1;
  std::uint32_t replications = 5;
  std::optional<sim::Duration> series_window;
};

/// A whole configuration: what a run is a function of.
struct Config {
  std::string system;
  workloads::WorkloadConfig workload;
  ClusterSettings cluster;
  ClientSettings client;
  client_cache::ClientCacheSettings client_cache;
  ServerSettings server;
  NetworkSettings network;
  SwitchSettings rmt_switch;
  fletch::CacheSettings cache;
  fletch::ControllerSettings controller;
  netcache::NetCacheSettings netcache;
  faults::FaultSettings faults;
  RunSettings run;
};

void describe(sim::config::Visitor& v, RetransmitSettings& c);

/// Clients of a run, or of each part of a rotation.
std::uint32_t clients_of(const Config& config);

void describe(sim::config::Visitor& v, ClientSettings& c);
void describe(sim::config::Visitor& v, RunSettings& c);
void describe(sim::config::Visitor& v, Config& c);
void validate(const Config& c, sim::config::Issues& issues);

/// What the configuration of a system begins with, before a document is read into it.
Config defaults_of(std::string_view system);
/// Reads a configuration over the defaults of its system and of its servers' store. Throws
/// ConfigError with every issue of the document.
Config read_config(const sim::config::Document& document);

}  // namespace recirc::model
