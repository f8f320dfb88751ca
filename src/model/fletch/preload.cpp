#include "model/fletch/preload.h"

#include <algorithm>
#include <vector>

#include "model/fletch/cacheable.h"
#include "model/fletch/records.h"
#include "pipeline/programs/fletch/layout.h"
#include "sim/flat_map.h"

namespace recirc::model::fletch {

namespace {

class Preload {
 public:
  Preload(Desk& desk, Servers& servers, Clients& clients, const NetworkSettings& network)
      : desk_(desk), servers_(servers), clients_(clients), network_(network) {}

  /// A path with its uncached ancestors. False when it cannot be in the cache or has no room;
  /// ancestors that had some stay.
  bool add(workloads::PathId path) {
    const workloads::Namespace& tree = desk_.world.tree;
    if (!is_cacheable(tree.depth(path), tree.path_length(path), network_)) return false;
    if (!desk_.world.state.exists(path)) return false;
    return add(path, desk_.home(path));
  }
  bool add(workloads::PathId path, std::uint8_t pipe) {
    const workloads::Namespace& tree = desk_.world.tree;
    chain_.clear();
    for (workloads::PathId p = path; !desk_.directory.contains(p, pipe); p = tree.parent(p)) {
      chain_.push_back(p);
      if (tree.depth(p) == 0) break;
    }
    while (!chain_.empty()) {
      if (!install(chain_.back(), pipe)) return false;
      chain_.pop_back();
    }
    return true;
  }

 private:
  bool install(workloads::PathId path, std::uint8_t pipe) {
    const Metadata metadata = desk_.world.state.metadata(path);
    CacheEntry::Index index = CacheEntry::none;
    const auto failure = desk_.directory.add(path, pipe, metadata.slots(), index);
    if (failure == CacheDirectory::Failure::no_token) ++desk_.counters.token_overflows;
    if (failure != CacheDirectory::Failure::none) return false;
    operations_.clear();
    const CacheEntry& entry = desk_.directory[index];
    append_record(operations_, desk_.pipe_of(entry), entry, metadata);
    append_lookups(operations_, entry, desk_.directory.copies(path));
    desk_.world.control.set_up(operations_);
    desk_.log.write(ActiveLog::Event::admitted, entry, metadata.version);
    desk_.leaves.added(index);
    servers_.cached_at_start(path, desk_.directory.copies(path));
    clients_.cached_at_start(path, desk_.directory[index].token);
    return true;
  }

  Desk& desk_;
  Servers& servers_;
  Clients& clients_;
  const NetworkSettings& network_;
  std::vector<workloads::PathId> chain_;
  std::vector<pipeline::ControlOperation> operations_;
};

/// What a full cache would hold of a workload of which this run is a part.
struct Plan {
  std::vector<workloads::PathId> concerned;  ///< of them, what this part can ask for
  Preloaded whole;
};

Plan plan_of(const World& world, const std::vector<workloads::PathId>& hottest,
             const NetworkSettings& network) {
  const workloads::Namespace& tree = world.tree;
  Plan plan;
  sim::FlatMap<char> seen;
  for (workloads::PathId path : hottest) {
    if (!is_cacheable(tree.depth(path), tree.path_length(path), network) ||
        !world.state.exists(path)) {
      ++plan.whole.left_out;
      continue;
    }
    ++plan.whole.files;
    for (; seen.find(path.value()) == nullptr; path = tree.parent(path)) {
      seen[path.value()] = 1;
      if (world.source.concerns(path)) plan.concerned.push_back(path);
      if (tree.depth(path) == 0) break;
    }
  }
  plan.whole.entries = seen.size();
  return plan;
}

/// A cache that only answers, and from which nothing is taken: what a part of a workload cannot ask
/// for makes no difference to it.
bool is_spectator(const Desk& desk, const CacheSettings& cache) {
  return desk.world.source.is_part() && desk.settings.admission == AdmissionPolicy::off &&
         desk.keys.are_whole() && !cache.share && !desk.mail.is_reliable() &&
         desk.directory.pipes() == 1;  // else how many copies there are depends on who asks
}

}  // namespace

std::uint64_t most_entries(const CacheSettings& cache, const workloads::Namespace& tree) {
  if (!cache.share) return pipeline::programs::fletch::cached_records;
  // Whatever the share, the root is in the cache (Fletch §III-A).
  const double share = *cache.share * static_cast<double>(tree.size());
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share));
}

Preloaded preload(Desk& desk, Servers& servers, Clients& clients, const CacheSettings& cache,
                  const NetworkSettings& network) {
  Preload preload(desk, servers, clients, network);
  Preloaded done;
  if (preload.add(workloads::PathId{0})) {
    for (std::uint8_t pipe = 0; pipe < desk.directory.pipes(); ++pipe) {
      preload.add(workloads::PathId{0}, pipe);
    }
  }
  const std::uint64_t files =
      cache.share ? pipeline::programs::fletch::cached_records : cache.files;
  const auto hottest = desk.world.source.hottest(files);
  if (is_spectator(desk, cache)) {
    constexpr std::uint64_t records_in_any_row = RowAllocator::slots_per_row / Metadata::file_slots;
    const Plan plan = plan_of(desk.world, hottest, network);
    const std::uint64_t room = std::min<std::uint64_t>(cache.rows * records_in_any_row,
                                                       most_entries(cache, desk.world.tree));
    if (plan.whole.entries <= room) {
      for (const workloads::PathId path : plan.concerned) preload.add(path);
      return plan.whole;
    }
  }
  for (const workloads::PathId path : hottest) {
    ++(preload.add(path) ? done.files : done.left_out);
  }
  done.entries = desk.directory.entries();
  return done;
}

}  // namespace recirc::model::fletch
