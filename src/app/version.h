#pragma once

#include <string_view>

namespace recirc::app {

/// The project's version, e.g. "0.1.0".
std::string_view version();

/// The commit this was built from, "-dirty" added when files differ from it, or "unknown" (built
/// from an archive, without git, or from a checkout that belongs to another user). Written into
/// every result; generated at build time by cmake/revision.cmake.
std::string_view revision();

}  // namespace recirc::app
