#pragma once

#include <limits>
#include <optional>
#include <string_view>

#include "sim/statistics.h"

namespace recirc::model::claims {

/// Which values agree with what the paper says, in the claim's unit. At most one of target, least
/// and most; none of them for a value that is withheld.
struct Acceptance {
  std::optional<double> target;  ///< with a tolerance around it
  std::optional<double> least;   ///< at least this
  std::optional<double> most;    ///< at most this
  double relative = 0;           ///< tolerance as a share of the value ...
  double absolute = 0;           ///< ... or in the claim's unit, whichever is larger

  [[nodiscard]] bool given() const { return target || least || most; }
};

/// The values that are accepted, ends included.
struct Range {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
};
/// Around a target on both sides, beyond a bound on one. An exact target forgives rounding only.
Range range_of(const Acceptance& acceptance);

/// What came of a claim, or of a part of one.
enum class Verdict {
  pass,         ///< the 95 % interval lies inside what is accepted
  open,         ///< it straddles an end, or one replication gives none
  fail,         ///< it lies outside
  withheld,     ///< the paper's value is not known: no verdict
  unavailable,  ///< what the claim needs is not there
};
std::string_view name(Verdict verdict);

Verdict judge(const sim::Interval& interval, const Acceptance& acceptance);
/// Of the parts of a claim: the worst decides.
Verdict worse(Verdict a, Verdict b);

}  // namespace recirc::model::claims
