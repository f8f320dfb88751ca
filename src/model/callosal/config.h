#pragma once

#include <cstdint>
#include <span>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::callosal {

/// When a writer may go on.
enum class Grant : std::uint8_t {
  wait_all,  ///< when all who held the page have dropped it: the switch says so
  early,     ///< as soon as it has the page (MIND's TSO)
};
constexpr sim::config::EnumName grant_names[] = {
    {"wait_all", Grant::wait_all, "when the last holder has said that its copy is gone"},
    {"early", Grant::early, "as soon as the page is there (MIND with TSO)"}};
inline std::span<const sim::config::EnumName> names_of(Grant) { return grant_names; }

/// `/callosal`: the nodes of Callosal on MIND.
struct CallosalSettings {
  Grant grant = Grant::wait_all;
  std::uint32_t region_pages = 4;
  std::uint32_t local_batch = 1;
  sim::Duration version_check = sim::nanoseconds(20);
  sim::Duration post = sim::microseconds(1);
  sim::Duration install = sim::microseconds(1);
  sim::Duration pick_up = sim::nanoseconds(500);
  sim::Duration serve = sim::microseconds(3);
  sim::Duration back_off = sim::microseconds(50);
  std::uint32_t longest_back_off = 4;
  std::uint32_t blades = 1;
  sim::Duration blade_read = sim::nanoseconds(1200);
  sim::Duration host_delay = sim::nanoseconds(600);
};

void describe(sim::config::Visitor& v, CallosalSettings& c);
void validate(const CallosalSettings& c, sim::config::Issues& issues);

}  // namespace recirc::model::callosal
