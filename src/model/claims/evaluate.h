#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/claims/bindings.h"
#include "model/experiment/engine.h"
#include "model/experiment/scale.h"

namespace recirc::model::claims {

/// A configuration that claims need.
struct Needed {
  std::shared_ptr<const experiment::PreparedRun> run;
  std::string config;    ///< effective, as JSON text
  std::string identity;  ///< what tells it from others
  double takes_s = 0;    ///< about the processor time of a replication, in seconds
};

/// Finished replications by configuration, wherever they come from.
class Finished {
 public:
  void add(const std::string& identity, std::uint64_t seed, ReplicationResult result);
  [[nodiscard]] const ReplicationResult* find(const Needed& needed,
                                              std::uint64_t replication) const;

 private:
  std::map<std::pair<std::string, std::uint64_t>, std::map<std::uint64_t, ReplicationResult>> all_;
};

/// What came of one part of a claim.
struct PartOutcome {
  sim::Interval interval;
  Verdict verdict = Verdict::unavailable;
  std::string why_not;  ///< of an unavailable one
};

/// What came of a claim.
struct ClaimOutcome {
  const Claim* claim = nullptr;
  Verdict verdict = Verdict::withheld;  ///< the worst of its parts'
  std::vector<PartOutcome> parts;
  std::vector<std::string> fitted;  ///< settings whose values were fitted to this claim
};

/// The claims of a bindings file at one scale.
///
///     while (!(needed = evaluation.missing(finished)).empty()) run them, add them to `finished`;
///     evaluation.outcomes(finished);
///
/// Twice at most: the depth of a saturation follows from the counts of other runs.
class Evaluation {
 public:
  /// `only`: ids of claims, or beginnings of ids with a `*`; empty means all. `overrides`
  /// (POINTER=VALUE) go into every run. `alternative`: of these bindings, or null. Throws
  /// ConfigError when it names a claim that there is not.
  Evaluation(const Bindings& bindings, const experiment::Engine& engine,
             const experiment::Scale& scale, const std::vector<std::string>& overrides,
             const std::vector<std::string>& only, const Alternative* alternative = nullptr);
  ~Evaluation();

  struct Job {
    Needed needed;
    std::uint64_t replication = 0;
  };
  /// What is to be run now, each once, in the order of the claims.
  [[nodiscard]] std::vector<Job> missing(const Finished& finished);
  [[nodiscard]] std::vector<ClaimOutcome> outcomes(const Finished& finished);
  /// The assumed and fitted constants of the claims' runs, each once.
  [[nodiscard]] std::vector<sim::config::VariedField> varied(const Finished& finished);

 private:
  class Resolver;
  std::unique_ptr<Resolver> resolver_;
  std::vector<const Claim*> claims_;
};

}  // namespace recirc::model::claims
