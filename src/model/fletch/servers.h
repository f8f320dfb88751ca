#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "model/cluster_config.h"
#include "model/fletch/cached_tree.h"
#include "model/fletch/channels.h"
#include "model/fletch/config.h"
#include "model/fletch/mail.h"
#include "model/fletch/narrow_tree.h"
#include "model/fletch/recoveries.h"
#include "model/fletch/token_map.h"
#include "model/fletch/writes_at_risk.h"
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
  Servers(const World& world, const NarrowTree& keys, const TokenMap& tokens,
          const CacheSettings& cache, Mail& mail, const Protection& protection, bool tell_tokens,
          WritesAtRisk* at_risk, Mutants mutants);

  void arrived(Server& server, const Message& request) override;
  bool admit(Server& server, RequestHandle handle) override;
  bool answer(Server& server, RequestHandle handle,
              const NamespaceState::Applied& applied) override;
  void control(Server& server, const Message& message) override;
  [[nodiscard]] bool is_request(const Message& message) const override;
  void fetched(Server& server, workloads::PathId path, std::uint32_t cookie) override;

  /// The cache starts with this path in these pipes.
  void cached_at_start(workloads::PathId path, std::uint8_t copies);

  /// Writes that found their counter raised.
  [[nodiscard]] std::uint64_t lock_waits() const { return lock_waits_; }
  /// Reads that found a write waiting for a counter of theirs.
  [[nodiscard]] std::uint64_t reads_turned_away() const { return reads_turned_away_; }
  /// Writes kept back: before the store by an admission, or after it by an earlier answer.
  [[nodiscard]] std::uint64_t parked_writes() const { return parked_writes_; }
  [[nodiscard]] std::uint64_t kept_answers() const { return kept_answers_; }
  /// Answers that changed a record.
  [[nodiscard]] std::uint64_t record_updates() const { return record_updates_; }
  /// Writes that have not been answered yet, whatever they wait for.
  [[nodiscard]] std::uint64_t waiting_now() const { return waiting_now_ + changes_.size(); }
  /// Writes that changed cached paths beside their own, and how many of these.
  [[nodiscard]] std::uint64_t multi_path_writes() const { return multi_path_writes_; }
  [[nodiscard]] std::uint64_t implied_changes() const { return changes_begun_; }
  // Recoveries (servers_recovery.cpp).
  void crashed(ServerId server);
  void restarted(Server& server);
  [[nodiscard]] const Recoveries& recoveries() const { return recoveries_; }
  /// Changes of multi-path writes that were on their way when their server crashed.
  [[nodiscard]] std::uint64_t changes_cut_short() const { return changes_cut_short_; }

  [[nodiscard]] const Channels& channels() const { return channels_; }
  /// Numbered answers that the switch had seen before.
  [[nodiscard]] std::uint64_t repeated_answers() const { return repeated_answers_; }

 private:
  using Header = pipeline::programs::fletch::Header;
  using Effect = pipeline::programs::fletch::Effect;
  /// What waits for its turn at a path: a request by its handle, or a change that another path's
  /// write implies, by its number and this bit.
  using Link = std::uint32_t;
  static constexpr Link change_bit = Link{1} << 31U;
  static constexpr Link nobody = ~Link{0};

  /// In the order in which they were appended.
  struct Chain {
    Link first = nobody;
    Link last = nobody;
    [[nodiscard]] bool empty() const { return first == nobody; }
  };
  /// A path that is in the cache, or on its way into it.
  struct PathState {
    std::uint32_t generation = 0;  ///< tells this stay in the cache from earlier ones
    std::uint8_t copies = 0;       ///< the pipes that hold it, as bits; 0: it is on its way
    std::uint32_t in_store = 0;    ///< writes let in and not carried out
    bool blocked = false;          ///< the controller admits it: no write may go on
    bool unacknowledged = false;   ///< the switch has not acknowledged the last answer
    ServerId::rep sender = 0;      ///< of that answer
    bool gone = false;  ///< a write took it away: nothing is readable until it is evicted
    Chain parked;       ///< writes, and changes, that wait for the admission's end
    Chain kept;         ///< carried out; their answers wait for an acknowledgement
  };
  /// What a request's header said when it arrived, and what became of it since.
  struct Seen {
    std::uint8_t flags = 0;
    std::uint8_t held = 0;
    std::uint8_t level = 0;        ///< that was found invalid
    std::uint32_t generation = 0;  ///< of its path's state when it was let into the store
    Link next = nobody;
    Server* server = nullptr;
    std::uint32_t open_changes = 0;   ///< of a multi-path write: without acknowledgement
    bool is_due = false;              ///< its own answer waits for nothing but these
    NamespaceState::Applied applied;  ///< of a kept answer
  };
  /// What a multi-path write does to a cached path that is not its own (decision 50).
  struct Change {
    workloads::PathId path;
    Server* server = nullptr;  ///< that the write was carried out by, and that sends the change
    RequestHandle write = nobody;
    NamespaceState::Applied applied;
    Link next = nobody;
  };

  [[nodiscard]] Link& next_of(Link link);
  void carried_out(Server& server, RequestHandle handle);
  void append(Chain& chain, Link link);
  Link take(Chain& chain);
  /// A server that is up again and takes no requests yet.
  struct Recovering {
    struct Path {
      workloads::PathId path;
      Version version = 0;  ///< when it was admitted
    };
    sim::Time since{};
    std::uint32_t boot = 0;
    std::vector<Path> paths;
    std::vector<std::uint8_t> numbers;
  };

  /// Metadata that the controller has asked for and that must wait.
  struct LateMetadata {
    Server* server = nullptr;
    workloads::PathId path;
    std::uint32_t question = 0;
  };

  void let_in(PathState& state, RequestHandle handle);
  void send_metadata(const LateMetadata& answer);
  void send_late_metadata();
  void fetch(Server& server, workloads::PathId path, const Header& header);
  void admission_is_over(Server& server, workloads::PathId path, std::uint8_t copies);
  void left_a_pipe(Server& server, workloads::PathId path, std::uint8_t copies);
  void forget(Server& server, workloads::PathId path);
  void refresh(Server& server, workloads::PathId path);
  void drop_chains(PathState& state, ServerId server);
  void drop_changes(ServerId server);
  void stop_waiting_for(ServerId server);
  void know(ServerId server, workloads::PathId path);
  [[nodiscard]] Message to_controller(const Server& server, Ask ask, workloads::PathId path) const;
  void say(const Server& server, Ask ask, workloads::PathId path);
  [[nodiscard]] bool recovers(const Server& server) const {
    return recovering_.find(server.id().value()) != recovering_.end();
  }
  [[nodiscard]] bool is_of(const Recovering& recovering, const Header& header) const;
  void recorded(Server& server, workloads::PathId path, const Header& header);
  void numbered(Server& server, const Header& header);
  void forget_others(Server& server, const Recovering& recovering);
  void freeze(Server& server);
  void controller_is_back(Server& server);
  void ask_again(Server& server);
  void ask_for_recovery(Server& server, std::uint32_t boot);
  void acknowledged(Server& server, const Message& message);
  void send_next(PathState& state);
  /// A change waits until it can reach the copy that is on its way, too; all that was carried out
  /// after it waits behind it.
  [[nodiscard]] static bool may_send(const PathState& state) {
    const bool is_change = (state.kept.first & change_bit) != 0;
    return !state.kept.empty() && !(state.blocked && is_change);
  }

  void imply_changes(RequestHandle handle);
  void imply_change(RequestHandle handle, workloads::PathId path, bool changed);
  /// `replaced`: the record is of what was there before, and leaves the cache.
  void add_change(Server& server, RequestHandle write, workloads::PathId path, bool changed,
                  bool replaced = false);
  void send_change(Link link);
  [[nodiscard]] bool is_unsure_of(workloads::PathId path, ServerId sender) const;
  void change_is_over(Link link);

  bool send_or_wait(Server& server, RequestHandle handle);
  [[nodiscard]] PathState* state_to_update(Server& server, RequestHandle handle);
  /// True: the worker is free now. False: the acknowledgement will free it.
  bool send_answer(Server& server, RequestHandle handle, const NamespaceState::Applied& applied);
  void answer_read(Server& server, RequestHandle handle, const NamespaceState::Applied& applied,
                   Message& message);
  void answer_write(Server& server, RequestHandle handle, const NamespaceState::Applied& applied,
                    Message& message);
  [[nodiscard]] std::uint8_t copies_to_reach(const Server& server, const PathState& state) const;
  Effect effect_of(PathState& state, const NamespaceState::Applied& applied) const;
  [[nodiscard]] unsigned put_tokens(const Request& request, Header& header) const;
  void put_held_keys(const Request& request, Header& header) const;
  [[nodiscard]] Message to_client(const Server& server, const Request& request,
                                  RequestHandle handle) const;

  World world_;
  const NarrowTree& keys_;
  const TokenMap& tokens_;
  bool tell_tokens_;
  bool release_at_end_;
  WritesAtRisk* at_risk_;  ///< null where writes are never acknowledged early
  Mail& mail_;
  Channels channels_;
  Mutants mutants_;
  sim::FlatMap<PathState> paths_;
  std::vector<Seen> seen_;  ///< by request handle
  CachedTree cached_;
  std::vector<LateMetadata> late_metadata_;
  std::map<Link, Change> changes_;  ///< by number
  Link next_change_ = 0;
  std::uint64_t changes_begun_ = 0;
  std::uint64_t multi_path_writes_ = 0;
  std::vector<std::set<workloads::PathId::rep>> known_;  ///< by server; where there are faults
  std::map<ServerId::rep, Recovering> recovering_;
  std::set<ServerId::rep> not_serving_;  ///< crashed, and not recovered
  /// Paths that a server has written and not brought up to date in the switch when it crashed.
  std::map<ServerId::rep, std::set<workloads::PathId::rep>> unfinished_;
  Recoveries recoveries_;
  std::uint64_t changes_cut_short_ = 0;
  std::uint32_t boots_ = 0;  ///< of all servers
  std::uint32_t generations_ = 0;
  std::uint64_t lock_waits_ = 0;
  std::uint64_t reads_turned_away_ = 0;
  std::uint64_t parked_writes_ = 0;
  std::uint64_t kept_answers_ = 0;
  std::uint64_t waiting_now_ = 0;
  std::uint64_t record_updates_ = 0;
  std::uint64_t repeated_answers_ = 0;
};

}  // namespace recirc::model::fletch
