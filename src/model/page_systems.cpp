#include "model/page_systems.h"

#include <array>
#include <utility>
#include <vector>

#include "model/callosal/callosal.h"
#include "model/cephfs/cephfs.h"
#include "model/local_fs/local_fs.h"
#include "model/nfs/nfs.h"
#include "model/page_config.h"
#include "model/systems.h"

namespace recirc::model {
namespace {

std::unique_ptr<pages::PageSystem> make_local(const PageConfig& config,
                                              const pages::PageWorld& world) {
  return std::make_unique<local_fs::LocalFs>(world, config.local_fs);
}

std::unique_ptr<pipeline::Program> make_directory(const PageConfig& config) {
  return std::move(
      callosal::make_rack(config.callosal, config.rmt_switch, config.cluster.nodes, 0).program);
}

std::unique_ptr<pages::PageSystem> make_callosal(const PageConfig& config,
                                                 const pages::PageWorld& world) {
  return std::make_unique<callosal::Callosal>(world, config.callosal, config.rmt_switch);
}

void set_callosal(PageConfig& config) { config.rmt_switch.max_recirculations = 1'000'000; }

/// Loads and stores in place of calls: copying 4 KiB takes 27 to 38 ns, and a word that others have
/// written a cache line's transfer.
void set_mind(PageConfig& config) {
  set_callosal(config);
  config.callosal.grant = pipeline::programs::directory::GrantPolicy::early;
  config.callosal.inode_locks = false;
  config.callosal.version_check = {};
  config.callosal.splitting = callosal::BoundedSplitting{};
  config.node.read_hit = config.node.write_hit = sim::nanoseconds(35);
  config.node.lock_handoff = config.node.line_transfer;
  config.node.line_transfer = {};
}

constexpr std::array all_systems = {
    PageSystem{"callosal", "page caches made coherent by a directory in the switch (Callosal)",
               &set_callosal, false, false, &make_directory, &make_callosal},
    PageSystem{"mind", "memory shared by all nodes' threads, without files (MIND alone)", &set_mind,
               false, false, &make_directory, &make_callosal},
    PageSystem{
        "nfs", "clients of one server that make sure of nothing until they close (Callosal §6)",
        nullptr, false, true, nullptr,
        [](const PageConfig& config, const pages::PageWorld& world) {
          return std::unique_ptr<pages::PageSystem>(std::make_unique<nfs::Nfs>(world, config.nfs));
        }},
    PageSystem{"cephfs", "clients that may cache a file as long as nobody shares it (Callosal §6)",
               nullptr, false, false, nullptr,
               [](const PageConfig& config, const pages::PageWorld& world) {
                 return std::unique_ptr<pages::PageSystem>(
                     std::make_unique<cephfs::Cephfs>(world, config.cephfs));
               }},
    PageSystem{"ext4", "one node's page cache over a local disk (Callosal §6)",
               [](PageConfig& config) {
                 config.cluster.nodes = 1;
                 config.local_fs = local_fs::LocalFsSettings::ext4();
               },
               true, false, nullptr, &make_local},
    PageSystem{"tmpfs", "one node's memory, with the page cache's paths (Callosal §6)",
               [](PageConfig& config) {
                 config.cluster.nodes = 1;
                 config.local_fs = local_fs::LocalFsSettings::tmpfs();
               },
               true, false, nullptr, &make_local},
};

constexpr auto all_names = [] {
  std::array<std::string_view, all_systems.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = all_systems[i].name;
  return names;
}();

}  // namespace

std::span<const PageSystem> page_systems() { return all_systems; }

std::span<const std::string_view> page_system_names() { return all_names; }

std::span<const std::string_view> every_system_name() {
  static const std::vector<std::string_view> names = [] {
    const auto others = system_names();
    std::vector<std::string_view> all(others.begin(), others.end());
    all.insert(all.end(), all_names.begin(), all_names.end());
    return all;
  }();
  return names;
}

const PageSystem* find_page_system(std::string_view name) {
  for (const PageSystem& system : all_systems) {
    if (system.name == name) return &system;
  }
  return nullptr;
}

}  // namespace recirc::model
