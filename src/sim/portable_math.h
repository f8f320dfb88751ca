#pragma once

namespace recirc::sim {

/// Elementary functions built from + - * / only, so that a run gives the same bytes on every
/// machine; libm's differ between versions and CPUs. They need IEEE doubles and -ffp-contract=off.
///
/// Errors stay below 2 ulp, those of expm1 and log1p below 4. Subnormal results are not rounded
/// correctly. NaN gives NaN; infinities, zeros and overflow behave as in C.
double exp(double x);
double expm1(double x);
/// Natural logarithm; -infinity for 0, NaN below.
double log(double x);
double log1p(double x);
/// x to the power y for x >= 0; NaN for a negative x.
double pow(double x, double y);
double sqrt(double x);

}  // namespace recirc::sim
