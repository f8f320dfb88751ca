#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/claims/verdict.h"
#include "sim/config.h"

namespace recirc::model::claims {

using Json = nlohmann::ordered_json;

/// A configuration or sweep that claims are computed from, under a name.
struct RunBinding {
  std::string name;
  std::string file;  ///< relative to the bindings; of a sweep, each operand chooses a value an axis
  std::string set;   ///< settings of all its points, as JSON text
  std::uint32_t replications = 5;
  bool scaled = true;  ///< false: its requests are a length of time (a fault's), and stay
  /// To estimate the time it takes: operations a second of one thread ...
  double speed = 300'000;
  double takes_s = 10;  ///< ... and, where a duration ends a replication, what that takes
};

/// Other settings of the system that the claims are about, under which all rows are computed once
/// more: its baselines stay as they are.
struct Alternative {
  std::string name;
  std::string about;
  std::string set;                  ///< settings, as JSON text
  std::vector<std::string> fitted;  ///< claims that they were chosen for
};

/// A setting of a run and one figure of it: a number a replication.
struct Operand {
  std::string run;
  std::string figure = "throughput_ops_per_s";  ///< of a phase: "non_destructive:latency_mean_us"
  std::string select;                           ///< settings, as JSON text
  /// Depth of the cached paths is the recirculation count of this other run, rounded up, less 2;
  /// the number is the saturating rate (Fletch §IX-B).
  std::optional<std::string> saturate_at;
};

/// What is made of the numbers of each replication.
enum class Reduce : std::uint8_t {
  mean,        ///< the figure
  ratio,       ///< the figure over the other operand's
  gain,        ///< ... less 1, in percent
  cut,         ///< 1 less the ratio, in percent
  difference,  ///< the figure less the other's
  dip,         ///< of a series: the shallowest dip after a change, in percent of the period before
  recovery,    ///< of a series: how far from the period before the last 3 s of a period end, in %
  programs,    ///< no run: what the switch's program declares (see figure)
};

/// What is made of the numbers of several settings.
enum class Combine : std::uint8_t { mean, least, most, farthest };

/// Settings that both operands take, and what is subtracted then.
struct Variation {
  std::string select;
  double minus = 0;
};

/// One number of a claim with what is accepted.
struct Part {
  std::string label;
  Reduce reduce = Reduce::mean;
  Operand of;
  std::optional<Operand> to;
  std::vector<Variation> over;
  Combine combine = Combine::mean;
  double times = 1;     ///< into the claim's unit
  double period_s = 0;  ///< of a series
  bool beside = false;  ///< shown with the claim, and decides nothing
  Acceptance accept;
};

/// A claim of the paper, as the list of claims states it, and what it is computed from.
struct Claim {
  std::string id;
  std::string where;
  std::string statement;
  std::string value;  ///< JSON text; null when withheld
  std::string unit;
  std::string tolerance;
  std::string status;
  std::string note, role, direction, predicate;
  std::string mark;  ///< "input": the model was given this value
  std::vector<Part> parts;

  [[nodiscard]] bool given() const { return status == "given"; }
};

/// A bindings file, experiments/claims/SYSTEM.json.
struct Bindings {
  std::string system;
  std::string about;
  std::vector<RunBinding> runs;
  std::vector<Alternative> alternatives;
  std::vector<Claim> claims;
  std::filesystem::path folder;  ///< of the file

  [[nodiscard]] const RunBinding* find_run(const std::string& name) const;
};

std::span<const sim::config::EnumName> names_of(Reduce);
std::span<const sim::config::EnumName> names_of(Combine);
void describe(sim::config::Visitor& v, Acceptance& a);
void describe(sim::config::Visitor& v, RunBinding& r);
void describe(sim::config::Visitor& v, Alternative& a);
void describe(sim::config::Visitor& v, Operand& o);
void describe(sim::config::Visitor& v, Variation& c);
void describe(sim::config::Visitor& v, Part& p);
void describe(sim::config::Visitor& v, Claim& c);
void describe(sim::config::Visitor& v, Bindings& b);

/// Throws InputOutputError, or ConfigError with everything that is wrong.
Bindings load_bindings(const std::filesystem::path& path);

}  // namespace recirc::model::claims
