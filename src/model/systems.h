#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "model/scheme.h"

namespace recirc::model {

struct Config;

/// A value of `/system`.
struct System {
  std::string_view name;
  std::string_view doc;
  /// Sets what this system's configuration begins with, where that is not what Config{} has;
  /// nullptr: nothing.
  void (*set_defaults)(Config& config);
  /// Records in the switch are replaced by others while a run goes on.
  bool caches_in_switch;
  /// Its controller keeps a log of what it does to the switch.
  bool has_log;
  std::unique_ptr<Scheme> (*make)(const Config& config, const Topology& topology);
};

/// All systems, in the order in which they are listed.
std::span<const System> systems();
std::span<const std::string_view> system_names();
/// nullptr if there is none of that name.
const System* find_system(std::string_view name);
std::unique_ptr<Scheme> make_scheme(const Config& config, const Topology& topology);

}  // namespace recirc::model
