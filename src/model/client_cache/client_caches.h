#pragma once

#include <cstdint>
#include <vector>

#include "model/client_cache/config.h"
#include "model/client_cache/exchange.h"
#include "model/client_cache/lru_cache.h"
#include "model/result.h"
#include "sim/flat_map.h"

namespace recirc::model::client_cache {

/// The caches of all clients. A client's takes about 35 bytes of ours for each directory that it
/// holds (see LruCache); with leases, 50 more.
class ClientCaches {
 public:
  ClientCaches(std::uint32_t clients, const workloads::Namespace& tree,
               const ClientCacheSettings& settings);

  /// Notes in the exchange which levels the client has to have looked up, and the versions that it
  /// goes by. What it has counts as used.
  void resolve(ClientId client, Exchange& exchange, sim::Time now);
  /// Keeps what the server has resolved of the exchange.
  void keep_resolved(ClientId client, const Exchange& exchange);
  /// Keeps one directory below cached ones; nothing happens where these have left the cache.
  void keep(ClientId client, const Told& told, sim::Time good_until);
  /// Puts a directory and those above it into the cache before a run starts; nothing is counted.
  void fill(ClientId client, workloads::PathId directory);
  /// What others hold, and nothing counted yet.
  void begin_as(const ClientCaches& others);
  /// Newer versions of directories, if they are still in the cache.
  void renew(ClientId client, const std::vector<Told>& returned);

  [[nodiscard]] const LruCache& of(ClientId client) const { return caches_[client.value()]; }
  void report(ReplicationResult& result) const;

 private:
  /// What is known of an entry beside its being there.
  struct Known {
    Version version = 0;
    sim::Time good_until{};
  };
  static std::uint64_t key(ClientId client, workloads::PathId directory) {
    return std::uint64_t{client.value()} << 32U | directory.value();
  }
  std::uint64_t make_room(ClientId client);
  void set_known(ClientId client, const Told& told, sim::Time good_until);
  void look_through(ClientId client, Exchange& exchange, sim::Time now, workloads::PathId from,
                    unsigned level);

  const workloads::Namespace& tree_;
  EntrySize size_;
  std::uint64_t capacity_;
  bool leases_;
  std::vector<LruCache> caches_;
  sim::FlatMap<Known> known_;  ///< with leases all entries; else those whose version is not 0
  struct Counters {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t expired = 0;
    std::uint64_t whole_paths = 0;
    std::uint64_t insertions = 0;
    std::uint64_t evictions = 0;
  };
  Counters counted_;
};

}  // namespace recirc::model::client_cache
