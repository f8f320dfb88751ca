#pragma once

#include <cstdint>
#include <span>

#include "sim/config.h"

namespace recirc::model::verify {

enum class OnViolation : std::uint8_t { report, error };
constexpr sim::config::EnumName on_violation_names[] = {
    {"report", OnViolation::report, "the run's figures count it"},
    {"error", OnViolation::error, "the run ends with exit code 5"}};
inline std::span<const sim::config::EnumName> names_of(OnViolation) { return on_violation_names; }

/// `/verify` of the systems that cache pages: what is checked while a run goes on.
struct PageVerifySettings {
  bool real_time = true;
  bool linearizable = false;
  std::uint32_t calls_a_page = 1'000;
  bool swmr = false;
  OnViolation violations = OnViolation::report;
};

void describe(sim::config::Visitor& v, PageVerifySettings& c);

}  // namespace recirc::model::verify
