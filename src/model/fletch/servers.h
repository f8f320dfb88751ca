#pragma once

#include <cstdint>
#include <vector>

#include "model/cluster_config.h"
#include "model/fletch/config.h"
#include "model/fletch/token_map.h"
#include "model/scheme.h"
#include "model/server.h"
#include "pipeline/programs/fletch/wire.h"
#include "sim/flat_map.h"

namespace recirc::model::fletch {

/// What all servers of a Fletch run do beside serving: they order the writes of each cached path,
/// say what an answer does to the record in the switch, and do what the controller asks.
///
/// Each path belongs to one server, so their states lie in one map. The rules and why they hold
/// are in docs/decisions/0010-fletch-writes.md.
class Servers final : public ServerProtocol {
 public:
  Servers(const World& world, const TokenMap& tokens, Mutants mutants);

  void arrived(Server& server, const Message& request) override;
  bool admit(Server& server, RequestHandle handle) override;
  bool answer(Server& server, RequestHandle handle,
              const NamespaceState::Applied& applied) override;
  void control(Server& server, const Message& message) override;
  [[nodiscard]] bool is_request(const Message& message) const override;
  void fetched(Server& server, workloads::PathId path, std::uint32_t cookie) override;

  /// The cache starts with this path in it.
  void cached_at_start(workloads::PathId path);

  /// Writes that found their counter raised, and answers by what they did in the switch.
  [[nodiscard]] std::uint64_t lock_waits() const { return lock_waits_; }
  [[nodiscard]] std::uint64_t parked_writes() const { return parked_writes_; }
  [[nodiscard]] std::uint64_t record_updates() const { return record_updates_; }
  [[nodiscard]] std::uint64_t parked_now() const { return parked_now_; }

 private:
  using Header = pipeline::programs::fletch::Header;
  using Effect = pipeline::programs::fletch::Effect;
  static constexpr RequestHandle nobody = ~RequestHandle{0};

  /// A path that is in the cache, or on its way into it.
  struct PathState {
    bool blocked = false;  ///< the controller admits it: no write may go on
    bool busy = false;     ///< a write is in the store, or its answer is not acknowledged
    bool gone = false;     ///< a write took it away: nothing is readable until it is evicted
    RequestHandle first_parked = nobody;
    RequestHandle last_parked = nobody;
  };
  /// What a request's header said when it arrived; the chain of parked writes goes through it.
  struct Seen {
    std::uint8_t flags = 0;
    std::uint8_t held_from = 0;
    RequestHandle next = nobody;
  };
  /// An answer that waits for the eviction of the path that it has overwritten.
  struct Kept {
    ServerId server;
    workloads::PathId overwritten;
    RequestHandle handle = 0;
    NamespaceState::Applied applied;
  };

  void park(PathState& state, RequestHandle handle);
  void let_next_go(Server& server, PathState& state);
  void forget(Server& server, workloads::PathId path);
  void acknowledged(Server& server, const Header& header);
  void overwritten_is_evicted(Server& server, workloads::PathId path);

  void send_answer(Server& server, RequestHandle handle, const NamespaceState::Applied& applied);
  void answer_read(Server& server, RequestHandle handle, const NamespaceState::Applied& applied,
                   Message& message);
  void answer_write(Server& server, RequestHandle handle, const NamespaceState::Applied& applied,
                    Message& message);
  Effect effect_of(PathState& state, const NamespaceState::Applied& applied) const;
  void put_held_keys(const Request& request, Header& header) const;
  void ask_controller(Server& server, workloads::PathId path);
  [[nodiscard]] Message to_client(const Server& server, const Request& request,
                                  RequestHandle handle) const;

  World world_;
  const TokenMap& tokens_;
  Mutants mutants_;
  sim::FlatMap<PathState> paths_;
  std::vector<Seen> seen_;  ///< by request handle
  std::vector<Kept> kept_;
  std::uint64_t lock_waits_ = 0;
  std::uint64_t parked_writes_ = 0;
  std::uint64_t parked_now_ = 0;
  std::uint64_t record_updates_ = 0;
};

}  // namespace recirc::model::fletch
