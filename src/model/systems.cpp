#include "model/systems.h"

#include <array>
#include <memory>
#include <utility>

#include "model/client_cache/scheme.h"
#include "model/config.h"
#include "model/fletch/scheme.h"
#include "model/netcache/scheme.h"
#include "model/nocache/nocache.h"
#include "sim/error.h"

namespace recirc::model {
namespace {

fletch::Protection protection_of(const Config& config) {
  return fletch::protection_of(config.cache, config.controller, config.faults.any(),
                               config.server.workers, config.server.ack_timeout);
}

fletch::TokenSettings tokens_of(const Config& config) {
  return {config.client.unknown_token, config.client.token_expiry, clients_of(config)};
}

std::unique_ptr<Scheme> cached(std::unique_ptr<Scheme> inner, const Config& config) {
  return client_cache::with_client_cache(std::move(inner), clients_of(config), config.client_cache);
}

netcache::Settings netcache_settings(const Config& config) {
  netcache::Settings settings;
  settings.own = config.netcache;
  settings.files = config.cache.files;
  settings.share = config.cache.share;
  settings.admission = config.controller.admission == fletch::AdmissionPolicy::on;
  settings.threshold = config.cache.threshold;
  settings.reset_interval = config.controller.reset_interval;
  settings.path_time = config.controller.path_time;
  settings.waiting_reports = config.controller.waiting_reports;
  settings.grace = config.controller.grace;
  return settings;
}

void ccache_defaults(Config& config) { config.server = ServerSettings::of(Store::rocksdb); }

void fletch_plus_defaults(Config& config) {
  config.server = ServerSettings::of(Store::rocksdb);
  config.cache.threshold = 20;  // its misses come faster (Fletch §IX-A)
}

constexpr std::array all_systems = {
    System{"nocache", "no cache: every request goes to its metadata server (Fletch §IX-A)", nullptr,
           false, false,
           [](const Config& /*config*/, const Topology& topology) {
             return nocache::make_nocache(topology);
           }},
    System{"fletch", "metadata cache in the switch, path by path (Fletch §III-VI)", nullptr, true,
           true,
           [](const Config& config, const Topology& topology) {
             return fletch::make_fletch(config.cache, config.controller, config.network, topology,
                                        {}, protection_of(config), tokens_of(config));
           }},
    System{"ccache", "clients cache the permissions of directories; RocksDB servers (Fletch §IX-A)",
           &ccache_defaults, false, false,
           [](const Config& config, const Topology& topology) {
             return cached(nocache::make_nocache(topology), config);
           }},
    System{"fletch_plus", "fletch in the switch on top of ccache (Fletch §IX-A, Fletch+)",
           &fletch_plus_defaults, true, true,
           [](const Config& config, const Topology& topology) {
             return cached(
                 fletch::make_fletch(config.cache, config.controller, config.network, topology, {},
                                     protection_of(config), tokens_of(config)),
                 config);
           }},
    System{"single_lock",
           "fletch with one array of lock counters for all levels (Fletch, Table II)", nullptr,
           true, true,
           [](const Config& config, const Topology& topology) {
             return fletch::make_single_lock(config.cache, config.controller, config.network,
                                             topology, protection_of(config), tokens_of(config));
           }},
    System{"netcache", "metadata of whole paths cached in the switch, without path awareness",
           nullptr, true, false,
           [](const Config& config, const Topology& topology) {
             return netcache::make_netcache(netcache_settings(config), topology);
           }},
};

constexpr auto all_names = [] {
  std::array<std::string_view, all_systems.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = all_systems[i].name;
  return names;
}();

}  // namespace

std::span<const System> systems() { return all_systems; }

std::span<const std::string_view> system_names() { return all_names; }

const System* find_system(std::string_view name) {
  for (const System& system : all_systems) {
    if (system.name == name) return &system;
  }
  return nullptr;
}

std::unique_ptr<Scheme> make_scheme(const Config& config, const Topology& topology) {
  if (const System* system = find_system(config.system)) return system->make(config, topology);
  throw sim::InvariantBroken("system '" + config.system + "' passed the configuration's check");
}

}  // namespace recirc::model
