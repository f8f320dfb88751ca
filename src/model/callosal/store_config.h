#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "sim/config.h"
#include "sim/time.h"
#include "sim/units.h"

namespace recirc::model::callosal {

/// A block store behind the memory blades.
struct StoreSpec {
  sim::Duration read{};
  sim::Duration write{};
  sim::BitsPerSecond bandwidth = sim::gigabits_per_second(1);
  std::uint32_t depth = 1;
};
void describe(sim::config::Visitor& v, StoreSpec& c);

struct NoStore {
  static constexpr std::string_view kind = "none";
  static constexpr std::string_view kind_doc = "There is none, as in the paper's prototype.";
};
void describe(sim::config::Visitor& v, NoStore& c);

struct NvmeStore : StoreSpec {
  static constexpr std::string_view kind = "nvme";
  static constexpr std::string_view kind_doc = "An NVMe drive.";
  NvmeStore();
};
struct NetworkStore : StoreSpec {
  static constexpr std::string_view kind = "network";
  static constexpr std::string_view kind_doc = "Disaggregated block storage, replicated.";
  NetworkStore();
};
using StoreChoice = std::variant<NoStore, NvmeStore, NetworkStore>;
/// nullptr: there is none.
[[nodiscard]] const StoreSpec* spec_of(const StoreChoice& choice);

/// Where pages are that files have at first.
enum class InitialPages : std::uint8_t { preloaded, absent };
constexpr sim::config::EnumName initial_pages_names[] = {
    {"preloaded", InitialPages::preloaded, "in the memory blades"},
    {"absent", InitialPages::absent, "in the block store alone"}};
inline std::span<const sim::config::EnumName> names_of(InitialPages) { return initial_pages_names; }

}  // namespace recirc::model::callosal
