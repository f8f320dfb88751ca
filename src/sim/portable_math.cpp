#include "sim/portable_math.h"

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

#include "sim/portable_math_tables.h"

static_assert(FLT_EVAL_METHOD == 0, "portable results need doubles evaluated as doubles");

namespace recirc::sim {
namespace {

using tables::Pair;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double ln2_high = 0x1.62e42feep-1;  // 32 bits: its product with a 16-bit integer is exact
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double to_integer = 0x1.8p52;  // adding it rounds to the nearest integer

constexpr double power_of_two(std::int64_t e) {  // e in -1022..1023
  return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

/// a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971).
Pair add_ordered(double a, double b) {
  const double sum = a + b;
  return {sum, (a - sum) + b};
}

/// a + b exactly (Knuth).
Pair add(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a * b exactly by halves of 26 bits (Dekker 1971), for |a|, |b| < 2^900.
Pair multiply(double a, double b) {
  const double split = 0x1p27 + 1;
  const double a_high = split * a - (split * a - a);
  const double b_high = split * b - (split * b - b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  const double product = a * b;
  const double error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high);
  return {product, error + a_low * b_low};
}

/// exp(x + small) for |x| < 750: x = k ln2/32 + r, exp(x) = 2^(k/32) exp(r), |r| < 0.011.
[[gnu::always_inline]] inline double exp_reduced(double x, double small) {
  const double shifted = x * 0x1.71547652b82fep+5 + to_integer;
  const double k = shifted - to_integer;
  const auto steps = static_cast<std::int64_t>(k);
  const double r = ((x - k * (ln2_high / 32)) - k * (ln2_low / 32)) + small;
  const double r2 = r * r;
  const double series =
      r + r2 * ((0.5 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720)));
  const Pair root = tables::exp2_32nds[static_cast<std::size_t>(steps & 31)];
  const double value = root.high + (root.high * series + root.low);
  const std::int64_t e = steps >> 5;
  if (e >= -1021 && e <= 1023) [[likely]] {
    return value * power_of_two(e);
  }
  return e > 0 ? value * 2.0 * power_of_two(e - 1)
               : value * power_of_two(e + 200) * power_of_two(-200);
}

/// x = 2^k m with m in [0.707, 1.414] and the nearest 64th c to m. For 0 < x < infinity.
struct Decomposed {
  double k;
  double m;
  double c;
  Pair log_c;
};

[[gnu::always_inline]] inline Decomposed decompose(double x) {
  std::int64_t k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffffU) | 0x3ff0000000000000U);
  if (m >= 90.5 / 64) {
    m *= 0.5;
    ++k;
  }
  const auto nearest = static_cast<int>(m * 64 + 0.5);
  return {static_cast<double>(k), m, nearest * (1.0 / 64),
          tables::log_64ths[static_cast<std::size_t>(nearest - tables::log_first)]};
}

/// atanh(s) / s - 1 for s * s = z < 4e-5.
double atanh_tail(double z) { return z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7))); }

/// log(x) to about 2^-65 of its value, for 0 < x < infinity.
Pair log_pair(double x) {
  const Decomposed d = decompose(x);
  const double f = d.m - d.c;  // exact
  const Pair g = add(d.m, d.c);
  const double s = f / g.high;
  const Pair back = multiply(s, g.high);
  const double s_low = (((f - back.high) - back.low) - s * g.low) / g.high;
  const Pair base = add(d.k * ln2_high, d.log_c.high);
  const Pair sum = add(base.high, 2 * s);
  const double low =
      sum.low +
      (base.low + (2 * s * atanh_tail(s * s) + (2 * s_low + (d.k * ln2_low + d.log_c.low))));
  return add_ordered(sum.high, low);
}

}  // namespace

double exp(double x) {
  if (!(x <= 709.782712893384)) return x != x ? x : infinity;
  if (x < -745.2) return 0.0;
  return exp_reduced(x, 0.0);
}

double expm1(double x) {
  if (!(x < 0.3 && x > -0.3)) return exp(x) - 1.0;
  double tail = 1.0;  // (exp(x) - 1) / x by its series, from the smallest term
  for (int n = 14; n >= 2; --n) tail = 1.0 + tail * x / n;
  return tail * x;
}

double log(double x) {
  if (!(x > 0.0 && x < infinity)) {
    if (x == 0.0) return -infinity;
    return x < 0.0 ? not_a_number : x;
  }
  const Decomposed d = decompose(x);
  const double s2 = 2 * ((d.m - d.c) / (d.m + d.c));
  const Pair base = add_ordered(d.k * ln2_high, d.log_c.high);
  const double small = base.low + (d.k * ln2_low + d.log_c.low);
  return base.high + (s2 + (s2 * atanh_tail(0.25 * s2 * s2) + small));
}

double log1p(double x) {
  const double u = 1.0 + x;
  if (u == 1.0) return x;
  if (!(u > 0.0 && u < infinity)) return log(u);
  return log(u) * (x / (u - 1.0));  // corrects for what 1 + x has rounded away (Kahan)
}

double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y || x < 0.0) return not_a_number;
  if (x == 0.0) return y > 0.0 ? 0.0 : infinity;
  if (x == infinity) return y > 0.0 ? infinity : 0.0;
  const double beyond = 0x1p100;  // |log(x)| > 2^-54: the result has left the doubles
  if (y > beyond || y < -beyond) return (x > 1.0) == (y > 0.0) ? infinity : 0.0;
  const Pair l = log_pair(x);
  const Pair product = multiply(l.high, y);
  const double low = product.low + l.low * y;
  if (product.high > 709.8) return infinity;
  if (product.high < -745.2) return 0.0;
  return exp_reduced(product.high, low);
}

double sqrt(double x) {
  if (!(x > 0.0 && x < infinity)) return x < 0.0 ? not_a_number : x;
  double scale = 1.0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    scale = 0x1p-27;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::int64_t e = static_cast<std::int64_t>(bits >> 52) - 1023;
  const std::int64_t half = (e - (e & 1)) / 2;
  const double m = x * power_of_two(-half) * power_of_two(-half);  // in [1, 4)
  double root = 0.7 + m * (1.0 / 3);  // within 4 %; each step squares the error
  for (int step = 0; step < 3; ++step) root = 0.5 * (root + m / root);
  const Pair square = multiply(root, root);
  root += 0.5 * ((m - square.high) - square.low) / root;
  return root * power_of_two(half) * scale;
}

}  // namespace recirc::sim
