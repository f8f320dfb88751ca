#include "model/systems.h"

#include <array>

#include "model/config.h"
#include "model/fletch/scheme.h"
#include "model/nocache/nocache.h"
#include "sim/error.h"

namespace recirc::model {
namespace {

constexpr std::array all_systems = {
    System{"nocache", "no cache: every request goes to its metadata server (Fletch §IX-A)", nullptr,
           false,
           [](const Config& /*config*/, const Topology& topology) {
             return nocache::make_nocache(topology);
           }},
    System{"fletch", "metadata cache in the switch, path by path (Fletch §III-VI)", nullptr, true,
           [](const Config& config, const Topology& topology) {
             return fletch::make_fletch(config.cache, config.controller, config.network, topology);
           }},
    System{"single_lock",
           "fletch with one array of lock counters for all levels (Fletch, Table II)", nullptr,
           true,
           [](const Config& config, const Topology& topology) {
             return fletch::make_single_lock(config.cache, config.controller, config.network,
                                             topology);
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
