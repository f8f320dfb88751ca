#pragma once

#include <cstdint>
#include <vector>

#include "model/netcache/messages.h"
#include "model/scheme.h"
#include "model/server.h"
#include "sim/flat_map.h"

namespace recirc::model::netcache {

/// What the servers' agents do: they let one write of a cached item at a time into the store, and
/// the next when the switch has acknowledged the update (NetCache §4.3); they block the writes of a
/// path while the controller admits it.
class Servers final : public ServerProtocol {
 public:
  explicit Servers(const World& world) : world_(world) {}

  void arrived(Server& server, const Message& request) override;
  bool admit(Server& server, RequestHandle handle) override;
  bool answer(Server& server, RequestHandle handle,
              const NamespaceState::Applied& applied) override;
  void control(Server& server, const Message& message) override;
  [[nodiscard]] bool is_request(const Message& message) const override;
  void fetched(Server& server, workloads::PathId path, std::uint32_t cookie) override;

  /// The cache starts with this path in it.
  void cached_at_start(workloads::PathId path) { paths_[path.value()].stay = ++stays_; }

  /// Writes kept back: by an admission, or by an earlier write.
  [[nodiscard]] std::uint64_t parked_writes() const { return parked_writes_; }
  [[nodiscard]] std::uint64_t record_updates() const { return record_updates_; }
  /// Writes that have not been answered yet, whatever they wait for.
  [[nodiscard]] std::uint64_t waiting_now() const { return waiting_now_ + overwriting_.size(); }

 private:
  static constexpr RequestHandle nobody = ~RequestHandle{0};

  /// A path that is in the cache, or on its way into it.
  struct PathState {
    std::uint32_t stay = 0;  ///< tells this stay in the cache from earlier ones
    bool blocked = false;    ///< the controller admits it: no write may go on
    bool busy = false;       ///< a write is in the store, or its answer not acknowledged
    bool gone = false;       ///< a write took it away: nothing is readable until it is evicted
    RequestHandle first = nobody;  ///< of the writes that wait, in the order of their arrival
    RequestHandle last = nobody;
  };
  struct Seen {
    std::uint8_t flags = 0;
    std::uint32_t stay = 0;  ///< of its path when it was let into the store; 0: uncached
    RequestHandle next = nobody;
    NamespaceState::Applied applied;  ///< of an answer that is kept back
  };
  /// An answer that waits for the eviction of the path that it has overwritten.
  struct Overwriting {
    ServerId server;
    workloads::PathId overwritten;
    RequestHandle handle = 0;
  };

  void append(PathState& state, RequestHandle handle);
  RequestHandle take(PathState& state);
  void let_next_in(Server& server, PathState& state);
  void forget(Server& server, workloads::PathId path);
  void acknowledged(Server& server, workloads::PathId path);
  void overwritten_is_evicted(Server& server, workloads::PathId path);
  void send_answer(Server& server, RequestHandle handle, const NamespaceState::Applied& applied);
  void answer_write(Server& server, RequestHandle handle, const NamespaceState::Applied& applied,
                    Message& message);
  void ask_controller(Server& server, workloads::PathId path);

  World world_;
  sim::FlatMap<PathState> paths_;
  std::vector<Seen> seen_;  ///< by request handle
  std::vector<Overwriting> overwriting_;
  std::uint32_t stays_ = 0;
  std::uint64_t parked_writes_ = 0;
  std::uint64_t waiting_now_ = 0;
  std::uint64_t record_updates_ = 0;
};

}  // namespace recirc::model::netcache
