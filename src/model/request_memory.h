#pragma once

#include <cstdint>
#include <vector>

#include "model/namespace_state.h"
#include "sim/flat_map.h"

namespace recirc::model {

/// What one server remembers of the writes that it has carried out.
///
/// With `dedupe`, it keeps the last request number of each session (a client; of open workloads a
/// place among the requests in flight) and what came of it. A request that is sent again is then
/// carried out once, and one that comes late changes nothing. The memory is written with the
/// commit it belongs to, as HDFS keeps its retry cache in the edit log: it survives a crash.
///
/// Without, as in the published text, every copy is carried out, and the damage is counted.
class RequestMemory {
 public:
  explicit RequestMemory(bool dedupe) : dedupe_(dedupe) {}

  enum class Verdict : std::uint8_t {
    fresh,     ///< carry it out
    waiting,   ///< it is here already, and will be answered
    answered,  ///< carried out: give the answer again
    old,       ///< the session has gone on
  };
  /// A write has arrived. `number` grows with every request of its session.
  Verdict arrived(std::uint32_t session, std::uint64_t number);
  /// A write is about to change, or leave alone, a path of version `before`, with this result.
  void carried_out(std::uint32_t session, std::uint64_t number, Version before,
                   const NamespaceState::Applied& applied);
  /// The server does not carry the request out after all: its client will ask again.
  void turned_away(std::uint32_t session, std::uint64_t number);
  /// What came of the last request of the session.
  [[nodiscard]] const NamespaceState::Applied& answer(std::uint32_t session) const {
    return sessions_[session].applied;
  }
  /// The server has crashed: requests that were not carried out yet were never here.
  void forget_waiting();

  struct Counters {
    std::uint64_t repeated = 0;       ///< writes that were here before: not carried out again
    std::uint64_t old = 0;            ///< of them, those whose session had gone on
    std::uint64_t applied_again = 0;  ///< carried out more than once
    std::uint64_t refused_again = 0;  ///< of a success, now answered with an error or a denial
    std::uint64_t undone = 0;         ///< carried out again over somebody else's later write
  };
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  struct Session {
    std::uint64_t number = 0;
    bool done = true;
    NamespaceState::Applied applied;
  };
  struct Done {
    Outcome outcome = Outcome::error;
    Version version = 0;
  };

  bool dedupe_;
  std::vector<Session> sessions_;
  sim::FlatMap<Done> done_;  ///< without dedupe: every request that was carried out, by number
  Counters counters_;
};

}  // namespace recirc::model
