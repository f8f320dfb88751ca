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
  std::unique_ptr<Scheme> (*make)(const Config& config, const Topology& topology);
};

/// All systems, in the order in which they are listed.
std::span<const System> systems();
std::span<const std::string_view> system_names();
std::unique_ptr<Scheme> make_scheme(const Config& config, const Topology& topology);

}  // namespace recirc::model
