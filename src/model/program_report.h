#pragma once

#include <optional>

#include "pipeline/diagnostics.h"

namespace recirc::model {

struct Config;
struct PageConfig;

/// What the program in the switch uses of the configured chip. Throws ConstraintViolation when the
/// configuration leaves no program to speak of.
pipeline::LayoutReport program_report(const Config& config);
/// Nothing: the system has no program in a switch.
std::optional<pipeline::LayoutReport> program_report(const PageConfig& config);

}  // namespace recirc::model
