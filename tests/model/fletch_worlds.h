#pragma once

#include <array>
#include <string>

#include "fletch_under_test.h"
#include "sim/rng.h"

namespace recirc::model::testing {

/// Few paths, many writers: every operation, destructive ones in between, on a small tree.
inline std::string any_operations(sim::CounterRng& rng, unsigned count) {
  const auto below = [&rng](std::uint64_t n) { return rng.next() % n; };
  const auto any_path = [&] {
    std::string path;
    const std::uint64_t depth = 1 + below(9);
    for (std::uint64_t level = 1; level < depth; ++level) path += "/d" + std::to_string(below(2));
    const std::string number = std::to_string(below(2));
    return path + (below(3) == 0 ? "/d" : "/f") + number;
  };
  static constexpr const char* kinds[] = {"stat",   "open",   "stat",  "chmod",  "create",
                                          "delete", "rename", "mkdir", "readdir"};
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const std::string kind = below(2) == 0 ? "stat" : kinds[below(9)];
    text += "0," + kind + "," + any_path();
    if (kind == "rename") text += "," + any_path();
    text += "\n";
  }
  return text;
}

inline Config any_world(const TraceFile& trace, sim::CounterRng& rng) {
  const auto below = [&rng](std::uint64_t n) { return static_cast<std::uint32_t>(rng.next() % n); };
  Config config = trace.config();
  if (below(2) == 0) config.server.law = ExponentialLaw{};
  config.server.service_time = sim::microseconds(1 + below(60));
  config.cluster.servers = 1 + below(4);
  config.cluster.clients = 1 + below(40);
  config.cache.files = below(3) * 20;
  config.cache.rows = below(2) == 0 ? 10'000 : 3 + below(10);
  config.cache.threshold = 1 + below(10);
  config.cache.layout =
      below(2) == 0 ? fletch::LayoutChoice::paper : fletch::LayoutChoice::prototype;
  config.controller.admission =
      below(3) == 0 ? fletch::AdmissionPolicy::off : fletch::AdmissionPolicy::on;
  config.controller.reset_interval = sim::milliseconds(2 + below(50));
  config.controller.path_time = sim::microseconds(below(500));
  config.controller.grace = sim::microseconds(50 + below(500));
  config.rmt_switch.cross_pipe = std::array{pipeline::CrossPipe::cable, pipeline::CrossPipe::native,
                                            pipeline::CrossPipe::none}[below(3)];
  config.rmt_switch.max_recirculations = 1'000'000;
  config.network.host_delay = sim::nanoseconds(100 + below(20'000));
  if (below(4) == 0) config.system = "single_lock";
  if (below(3) == 0) config.cache.lock_groups = {1, 2 + below(3), 6 + below(4)};
  config.cache.single_lock_key =
      below(2) == 0 ? fletch::SingleLockKey::full_path : fletch::SingleLockKey::level_1;
  config.cache.release =
      below(3) == 0 ? fletch::ReleaseChoice::at_end : fletch::ReleaseChoice::per_level;
  config.cache.invalid_reads = below(3) == 0 ? fletch::InvalidReads::release_in_switch
                                             : fletch::InvalidReads::release_on_response;
  if (below(3) == 0) {
    config.cache.lock = fletch::LockChoice::write_pending;
    config.cache.layout = fletch::LayoutChoice::paper;  // the prototype's has no room for all
  }
  return config;
}

}  // namespace recirc::model::testing
