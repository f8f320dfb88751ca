#pragma once

#include <cstdint>

#include "model/request.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"
#include "sim/time.h"

namespace recirc::model::fletch {

/// The clients' path-token maps (Fletch §VI). Each client knows the tokens of what the cache held
/// when the run began, and learns others from servers' answers; every entry expires a fixed time
/// after it was made. A path without an entry gets token 0, which no cached path has: such a
/// request goes to the server, whatever else has the path's key.
class ClientTokens {
 public:
  static constexpr std::uint8_t unknown = 0;

  ClientTokens(sim::Duration expiry, std::uint32_t clients) : expiry_(expiry), clients_(clients) {}

  /// All clients know this one until the first expiry.
  void known_at_start(workloads::PathId path, std::uint8_t token) { first_[path.value()] = token; }
  [[nodiscard]] std::uint8_t of(ClientId client, workloads::PathId path, sim::Time now);
  void learn(ClientId client, workloads::PathId path, std::uint8_t token, sim::Time now);

  [[nodiscard]] std::uint64_t learned() const { return learned_count_; }
  [[nodiscard]] std::uint64_t expired() const { return expired_count_; }
  /// Entries of all clients' maps.
  [[nodiscard]] std::uint64_t entries(sim::Time now) const {
    return learned_.size() + (first_is_valid(now) ? first_.size() * clients_ : 0);
  }

 private:
  struct Expiry {
    std::uint64_t entry = 0;
    sim::Time at;
  };
  [[nodiscard]] bool first_is_valid(sim::Time now) const { return now < sim::Time{} + expiry_; }
  static std::uint64_t entry_of(ClientId client, workloads::PathId path) {
    return std::uint64_t{client.value()} << 32U | path.value();
  }
  void drop_expired(sim::Time now);

  sim::Duration expiry_;
  std::uint32_t clients_;
  sim::FlatMap<std::uint8_t> first_;    ///< by path
  sim::FlatMap<std::uint8_t> learned_;  ///< by client and path
  sim::RingQueue<Expiry> expiries_;     ///< in order of time: all entries live equally long
  std::uint64_t learned_count_ = 0;
  std::uint64_t expired_count_ = 0;
};

}  // namespace recirc::model::fletch
