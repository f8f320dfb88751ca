#include "model/client_cache/config.h"

namespace recirc::model::client_cache {

using sim::config::assumed;
using sim::config::paper;
using sim::config::Visitor;

namespace {
constexpr double most_reads = 1000.0;
}  // namespace

void describe(Visitor& v, Validation& c) {
  v.field(
      "stale_cost", c.stale_cost,
      {.doc = "Store time of a request that is turned away because its client went by an old "
              "permission, in reads.",
       .from = assumed("the network's part of a read on one thread, without the store's", "0.2..1"),
       .min = 0.0,
       .max = most_reads});
}

void describe(Visitor& v, Leases& c) {
  v.field("term", c.term,
          {.doc = "How long a client may go by a directory's permission after its server has read "
                  "it. Clocks agree.",
           .from = assumed("Fletch does not tell how its client cache stays consistent; leases "
                           "are IndexFS's way",
                           "50ms..5s"),
           .min = sim::microseconds(1),
           .max = sim::seconds(3600),
           .example = "200ms"});
}

void describe(Visitor& v, AtServer& c) {
  v.field("cost", c.cost,
          {.doc = "Store time of one uncached directory, in reads.",
           .from = assumed("a point read of RocksDB takes 5 to 7 us of a request's 14.5", "0..1"),
           .min = 0.0,
           .max = most_reads});
}

void describe(Visitor& /*v*/, RoundTrips& /*c*/) {}

void describe(Visitor& v, ClientCacheSettings& c) {
  v.field("size", c.size,
          {.doc = "Bytes of one client's cache; the least recently used directories leave it.",
           .from = paper("Fletch §IX-A: 4 MiB a client"),
           .max = sim::Bytes{std::int64_t{1} << 40},
           .example = "4MiB"});
  v.field("entry_overhead", c.entry_overhead,
          {.doc = "Bytes of an entry beside the text of the directory's path.",
           .from = assumed("a record of 24 bytes (Fletch §III) and two links", "24B..112B"),
           .max = sim::Bytes{65'536},
           .example = "40B"});
  v.field("consistency", c.consistency,
          {.doc = "How a client is kept from going by an outdated permission.",
           .from = assumed("Fletch is silent; the size of its cache is InfiniFS's, whose servers "
                           "find out what is outdated when a request comes",
                           "validation, leases")});
  v.field("misses", c.misses,
          {.doc = "Who looks up the directories that are not in the client's cache.",
           .from = assumed("as in HDFS, a server has the directories above its files; the cache "
                           "spares it the resolution (Fletch §IX-B)",
                           "at_server, round_trips")});
  v.field("announcement_cost", c.announcement_cost,
          {.doc = "Store time at each other server when it is told that a directory has been "
                  "written, in reads.",
           .from = assumed("the network's part of a read on one thread", "0.2..1"),
           .min = 0.0,
           .max = most_reads});
  v.field("announce_again", c.announce_again,
          {.doc = "A server that has not acknowledged an announcement for so long is told again.",
           .from = assumed("the prototype's servers wait as long for a switch (Fletch prototype)",
                           "1ms..100ms"),
           .min = sim::microseconds(100),
           .max = sim::seconds(10),
           .example = "10ms"});
  v.count("warm_up", c.warm_up,
          {.doc = "Requests that each client has made before the run, as likely as those of the "
                  "whole workload: they fill its cache and take no time. Leases on what they left "
                  "have ended.",
           .from = assumed("caches start empty; the sweeps of the experiments take 10k, about what "
                           "a client of the prototype sends in one rotation at 128 servers",
                           "0..250000"),
           .max = 10'000'000});
}

}  // namespace recirc::model::client_cache
