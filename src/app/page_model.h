#pragma once

#include <memory>

#include "model/experiment/engine.h"

namespace recirc::app {

/// A configuration of a file system that caches pages, read and checked. Throws ConfigError.
std::shared_ptr<const model::experiment::PreparedRun> prepare_pages(
    const sim::config::Document& user);

}  // namespace recirc::app
