#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace recirc::sim {

/// A mean over independent observations with the half-width of its confidence interval.
struct Interval {
  double mean = 0;
  std::optional<double> half_width;  ///< nothing for fewer than two observations
  std::size_t observations = 0;

  [[nodiscard]] bool contains(double x) const {
    return half_width && x >= mean - *half_width && x <= mean + *half_width;
  }
};

inline constexpr double default_confidence = 0.95;

/// Student's t quantile t with P(|T| <= t) = confidence.
double student_t(double confidence, std::size_t degrees_of_freedom);

/// Mean and Student-t interval of independent observations.
Interval mean_interval(std::span<const double> values, double confidence = default_confidence);

/// Interval of the mean of a[i] - b[i]. Throws std::invalid_argument when the lengths differ.
Interval paired_difference(std::span<const double> a, std::span<const double> b,
                           double confidence = default_confidence);

/// Interval of the mean gain a[i] / b[i] - 1 over pairs (replication i of both schemes sees the
/// same operations). Throws std::invalid_argument when the lengths differ or some b[i] is 0.
Interval paired_gain(std::span<const double> a, std::span<const double> b,
                     double confidence = default_confidence);

struct BatchMeans {
  Interval interval;
  double lag1 = 0;  ///< correlation of neighbouring batches: near 0 when batches are long enough
};

/// Interval of the mean of one long run cut into `batches` equal batches; values left over at the
/// start are dropped. Throws std::invalid_argument for less than two batches or too few values.
BatchMeans batch_means(std::span<const double> values, std::size_t batches = 20,
                       double confidence = default_confidence);

}  // namespace recirc::sim
