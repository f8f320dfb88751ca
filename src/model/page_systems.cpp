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

constexpr std::array all_systems = {
    PageSystem{"callosal", "page caches made coherent by a directory in the switch (Callosal)",
               [](PageConfig& config) { config.rmt_switch.max_recirculations = 1'000'000; }, false,
               false,
               [](const PageConfig& config) {
                 return std::move(callosal::make_rack(config.callosal, config.rmt_switch,
                                                      config.cluster.nodes, 0)
                                      .program);
               },
               [](const PageConfig& config, const pages::PageWorld& world) {
                 return std::unique_ptr<pages::PageSystem>(std::make_unique<callosal::Callosal>(
                     world, config.callosal, config.rmt_switch));
               }},
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
