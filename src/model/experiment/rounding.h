#pragma once

#include "model/result.h"

namespace recirc::model::experiment {

/// `value` with nine significant digits: what a result says, so that the last bits of a sum cannot
/// tell machines apart.
double nine_digits(double value);

/// Rounds every figure and series of `result`. Everything computed over replications starts from
/// rounded figures, so a reader of the result file can do the sums again.
void round_figures(ReplicationResult& result);

}  // namespace recirc::model::experiment
