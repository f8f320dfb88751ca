#pragma once

#include <cstdint>
#include <memory>

#include "model/client_cache/config.h"
#include "model/scheme.h"

namespace recirc::model::client_cache {

/// Gives the clients of any scheme caches of directory permissions, and its servers what keeps
/// these consistent. The switch's program, the controller and the messages stay the inner scheme's.
std::unique_ptr<Scheme> with_client_cache(std::unique_ptr<Scheme> inner, std::uint32_t clients,
                                          const ClientCacheSettings& settings,
                                          Mutants mutants = {});

}  // namespace recirc::model::client_cache
