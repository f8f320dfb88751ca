#include "model/fletch/token_report.h"

#include <cstdint>

#include "model/fletch/eviction.h"
#include "sim/flat_map.h"

namespace recirc::model::fletch {
namespace {

// Fletch §VI.
constexpr std::uint64_t hash_and_token_bytes = 9;
constexpr std::uint64_t token_bytes = 1;

/// Paths in the maps of all servers: what each holds of the cache, and the directories above.
std::uint64_t server_entries(const Desk& desk) {
  const World& world = desk.world;
  sim::FlatMap<char> known;  // by server and path
  for (const CacheEntry::Index index : Eviction::everything(desk.directory)) {
    if (desk.directory[index].depth == 0) continue;
    workloads::PathId path = desk.directory[index].path;
    const std::uint64_t server = desk.owner(path).value();
    for (;; path = world.tree.parent(path)) {
      const std::uint64_t entry = server << 32U | path.value();
      if (known.find(entry) != nullptr) break;
      known[entry] = 1;
      if (world.tree.depth(path) == 0) break;
    }
  }
  return known.size();
}

}  // namespace

void report_tokens(const Desk& desk, const Clients& clients, ReplicationResult& result) {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  const TokenMap& tokens = desk.directory.tokens();
  const auto paths = static_cast<double>(tokens.paths());
  double pairs = paths * (paths - 1) / 2;
  for (unsigned bit = 0; bit < desk.keys.bits(); ++bit) pairs /= 2;
  add("tokens/paths", tokens.paths());
  add("tokens/collisions", tokens.collisions());
  add("tokens/sharing_pairs", tokens.sharing_pairs());
  result.summary.push_back({"tokens/birthday_pairs", pairs});
  add("tokens/switch_bytes", hash_and_token_bytes * desk.directory.entries());
  add("tokens/controller_bytes", (hash_and_token_bytes + token_bytes) * tokens.paths());
  add("tokens/servers_bytes", token_bytes * server_entries(desk));
  const ClientTokens* maps = clients.maps();
  add("tokens/clients_bytes",
      maps == nullptr ? 0 : token_bytes * maps->entries(desk.world.scheduler.now()));
  if (maps == nullptr) return;
  add("tokens/learned", maps->learned());
  add("tokens/expired", maps->expired());
}

}  // namespace recirc::model::fletch
