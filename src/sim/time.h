#pragma once

#include <chrono>
#include <cstdint>

namespace recirc::sim {

/// The clock of a simulation. It has no now(): only a Scheduler knows the time of its run.
/// Picoseconds, because the time of one byte is then an integer at every Ethernet rate
/// (100G: 80 ps) and two packets one switch clock apart (820 ps) stay distinct.
struct SimClock {
  using rep = std::int64_t;
  using period = std::pico;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<SimClock>;
  static constexpr bool is_steady = true;
};

using Duration = SimClock::duration;
using Time = SimClock::time_point;

constexpr Duration picoseconds(std::int64_t n) { return Duration{n}; }
constexpr Duration nanoseconds(std::int64_t n) { return std::chrono::nanoseconds{n}; }
constexpr Duration microseconds(std::int64_t n) { return std::chrono::microseconds{n}; }
constexpr Duration milliseconds(std::int64_t n) { return std::chrono::milliseconds{n}; }
constexpr Duration seconds(std::int64_t n) { return std::chrono::seconds{n}; }

/// `t` + `d`. Beyond the end of time (106 days) it lies before `t`, where a scheduler refuses it,
/// instead of being undefined.
constexpr Time later(Time t, Duration d) {
  const auto sum = static_cast<std::uint64_t>(t.time_since_epoch().count()) +
                   static_cast<std::uint64_t>(d.count());
  return Time{Duration{static_cast<std::int64_t>(sum)}};
}

/// For reports only: no simulated decision may depend on a floating-point time.
constexpr double as_seconds(Duration d) { return static_cast<double>(d.count()) * 1e-12; }
constexpr double as_microseconds(Duration d) { return static_cast<double>(d.count()) * 1e-6; }

}  // namespace recirc::sim
