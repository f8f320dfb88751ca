#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/config.h"
#include "workloads/arrival.h"
#include "workloads/computed_tree.h"
#include "workloads/file_ops.h"
#include "workloads/popularity.h"
#include "workloads/trace/reader.h"

namespace recirc::workloads {

// The papers' mixes as choices of a configuration: "linkedin" or {"kind": "custom", "stat": 1}.
struct AlibabaMix {
  static constexpr std::string_view kind = "alibaba";
};
struct TrainingMix {
  static constexpr std::string_view kind = "training";
};
struct ThumbMix {
  static constexpr std::string_view kind = "thumb";
};
struct LinkedinMix {
  static constexpr std::string_view kind = "linkedin";
};
struct CustomMix {
  static constexpr std::string_view kind = "custom";
  static constexpr std::string_view kind_doc = "A mix of your own, by the operations' weights.";
  OpWeights weights{};
};
using MixChoice = std::variant<LinkedinMix, AlibabaMix, TrainingMix, ThumbMix, CustomMix>;

/// The weights of a mix.
const OpWeights& weights_of(const MixChoice& mix);

/// `/workload/tree`
struct TreeSettings {
  std::uint32_t branching = 4;
  std::uint32_t levels = 8;
  std::uint32_t longest_path = 198;

  bool operator==(const TreeSettings&) const = default;
};

/// `/workload/trace`: a recorded log instead of a mix.
struct TraceSettings {
  std::string file;
  trace::Format format = trace::Format::automatic;
  bool strict = false;
};

/// `/workload`
struct WorkloadConfig {
  static constexpr std::uint64_t default_requests = 3'000'000;

  MixChoice mix;
  std::optional<std::uint64_t> requests;
  std::uint64_t files = 31'981'446;
  double zipf = 0.9;
  Placement placement = Placement::shuffled;
  std::uint64_t placement_seed = 1;
  TreeSettings tree;
  std::optional<TraceSettings> trace;
  Arrival arrival;

  [[nodiscard]] TreeShape shape() const {
    return {tree.branching, tree.levels, files, tree.longest_path};
  }
};

constexpr sim::config::EnumName placement_names[] = {
    {"shuffled", Placement::shuffled, "a fixed random order"},
    {"shallow_first", Placement::shallow_first, "hot files near the root"},
    {"deep_first", Placement::deep_first, "hot files deep"}};
inline std::span<const sim::config::EnumName> names_of(Placement) { return placement_names; }

constexpr sim::config::EnumName process_names[] = {
    {"poisson", OpenProcess::poisson, "exponential gaps"},
    {"periodic", OpenProcess::periodic, "equal gaps"}};
inline std::span<const sim::config::EnumName> names_of(OpenProcess) { return process_names; }

void describe(sim::config::Visitor& v, AlibabaMix& c);
void describe(sim::config::Visitor& v, TrainingMix& c);
void describe(sim::config::Visitor& v, ThumbMix& c);
void describe(sim::config::Visitor& v, LinkedinMix& c);
void describe(sim::config::Visitor& v, CustomMix& c);
void describe(sim::config::Visitor& v, ClosedArrival& c);
void describe(sim::config::Visitor& v, PacedArrival& c);
void describe(sim::config::Visitor& v, OpenArrival& c);
void describe(sim::config::Visitor& v, RecordedArrival& c);
void describe(sim::config::Visitor& v, TreeSettings& c);
void describe(sim::config::Visitor& v, TraceSettings& c);
void describe(sim::config::Visitor& v, WorkloadConfig& c);
void validate(const CustomMix& c, sim::config::Issues& issues);
void validate(const WorkloadConfig& c, sim::config::Issues& issues);

namespace trace {
constexpr sim::config::EnumName format_names[] = {
    {"auto", Format::automatic, "told from the first lines"},
    {"hdfs_audit", Format::hdfs_audit, "HDFS audit log"},
    {"csv", Format::csv, "time,op,path[,dst]"}};
inline std::span<const sim::config::EnumName> names_of(Format) { return format_names; }
}  // namespace trace

}  // namespace recirc::workloads
