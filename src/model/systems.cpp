#include "model/systems.h"

#include <array>

#include "model/config.h"
#include "model/fletch/scheme.h"
#include "model/nocache/nocache.h"
#include "sim/error.h"

namespace recirc::model {
namespace {

constexpr std::array<System, 3> all_systems = {{
    {"nocache", "no cache: every request goes to its metadata server (Fletch §IX-A)",
     [](const Config& /*config*/, const Topology& topology) {
       return nocache::make_nocache(topology);
     }},
    {"fletch", "metadata cache in the switch, path by path (Fletch §III-VI)",
     [](const Config& config, const Topology& topology) {
       return fletch::make_fletch(config.cache, config.controller, config.network, topology);
     }},
    {"single_lock", "fletch with one array of lock counters for all levels (Fletch, Table II)",
     [](const Config& config, const Topology& topology) {
       return fletch::make_single_lock(config.cache, config.controller, config.network, topology);
     }},
}};

}  // namespace

std::span<const System> systems() { return all_systems; }

std::span<const std::string_view> system_names() {
  static constexpr auto names = [] {
    std::array<std::string_view, all_systems.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = all_systems[i].name;
    return all;
  }();
  return names;
}

std::unique_ptr<Scheme> make_scheme(const Config& config, const Topology& topology) {
  for (const System& system : all_systems) {
    if (system.name == config.system) return system.make(config, topology);
  }
  throw sim::InvariantBroken("system '" + config.system + "' passed the configuration's check");
}

}  // namespace recirc::model
