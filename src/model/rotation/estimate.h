#pragma once

#include <span>

namespace recirc::model::rotation {

/// What one rotation gave, in operations a second: the bottleneck server b beside server i.
struct Rates {
  double bottleneck = 0;   ///< B_i: answered by b
  double rotated = 0;      ///< T_i: answered by i
  double switch_hits = 0;  ///< S_i: of i's paths, answered by the switch
};

/// The throughput of all servers together as the paper estimates it (Fletch §IX-A and the scripts
/// of its prototype). With B the largest of all B_i and T_i:
///
///     B + sum over i of (T_i + S_i) * B / B_i
///
/// Every rotation is scaled up to the best one, so noise in B_i raises the estimate, and so does a
/// rotation in which b was not the bottleneck. Rotations in which b answered nothing are left out.
struct Estimate {
  double best = 0;       ///< B
  double aggregate = 0;  ///< the estimate
  /// The same without the scaling: the mean of B_i, and T_i and S_i as they are.
  double unscaled = 0;
  std::size_t overtaken = 0;  ///< rotations with T_i > B_i
};
Estimate estimate(std::span<const Rates> rotations);

}  // namespace recirc::model::rotation
