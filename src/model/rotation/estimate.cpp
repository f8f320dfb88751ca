#include "model/rotation/estimate.h"

#include <algorithm>

namespace recirc::model::rotation {

Estimate estimate(std::span<const Rates> rotations) {
  Estimate result;
  double sum_of_bottleneck = 0;
  for (const Rates& r : rotations) {
    result.best = std::max({result.best, r.bottleneck, r.rotated});
    sum_of_bottleneck += r.bottleneck;
    if (r.rotated > r.bottleneck) ++result.overtaken;
  }
  if (rotations.empty()) return result;
  result.aggregate = result.best;
  result.unscaled = sum_of_bottleneck / static_cast<double>(rotations.size());
  for (const Rates& r : rotations) {
    const double others = r.rotated + r.switch_hits;
    if (r.bottleneck > 0) result.aggregate += others * (result.best / r.bottleneck);
    result.unscaled += others;
  }
  return result;
}

}  // namespace recirc::model::rotation
