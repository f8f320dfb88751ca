#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

#include "sim/distributions.h"
#include "sim/rng.h"
#include "sim/time.h"

namespace recirc::bench {

/// What one case did: `operations` in `seconds` of processor time of this process.
struct Measurement {
  std::uint64_t operations = 0;
  double seconds = 0;
  std::uint64_t events = 0;  ///< fired for them; of whole runs only
};

/// Processor time of this process, so that waiting for a processor does not count.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Times a body that carries out `operations`.
template <class Body>
Measurement measure(std::uint64_t operations, Body body) {
  const double start = processor_seconds();
  body();
  return {operations, processor_seconds() - start, 0};
}

/// Exponential delays with a mean of a microsecond, drawn beforehand: drawing is not measured.
class Delays {
 public:
  Delays() {
    sim::CounterRng rng{17};
    const sim::ServiceLaw law{sim::LawKind::exponential};
    for (sim::Duration& delay : delays_) delay = sim::draw(law, sim::microseconds(1), rng);
  }
  sim::Duration next() { return delays_[next_++ % delays_.size()]; }

 private:
  std::vector<sim::Duration> delays_ = std::vector<sim::Duration>(1U << 14U);
  std::size_t next_ = 0;
};

// The hold model: `pending` events, each of which schedules one when it fires.
Measurement hold(std::uint64_t pending, std::uint64_t events);
/// `clients` with a time-out each that moves with every step of the client, and rarely expires.
Measurement cancelling(std::uint64_t clients, std::uint64_t steps);
/// M/M/1 with a load of 0.8.
Measurement single_queue(std::uint64_t customers);

// The hold model on a structure alone, without components.
Measurement bare_engine_queue(std::uint64_t pending, std::uint64_t events);
Measurement bare_binary_heap(std::uint64_t pending, std::uint64_t events);
Measurement bare_radix_heap(std::uint64_t pending, std::uint64_t events);

/// A run of a system as configs/fletch/ ships it, with this many requests, files and servers.
Measurement whole_run(const char* system, std::uint64_t requests, std::uint64_t files,
                      std::uint64_t servers);

/// Callosal as configs/callosal/ ships it: all threads read one page, or with `write_percent` of
/// the calls write pages of their own.
Measurement page_run(std::uint64_t operations, std::uint64_t write_percent);

}  // namespace recirc::bench
