#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "model/pages/page_world.h"

namespace recirc::pipeline {
class Program;
}

namespace recirc::model {

struct PageConfig;

/// A value of `/system` that names a file system with a page cache.
struct PageSystem {
  std::string_view name;
  std::string_view doc;
  /// Sets what this system's configuration begins with, where that is not what PageConfig{} has;
  /// nullptr: nothing.
  void (*set_defaults)(PageConfig& config);
  bool one_node;  ///< local: there is nothing between nodes
  /// A node sees what others have written when it opens the file anew.
  bool must_reopen;
  /// Of the switch between its nodes; nullptr: it has none.
  std::unique_ptr<pipeline::Program> (*make_program)(const PageConfig& config);
  std::unique_ptr<pages::PageSystem> (*make)(const PageConfig& config,
                                             const pages::PageWorld& world);
};

/// All of them, in the order in which they are listed.
std::span<const PageSystem> page_systems();
std::span<const std::string_view> page_system_names();
/// Every value of `/system`: those of systems.h, then these.
std::span<const std::string_view> every_system_name();
/// nullptr if there is none of that name.
const PageSystem* find_page_system(std::string_view name);

}  // namespace recirc::model
