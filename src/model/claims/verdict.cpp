#include "model/claims/verdict.h"

#include <algorithm>
#include <cmath>

namespace recirc::model::claims {

Range range_of(const Acceptance& acceptance) {
  constexpr double rounding = 1e-9;
  const auto around = [&](double value) {
    const double share = std::max(acceptance.relative, rounding) * std::abs(value);
    return std::max({share, acceptance.absolute, rounding});
  };
  Range range;
  if (acceptance.target) {
    range.from = *acceptance.target - around(*acceptance.target);
    range.to = *acceptance.target + around(*acceptance.target);
  }
  if (acceptance.least) range.from = *acceptance.least - around(*acceptance.least);
  if (acceptance.most) range.to = *acceptance.most + around(*acceptance.most);
  return range;
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::open:
      return "open";
    case Verdict::fail:
      return "FAIL";
    case Verdict::withheld:
      return "-";
    case Verdict::unavailable:
      break;
  }
  return "not available";
}

Verdict judge(const sim::Interval& interval, const Acceptance& acceptance) {
  if (interval.observations == 0 || !std::isfinite(interval.mean)) return Verdict::unavailable;
  if (!acceptance.given()) return Verdict::withheld;
  const Range range = range_of(acceptance);
  if (!interval.half_width) return Verdict::open;
  const double half = *interval.half_width;
  const double low = interval.mean - half;
  const double high = interval.mean + half;
  if (high < range.from || low > range.to) return Verdict::fail;
  if (low < range.from || high > range.to) return Verdict::open;
  return Verdict::pass;
}

Verdict worse(Verdict a, Verdict b) {
  constexpr auto badness = [](Verdict verdict) {
    switch (verdict) {
      case Verdict::withheld:
        return 0;
      case Verdict::pass:
        return 1;
      case Verdict::open:
        return 2;
      case Verdict::unavailable:
        return 3;
      case Verdict::fail:
        break;
    }
    return 4;
  };
  return badness(a) >= badness(b) ? a : b;
}

}  // namespace recirc::model::claims
