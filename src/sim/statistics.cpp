#include "sim/statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <stdexcept>
#include <vector>

#include "sim/portable_math.h"

namespace recirc::sim {
namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

void require_pairs(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) throw std::invalid_argument("paired samples differ in length");
}

}  // namespace

double student_t(double confidence, std::size_t degrees_of_freedom) {
  const boost::math::students_t law(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(boost::math::complement(law, (1.0 - confidence) / 2));
}

Interval mean_interval(std::span<const double> values, double confidence) {
  Interval result;
  result.observations = values.size();
  if (values.empty()) return result;
  result.mean = mean_of(values);
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  const auto n = static_cast<double>(values.size());
  result.half_width = student_t(confidence, values.size() - 1) * sqrt(squares / (n - 1) / n);
  return result;
}

Interval paired_difference(std::span<const double> a, std::span<const double> b,
                           double confidence) {
  require_pairs(a, b);
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  return mean_interval(differences, confidence);
}

Interval paired_gain(std::span<const double> a, std::span<const double> b, double confidence) {
  require_pairs(a, b);
  std::vector<double> gains(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i] == 0) throw std::invalid_argument("a gain over zero is not defined");
    gains[i] = a[i] / b[i] - 1;
  }
  return mean_interval(gains, confidence);
}

BatchMeans batch_means(std::span<const double> values, std::size_t batches, double confidence) {
  if (batches < 2 || values.size() < batches) {
    throw std::invalid_argument("batch means need two batches and a value for each");
  }
  const std::size_t length = values.size() / batches;
  const std::size_t dropped = values.size() - length * batches;
  std::vector<double> means(batches);
  for (std::size_t b = 0; b < batches; ++b) {
    means[b] = mean_of(values.subspan(dropped + b * length, length));
  }
  BatchMeans result;
  result.interval = mean_interval(means, confidence);
  double variance = 0;
  double covariance = 0;
  for (std::size_t b = 0; b < batches; ++b) {
    const double here = means[b] - result.interval.mean;
    variance += here * here;
    if (b > 0) covariance += here * (means[b - 1] - result.interval.mean);
  }
  result.lag1 = variance > 0 ? covariance / variance : 0.0;
  return result;
}

}  // namespace recirc::sim
