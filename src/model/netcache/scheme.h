#pragma once

#include <memory>

#include "model/netcache/config.h"
#include "model/scheme.h"
#include "model/topology.h"

namespace recirc::model::netcache {

/// Metadata of whole paths cached in the switch as NetCache caches any value: no levels, no
/// ancestors, no permissions on the way.
std::unique_ptr<Scheme> make_netcache(const Settings& settings, const Topology& topology);

}  // namespace recirc::model::netcache
