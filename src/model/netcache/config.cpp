#include "model/netcache/config.h"

namespace recirc::model::netcache {

using sim::config::assumed;
using sim::config::paper;

void describe(sim::config::Visitor& v, NetCacheSettings& c) {
  v.count("items", c.items,
          {.doc = "Items that the cache holds at most.",
           .from = paper("NetCache, abstract: 64 K"),
           .min = 1,
           .max = 65'536,
           .limit = sim::config::LimitKind::metric});
  v.field("sampling", c.sampling,
          {.doc = "Share of the uncached reads that the sketch counts.",
           .from = paper("FarReach's NetCache: 0.5"),
           .min = 0.0,
           .max = 1.0});
  v.count("samples", c.samples,
          {.doc = "Items whose hit counters are read to find a victim; the coldest goes.",
           .from = assumed("NetCache samples a few", "2..100"),
           .min = 1,
           .max = 1'000});
}

}  // namespace recirc::model::netcache
