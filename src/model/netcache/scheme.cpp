#include "model/netcache/scheme.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "model/netcache/clients.h"
#include "model/netcache/controller.h"
#include "model/netcache/servers.h"
#include "pipeline/programs/netcache/layout.h"
#include "pipeline/programs/netcache/program.h"
#include "pipeline/switch.h"
#include "sim/error.h"

namespace recirc::model::netcache {

namespace {

namespace program = pipeline::programs::netcache;

program::Wiring wiring_of(const Settings& settings, const Topology& topology) {
  program::Wiring wiring;
  for (std::size_t i = 0; i < topology.endpoints(); ++i) {
    const EndpointId endpoint{static_cast<EndpointId::rep>(i)};
    wiring.ports.push_back(topology.port(endpoint));
    wiring.sessions.push_back(topology.session(endpoint));
  }
  wiring.controller = topology.controller.endpoint.value();
  wiring.reports = settings.admission;
  wiring.threshold = settings.threshold;
  wiring.sampled = static_cast<std::uint32_t>(settings.own.sampling * 65'536);
  return wiring;
}

/// The cache in the switch beside what the servers hold.
struct Audit {
  std::uint64_t invalid = 0;
  std::uint64_t different = 0;
  std::uint64_t misplaced = 0;
};

Audit audit(const World& world, const Store& store) {
  const pipeline::PipeId pipe = world.topology.server_pipe;
  const auto word = [&](pipeline::ArrayId array, std::uint32_t index) {
    return world.rmt_switch.array(pipe, protocol, array).load(index).low;
  };
  Audit found;
  for (const Store::Item item : store.cached()) {
    const program::Location where = Store::location(item);
    const auto match =
        world.rmt_switch.table(protocol, Store::table(item)).lookup(store.match_key(item));
    if (!match.hit || match.result != pipeline::match_result(where)) ++found.misplaced;
    if (word(program::validity_array, item) == 0) {
      ++found.invalid;
      continue;
    }
    const MetadataSlots slots = to_slots(world.state.metadata(store.path(item)));
    const unsigned first = item % program::records_per_row * program::max_slots;
    bool same = true;
    for (unsigned i = 0; i < slots.size(); ++i) {
      const std::uint64_t low = word(program::value_array(2 * (first + i)), where.row);
      const std::uint64_t high = word(program::value_array(2 * (first + i) + 1), where.row);
      same = same && ((high << 32U) | low) == slots[i];
    }
    if (!same) ++found.different;
  }
  return found;
}

std::uint64_t most_items(const Settings& settings, const workloads::Namespace& tree) {
  if (!settings.share) return settings.own.items;
  const double share = *settings.share * static_cast<double>(tree.size());
  return std::min<std::uint64_t>(settings.own.items, static_cast<std::uint64_t>(share));
}

/// What there is once the world around the scheme stands.
struct Parts {
  Parts(const World& world_, const Settings& settings)
      : world(world_),
        store(most_items(settings, world.tree)),
        clients(world),
        servers(world),
        controller(world, settings, store) {
    preload(settings);
  }

  void preload(const Settings& settings) {
    Store::Operations operations;
    const std::uint64_t files = settings.share ? program::most_items : settings.files;
    for (const workloads::PathId path : world.source.hottest(files)) {
      if (store.is_full() || !world.state.exists(path)) continue;
      const Store::Item item = store.add(path, world.tree.key(path));
      operations.clear();
      store.append_record(operations, world.topology.server_pipe, item, world.state.metadata(path));
      store.append_lookup(operations, item);
      world.control.set_up(operations);
      servers.cached_at_start(path);
      ++preloaded;
    }
  }

  World world;
  Store store;
  Clients clients;
  Servers servers;
  Controller controller;
  std::uint64_t preloaded = 0;
};

class NetCache final : public Scheme {
 public:
  NetCache(const Settings& settings, const Topology& topology)
      : settings_(settings), program_(program::make_program(wiring_of(settings, topology))) {}

  pipeline::Program& program() override { return *program_; }
  void connect(World& world) override { parts_.emplace(world, settings_); }
  ClientProtocol& clients() override { return parts_->clients; }
  ServerProtocol& servers() override { return parts_->servers; }
  Endpoint* controller() override { return &parts_->controller; }
  void start() override { parts_->controller.start(); }
  void stop() override { parts_->controller.stop(); }
  void report(ReplicationResult& result) const override;
  void check_idle() const override;

 private:
  Settings settings_;
  std::unique_ptr<pipeline::Program> program_;
  std::optional<Parts> parts_;
};

/// Records may differ from what the servers hold: what a directory passes on to all below it does
/// not reach a cache that knows no directories. report() tells how many do.
void NetCache::check_idle() const {
  const auto& drops = parts_->world.rmt_switch.counters().drops;
  if (drops[static_cast<std::size_t>(pipeline::DropReason::queue_full)] != 0) return;
  const auto require = [](bool holds, const char* what) {
    if (!holds) {
      throw sim::InvariantBroken(std::string(what) +
                                 " when nothing is in flight and nothing was lost");
    }
  };
  require(parts_->servers.waiting_now() == 0, "writes are kept back by servers");
  require(!parts_->controller.is_busy(), "the controller waits for an answer");
  const Audit found = audit(parts_->world, parts_->store);
  require(found.invalid == 0, "cached items are not valid");
  require(found.misplaced == 0, "the lookup tables are not what the controller has written");
}

void NetCache::report(ReplicationResult& result) const {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  const Audit left = audit(parts_->world, parts_->store);
  add("locks_leaked", 0);  // a figure of every system
  add("unpermitted_answers", parts_->clients.unpermitted());
  add("cache/unreadable_records", left.invalid);
  add("cache/different_records", left.different);
  add("cache/writes_left_waiting", parts_->servers.waiting_now());
  add("cache/preloaded_files", parts_->preloaded);
  add("cache/entries", parts_->store.entries());
  add("cache/record_updates", parts_->servers.record_updates());
  add("cache/parked_writes", parts_->servers.parked_writes());
  report_admissions(parts_->controller.counters(), result);
  result.summary.push_back(
      {"controller/stuck", parts_->controller.is_busy() ? 1.0 : 0.0, Figure::Kind::flag});
}

}  // namespace

std::unique_ptr<Scheme> make_netcache(const Settings& settings, const Topology& topology) {
  return std::make_unique<NetCache>(settings, topology);
}

}  // namespace recirc::model::netcache
