#pragma once

#include <string>

#include "model/experiment/engine.h"

namespace recirc::app {

/// The JSON Schema of "any" file under configs/, or of a "config", "sweep", "chip" or "program".
/// Throws UsageError when it is called something else.
model::experiment::Json schema_of(const std::string& what, const model::experiment::Engine& engine);

}  // namespace recirc::app
