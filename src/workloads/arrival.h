#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "sim/rng.h"
#include "sim/time.h"

namespace recirc::workloads {

/// Each client sends its next request `think_time` after the answer to the last.
struct ClosedArrival {
  static constexpr std::string_view kind = "closed";
  sim::Duration think_time{0};
};

/// Closed, with a fixed distance between a client's requests: the paper's latency runs, where 128
/// clients for each of 16 servers with 1,842 us each offer 1.08 million requests a second together
/// (Fletch Fig. 11).
struct PacedArrival {
  static constexpr std::string_view kind = "paced";
  sim::Duration delay{0};
};

enum class OpenProcess : std::uint8_t { poisson, periodic };

/// Requests come by themselves at `rate`; one that would be in flight beside `max_in_flight` others
/// is not sent but counted.
struct OpenArrival {
  static constexpr std::string_view kind = "open";
  OpenProcess process = OpenProcess::poisson;
  double rate = 100'000;  ///< requests per second
  std::uint64_t max_in_flight = 100'000;
};

/// A trace at its own times, faster by `speed`; bounded in flight like an open workload.
struct RecordedArrival {
  static constexpr std::string_view kind = "recorded";
  double speed = 1;
  std::uint64_t max_in_flight = 100'000;
};

using Arrival = std::variant<ClosedArrival, PacedArrival, OpenArrival, RecordedArrival>;

/// The arrival times of an open workload. Gap i is a pure function of (seed, replication, i);
/// periodic times carry no rounding error forward.
class OpenArrivals {
 public:
  /// rate in 1..1e12 requests a second.
  OpenArrivals(const OpenArrival& arrival, const sim::RngFactory& rng);

  /// The time of the next arrival; the first periodic one is at time 0.
  sim::Time next();

 private:
  OpenProcess process_;
  std::int64_t micro_rate_ = 0;  ///< requests per 10^6 seconds
  sim::CounterRng rng_;
  std::uint64_t index_ = 0;
  sim::Time last_{};
};

}  // namespace recirc::workloads
