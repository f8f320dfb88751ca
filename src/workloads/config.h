#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/config.h"
#include "workloads/arrival.h"
#include "workloads/computed_tree.h"
#include "workloads/mix_choice.h"
#include "workloads/popularity.h"
#include "workloads/trace/reader.h"

namespace recirc::workloads {

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

/// Whether all replications share a layout: the ring's seed and the placement's.
enum class Layout : std::uint8_t { fixed, per_replication };

struct StaticPopularity {
  static constexpr std::string_view kind = "static";
};
/// Cold files become the hottest, again and again: see HotIn.
struct HotInPopularity {
  static constexpr std::string_view kind = "hot_in";
  static constexpr std::string_view kind_doc =
      "Again and again the coldest files become the hottest (Fletch Exp#8).";
  sim::Duration period = sim::seconds(10);
  std::uint64_t count = 200;
};
/// Only paths that are cached, and all at one depth: see CachedPathsSource.
struct CachedPathsPopularity {
  static constexpr std::string_view kind = "cached_paths";
  static constexpr std::string_view kind_doc =
      "Cached paths at one depth, each as likely as another (Fletch Exp#1, the switch's peak).";
  std::uint32_t depth = 4;
  std::uint64_t files = 5'000;
};
using Popularity = std::variant<StaticPopularity, HotInPopularity, CachedPathsPopularity>;

/// `/workload`
struct WorkloadConfig {
  static constexpr std::uint64_t default_requests = 3'000'000;

  MixChoice mix;
  std::optional<std::uint64_t> requests;
  std::optional<sim::Duration> duration;
  std::uint64_t files = 31'981'446;
  double zipf = 0.9;
  double directory_writes = 0;
  Popularity popularity;
  Placement placement = Placement::shuffled;
  std::uint64_t placement_seed = 1;
  Layout layout = Layout::fixed;
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

constexpr sim::config::EnumName layout_names[] = {
    {"fixed", Layout::fixed, "by /workload/placement_seed and /cluster/ring/seed, in all of them"},
    {"per_replication", Layout::per_replication,
     "each replication draws both seeds anew, from its number and the run's seed"}};
inline std::span<const sim::config::EnumName> names_of(Layout) { return layout_names; }

constexpr sim::config::EnumName process_names[] = {
    {"poisson", OpenProcess::poisson, "exponential gaps"},
    {"periodic", OpenProcess::periodic, "equal gaps"}};
inline std::span<const sim::config::EnumName> names_of(OpenProcess) { return process_names; }

void describe(sim::config::Visitor& v, ClosedArrival& c);
void describe(sim::config::Visitor& v, PacedArrival& c);
void describe(sim::config::Visitor& v, OpenArrival& c);
void describe(sim::config::Visitor& v, RecordedArrival& c);
void describe(sim::config::Visitor& v, StaticPopularity& c);
void describe(sim::config::Visitor& v, HotInPopularity& c);
void describe(sim::config::Visitor& v, CachedPathsPopularity& c);
void describe(sim::config::Visitor& v, TreeSettings& c);
void describe(sim::config::Visitor& v, TraceSettings& c);
void describe(sim::config::Visitor& v, WorkloadConfig& c);
void validate(const WorkloadConfig& c, sim::config::Issues& issues);

namespace trace {
constexpr sim::config::EnumName format_names[] = {
    {"auto", Format::automatic, "told from the first lines"},
    {"hdfs_audit", Format::hdfs_audit, "HDFS audit log"},
    {"csv", Format::csv, "time,op,path[,dst]"}};
inline std::span<const sim::config::EnumName> names_of(Format) { return format_names; }
}  // namespace trace

}  // namespace recirc::workloads
