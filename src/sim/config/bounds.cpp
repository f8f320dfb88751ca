#include "sim/config/bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/quantity.h"

namespace recirc::sim::config {
namespace {

bool is_quantity(ScalarKind kind) {
  return kind == ScalarKind::duration || kind == ScalarKind::bytes || kind == ScalarKind::rate;
}

}  // namespace

Integer lowest_of(const Scalar& scalar, const FieldInfo& info) {
  if (info.min.given()) return std::max(scalar.lowest(), info.min.integer());
  return is_quantity(scalar.kind()) ? 0 : scalar.lowest();
}

Integer highest_of(const Scalar& scalar, const FieldInfo& info) {
  return info.max.given() ? std::min(scalar.highest(), info.max.integer()) : scalar.highest();
}

std::string written(ScalarKind kind, Integer value) {
  return is_quantity(kind) ? format_quantity(kind, value) : to_text(value);
}

std::string written(double value) { return fmt::format("{}", value); }

std::string range_text(const Scalar& scalar, const FieldInfo& info) {
  const ScalarKind kind = scalar.kind();
  const bool real = kind == ScalarKind::real;
  if (!real && kind != ScalarKind::integer && !is_quantity(kind)) return {};
  const bool from = info.min.given() || is_quantity(kind);
  const auto text = [&](const Bound& bound, Integer integer) {
    return real ? written(bound.real()) : written(kind, integer);
  };
  const std::string low = text(info.min, lowest_of(scalar, info));
  const std::string high = text(info.max, highest_of(scalar, info));
  if (from && info.max.given()) return low + " to " + high;
  if (from) return "at least " + low;
  return info.max.given() ? "at most " + high : std::string{};
}

}  // namespace recirc::sim::config
