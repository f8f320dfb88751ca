#pragma once

#include <cstdint>

#include "sim/rng.h"
#include "sim/time.h"

namespace recirc::sim {

enum class LawKind : std::uint8_t { constant, exponential, lognormal, uniform };

/// The law of a positive time with a given mean: a closed set, drawn without a virtual call.
struct ServiceLaw {
  LawKind kind = LawKind::exponential;
  double sigma = 1.0;  ///< lognormal only: standard deviation of the logarithm
};

/// Draws with mean 1. `exponential` and `uniform` (on [0, 2)) take one number of `rng`, so does
/// `lognormal` (normal by inversion); `constant` takes none.
double draw_factor(const ServiceLaw& law, CounterRng& rng);

/// A time of mean `mean` rounded to a picosecond; never negative, at most 2^62 ps (53 days).
Duration draw(const ServiceLaw& law, Duration mean, CounterRng& rng);

/// The quantile function of the standard normal law for 0 < p < 1 (Wichura 1988, AS 241;
/// relative error 1e-15).
double normal_quantile(double p);

/// Squared coefficient of variation of a law: what M/G/1 formulas need.
double squared_variation(const ServiceLaw& law);

}  // namespace recirc::sim
