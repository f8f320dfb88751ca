#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workloads/namespace.h"
#include "workloads/trace/problems.h"
#include "workloads/trace/reader.h"

namespace recirc::workloads::trace {

/// What `recirc check TRACE` reports of a trace.
struct TraceSummary {
  std::string file;
  Format format = Format::automatic;
  std::uint64_t lines = 0;
  std::uint64_t operations = 0;  ///< usable requests
  std::uint64_t denied = 0;      ///< of them with allowed=false
  std::array<std::uint64_t, op_kind_count> by_kind{};
  std::map<std::string, std::uint64_t> by_command;  ///< usable requests by logged command
  std::uint64_t paths_named = 0;                    ///< distinct paths that a request names
  std::uint64_t paths = 0;                          ///< with all their ancestors and the root
  std::uint64_t directories = 0;
  std::uint64_t paths_at_start = 0;
  unsigned longest_path = 0;                            ///< bytes
  std::array<std::uint64_t, max_depth + 1> by_depth{};  ///< named paths by levels below the root
  double span_s = 0;                                    ///< last recorded time less the first
  Problems problems;
};

/// Reads a whole trace, runs nothing. Throws InputOutputError as Reader does, and with `strict`
/// also if the trace has problems, listing them.
TraceSummary summarise(const std::filesystem::path& file, Format format = Format::automatic,
                       bool strict = false);

/// The summary as JSON, under the names of the members.
nlohmann::ordered_json json(const TraceSummary& summary);

/// The summary for people, several lines, each ended by a newline.
std::string text(const TraceSummary& summary);

}  // namespace recirc::workloads::trace
