#pragma once

#include <string>

#include "fletch_under_test.h"
#include "model/client_cache/scheme.h"
#include "model/nocache/nocache.h"

namespace recirc::model::testing {

/// Replays "op,path" lines, one after another by one client, on servers whose read takes 10 us.
class CachedTrace {
 public:
  explicit CachedTrace(const std::string& text, std::uint32_t clients = 1)
      : trace_("time,op,path,dst,mode,user\n" + text) {
    config = trace_.config();
    config.system = "ccache";
    config.server = ServerSettings::of(Store::rocksdb);
    config.server.law = ConstantLaw{};
    config.server.service_time = sim::microseconds(10);
    config.server.costs.by_kind.fill(1.0);
    config.client_cache.misses = client_cache::AtServer{0.5};
    config.cluster.clients = clients;
  }

  Config config;

 private:
  TraceFile trace_;
};

template <bool client_cache::Mutants::*rule>
std::unique_ptr<Scheme> ccache_without(const Config& config, const Topology& topology) {
  client_cache::Mutants mutants;
  mutants.*rule = true;
  return client_cache::with_client_cache(nocache::make_nocache(topology), clients_of(config),
                                         config.client_cache, mutants);
}

}  // namespace recirc::model::testing
