#include "sim/distributions.h"

#include <array>

#include "sim/portable_math.h"

namespace recirc::sim {
namespace {

using Coefficients = std::array<double, 8>;

/// A rational function of AS 241: both polynomials from the highest power down.
struct Rational {
  Coefficients above;
  Coefficients below;

  [[nodiscard]] double operator()(double r) const {
    double p = above[0];
    double q = below[0];
    for (std::size_t i = 1; i < above.size(); ++i) {
      p = p * r + above[i];
      q = q * r + below[i];
    }
    return p / q;
  }
};

constexpr Rational centre{
    {2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
     4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
     1.3314166789178437745e+2, 3.3871328727963666080e+0},
    {5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
     2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
     4.2313330701600911252e+1, 1.0}};
constexpr Rational tail{
    {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
     4.63033784615654529590e+0, 1.42343711074968357734e+0},
    {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e+0,
     2.05319162663775882187e+0, 1.0}};
constexpr Rational far_tail{
    {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
     5.46378491116411436990e+0, 6.65790464350110377720e+0},
    {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
     5.99832206555887937690e-1, 1.0}};

}  // namespace

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (q <= 0.425 && q >= -0.425) return q * centre(0.180625 - q * q);
  const double r = sqrt(-log(q < 0 ? p : 1.0 - p));
  const double x = r <= 5.0 ? tail(r - 1.6) : far_tail(r - 5.0);
  return q < 0 ? -x : x;
}

double draw_factor(const ServiceLaw& law, CounterRng& rng) {
  switch (law.kind) {
    case LawKind::constant:
      break;
    case LawKind::exponential:
      return -log(1.0 - rng.next_unit());
    case LawKind::lognormal: {
      const double centred = (static_cast<double>(rng.next() >> 12) + 0.5) * 0x1p-52;  // in (0, 1)
      return exp(law.sigma * (normal_quantile(centred) - 0.5 * law.sigma));
    }
    case LawKind::uniform:
      return 2.0 * rng.next_unit();
  }
  return 1.0;
}

Duration draw(const ServiceLaw& law, Duration mean, CounterRng& rng) {
  if (law.kind == LawKind::constant) return mean;
  const double time = static_cast<double>(mean.count()) * draw_factor(law, rng) + 0.5;
  constexpr double longest = 0x1p62;
  return Duration{static_cast<std::int64_t>(time < longest ? time : longest)};
}

double squared_variation(const ServiceLaw& law) {
  switch (law.kind) {
    case LawKind::constant:
      break;
    case LawKind::exponential:
      return 1.0;
    case LawKind::lognormal:
      return expm1(law.sigma * law.sigma);
    case LawKind::uniform:
      return 1.0 / 3;
  }
  return 0.0;
}

}  // namespace recirc::sim
