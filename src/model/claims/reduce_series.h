#pragma once

#include "model/result.h"

namespace recirc::model::claims {

// What happens to a series when popularity changes every `period_s` seconds. Both are in percent
// of the mean of the period before; only periods that the series covers whole count. NaN when there
// is none.

/// The shallowest of the dips: how far the lowest window of a period lies below the period before.
/// -12 says that every change cost at least 12 %.
double shallowest_dip(const NamedSeries& series, double period_s);

/// How far the last three seconds of a period are from the period before, where that is farthest.
double farthest_return(const NamedSeries& series, double period_s);

}  // namespace recirc::model::claims
