#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session.h"
#include "model/claims/evaluate.h"
#include "model/experiment/point_file.h"

namespace recirc::app {

/// Finished replications in a file of their own, so that none is run twice by one build.
class ClaimPoints {
 public:
  /// Throws InputOutputError, ConfigError when the file is another system's.
  ClaimPoints(const std::string& path, const std::string& system, const std::string& build);

  void keep(const model::claims::Needed& needed, model::ReplicationResult result);
  [[nodiscard]] const model::claims::Finished& finished() const { return finished_; }

 private:
  std::string build_;
  std::optional<model::experiment::PointWriter> writer_;
  model::claims::Finished finished_;
};

/// The point file that --points names, or results/claims/SYSTEM.points.jsonl.
ClaimPoints open_points(const Parsed& parsed, const std::string& system,
                        const Environment& environment);

/// The scale that --scale names, or small. Throws UsageError.
const model::experiment::Scale& scale_of(const Parsed& parsed);
void tell_scale(const model::experiment::Scale& scale, const Parsed& parsed,
                Environment& environment);

/// Runs what the evaluations lack, counts first and then what follows from them, and says
/// beforehand about how long it takes, by the bindings. Incomplete when it was interrupted.
Execution run_missing(const std::vector<model::claims::Evaluation*>& evaluations,
                      ClaimPoints& points, const Parsed& parsed, Environment& environment);

}  // namespace recirc::app
