#include "model/client_cache/client_caches.h"

#include <algorithm>
#include <array>
#include <bit>

namespace recirc::model::client_cache {

using workloads::PathId;

ClientCaches::ClientCaches(std::uint32_t clients, const workloads::Namespace& tree,
                           const ClientCacheSettings& settings)
    : tree_(tree),
      size_{tree, static_cast<std::uint64_t>(settings.entry_overhead.count())},
      capacity_(static_cast<std::uint64_t>(settings.size.count())),
      leases_(std::holds_alternative<Leases>(settings.consistency)),
      caches_(clients) {}

void ClientCaches::resolve(ClientId client, Exchange& exchange, sim::Time now) {
  LruCache& cache = caches_[client.value()];
  exchange.lookups = 0;
  exchange.used.clear();
  PathId directory = exchange.parent;
  unsigned level = exchange.depth;
  while (level > 0 && !cache.contains(directory)) {
    exchange.lookups |= std::uint64_t{1} << level;
    directory = tree_.parent(directory);
    --level;
  }
  if (level > 0) {
    cache.use(directory);
    if (known_.size() != 0) look_through(client, exchange, now, directory, level);
  }
  const auto missing = static_cast<unsigned>(std::popcount(exchange.lookups));
  counted_.misses += missing;
  counted_.hits += exchange.depth - missing;
  if (missing == 0) ++counted_.whole_paths;
}

/// The cached part of a path, from `level` up: which leases have ended, and which versions count.
void ClientCaches::look_through(ClientId client, Exchange& exchange, sim::Time now, PathId from,
                                unsigned level) {
  for (PathId directory = from; level > 0; directory = tree_.parent(directory), --level) {
    const Known* known = known_.find(key(client, directory));
    if (known == nullptr) continue;
    if (leases_ && known->good_until <= now) {
      exchange.lookups |= std::uint64_t{1} << level;
      ++counted_.expired;
    } else if (known->version != 0) {
      exchange.used.push_back({directory, known->version});
    }
  }
}

void ClientCaches::keep_resolved(ClientId client, const Exchange& exchange) {
  // From the top down, since a directory enters below its parent.
  std::array<PathId, workloads::max_depth + 1> path;
  for_each_above(tree_, exchange,
                 [&](PathId directory, unsigned level) { path[level] = directory; });
  for (unsigned level = 1; level <= std::min(exchange.found, exchange.depth); ++level) {
    if (!exchange.is_looked_up(level)) continue;
    keep(client, {path[level], version_in(exchange.returned, path[level])}, exchange.good_until);
  }
}

void ClientCaches::keep(ClientId client, const Told& told, sim::Time good_until) {
  LruCache& cache = caches_[client.value()];
  if (!cache.contains(told.directory)) {
    const PathId parent = tree_.parent(told.directory);
    if (tree_.depth(parent) > 0 && !cache.contains(parent)) return;
    cache.add(told.directory, size_);
    ++counted_.insertions;
    set_known(client, told, good_until);
    counted_.evictions += make_room(client);
  } else {
    set_known(client, told, good_until);
  }
}

std::uint64_t ClientCaches::make_room(ClientId client) {
  LruCache& cache = caches_[client.value()];
  std::uint64_t evicted = 0;
  for (; cache.bytes() > capacity_; ++evicted) {
    const PathId victim = cache.evict(size_);
    if (known_.size() != 0) known_.erase(key(client, victim));
  }
  return evicted;
}

void ClientCaches::begin_as(const ClientCaches& others) {
  caches_ = others.caches_;
  known_ = others.known_;
  counted_ = {};
}

void ClientCaches::fill(ClientId client, PathId directory) {
  LruCache& cache = caches_[client.value()];
  std::array<PathId, workloads::max_depth + 1> missing;
  std::size_t count = 0;
  while (tree_.depth(directory) > 0 && !cache.contains(directory)) {
    missing[count++] = directory;
    directory = tree_.parent(directory);
  }
  if (tree_.depth(directory) > 0) cache.use(directory);
  for (; count > 0 && tree_.exists_at_start(missing[count - 1]); --count) {
    cache.add(missing[count - 1], size_);
    set_known(client, {missing[count - 1], 0}, {});
  }
  make_room(client);
}

void ClientCaches::renew(ClientId client, const std::vector<Told>& returned) {
  for (const Told& told : returned) {
    if (caches_[client.value()].contains(told.directory)) set_known(client, told, {});
  }
}

void ClientCaches::set_known(ClientId client, const Told& told, sim::Time good_until) {
  const std::uint64_t entry = key(client, told.directory);
  Known* known = known_.find(entry);
  if (known == nullptr) {
    if (!leases_ && told.version == 0) return;
    known = &known_[entry];
  }
  // Answers may overtake one another: the newer version, and with it its lease, stays.
  if (told.version < known->version) return;
  *known = {told.version, good_until};
}

void ClientCaches::report(ReplicationResult& result) const {
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
  for (const LruCache& cache : caches_) {
    bytes += cache.bytes();
    entries += cache.size();
  }
  const auto add_figure = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  add_figure("client_cache/hits", counted_.hits);
  add_figure("client_cache/misses", counted_.misses);
  add_figure("client_cache/expired", counted_.expired);
  add_figure("client_cache/whole_paths", counted_.whole_paths);
  add_figure("client_cache/insertions", counted_.insertions);
  add_figure("client_cache/evictions", counted_.evictions);
  add_figure("client_cache/entries", entries);
  add_figure("client_cache/bytes", bytes);
}

}  // namespace recirc::model::client_cache
