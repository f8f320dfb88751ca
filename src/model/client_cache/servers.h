#pragma once

#include <cstdint>
#include <optional>

#include "model/client_cache/announcements.h"
#include "model/client_cache/config.h"
#include "model/client_cache/lease_table.h"
#include "model/result.h"
#include "model/scheme.h"
#include "model/server.h"

namespace recirc::model::client_cache {

/// What servers do for clients that cache directories, around what they do anyhow: they resolve
/// what a client has not got, turn away who goes by an old version or grant leases, and answer the
/// write of a directory when nobody can go by what it replaced. The rules and why they hold are in
/// docs/decisions/0020-client-cache.md.
class Servers final : public ServerProtocol, public sim::Component {
 public:
  /// `scheme`: the one around whose servers these are.
  Servers(const Scheme& scheme, ServerProtocol& inner, const World& world,
          const ClientCacheSettings& settings, Exchanges& exchanges, Mutants mutants);

  void arrived(Server& server, const Message& request) override;
  bool admit(Server& server, RequestHandle handle) override;
  Work work(Server& server, RequestHandle handle) override;
  bool answer(Server& server, RequestHandle handle,
              const NamespaceState::Applied& applied) override;
  void control(Server& server, const Message& message) override;
  [[nodiscard]] bool is_request(const Message& message) const override;
  void fetched(Server& server, workloads::PathId path, std::uint32_t cookie) override;
  void handle(const sim::Event& event) override;

  /// What a server knows of directories' versions, and what it still has to announce, is in its
  /// store. Lost are requests, leases, and who has acknowledged.
  void crashed(ServerId server);
  void restarted(ServerId server);

  void report(ReplicationResult& result) const;

 private:
  enum class Kind : std::uint16_t { leases_over, tell_again };
  /// Cookies of Server::fetch with this bit are tickets of announcements.
  static constexpr std::uint32_t ours = std::uint32_t{1} << 31U;

  [[nodiscard]] Version version_for(Server& server, workloads::PathId directory) const;
  void find_outdated(Server& server, Exchange& exchange) const;
  void resolve(Server& server, const Request& request, Exchange& exchange);
  void announce(Server& server, RequestHandle handle, const NamespaceState::Applied& applied);
  void tell_missing(Announcement& announcement);
  void hear(Server& server, Announcement& announcement);
  void acknowledged(Announcement& announcement, ServerId by);
  void tell(const Server& from, ServerId to, std::uint32_t ticket, bool acknowledges);
  void all_know(Announcement& announcement);
  void answer_ready_ones();
  void answer_late(Server& server, const LateAnswer& late);

  const Scheme& scheme_;
  ServerProtocol& inner_;
  World world_;
  std::optional<Validation> validation_;
  std::optional<Leases> leases_;
  double lookup_cost_ = 0;
  double announcement_cost_;
  sim::Duration announce_again_;
  Exchanges& exchanges_;
  Mutants mutants_;
  Announcements announcements_;
  LeaseTable lease_table_;
  sim::Time unknown_leases_end_{};  ///< of those that a server had granted before it crashed
  std::uint64_t lookups_ = 0;
  std::uint64_t announced_ = 0;
  std::uint64_t delayed_writes_ = 0;
  sim::Duration delay_{};
};

}  // namespace recirc::model::client_cache
