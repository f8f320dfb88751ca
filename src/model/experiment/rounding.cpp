#include "model/experiment/rounding.h"

#include <array>
#include <charconv>

namespace recirc::model::experiment {

double nine_digits(double value) {
  // Not printf and strtod: those follow the locale.
  std::array<char, 32> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::scientific, 8);
  double rounded = value;
  std::from_chars(text.data(), written.ptr, rounded, std::chars_format::scientific);
  return rounded;
}

void round_figures(ReplicationResult& result) {
  const auto round = [](std::vector<Figure>& figures) {
    for (Figure& figure : figures) {
      if (figure.kind == Figure::Kind::real) figure.value = nine_digits(figure.value);
    }
  };
  round(result.summary);
  for (PhaseResult& phase : result.phases) round(phase.figures);
  for (NamedSeries& series : result.series) {
    series.window_s = nine_digits(series.window_s);
    for (double& value : series.values) value = nine_digits(value);
  }
}

}  // namespace recirc::model::experiment
