#pragma once

#include <cstdint>

#include "model/client_cache/client_caches.h"
#include "model/client_pool.h"
#include "model/scheme.h"
#include "model/verify/version_floor.h"

namespace recirc::model::client_cache {

/// Clients that resolve the directories above a path from their caches, as far as these go, around
/// the protocol that they speak anyhow.
class Clients final : public ClientProtocol {
 public:
  Clients(ClientProtocol& inner, const World& world, const ClientCacheSettings& settings,
          Exchanges& exchanges, ClientCaches& caches);

  void ask(Request& request, Message& message) override;
  bool asks_again(Request& request, const Message& message) override;
  void answered(Request& request, const Message& message) override;
  void doubled(RequestHandle from, RequestHandle to) override;

  void report(ReplicationResult& result) const;

 private:
  /// An operation that was turned away so often is asked without the cache.
  static constexpr unsigned most_stale_answers = 2;

  void begin(const Request& request, Exchange& exchange);
  void ask_about(unsigned level, Request& request) const;
  [[nodiscard]] unsigned next_lookup(const Exchange& exchange) const;
  void take_back(Request& request, Exchange& exchange);
  void looked_up(Request& request, const Message& message, Exchange& exchange);
  void check(const Request& request, const Exchange& exchange);
  void acknowledge(const Request& request);

  ClientProtocol& inner_;
  World world_;
  bool round_trips_;
  Exchanges& exchanges_;
  ClientCaches& caches_;
  Exchange next_;           ///< of the request that goes on with the next message
  bool continues_ = false;  ///< the next message to be asked is that one
  verify::VersionFloor floor_;      ///< of directories
  bool has_floors_ = false;
  std::uint64_t stale_answers_ = 0;
  std::uint64_t without_cache_ = 0;
  std::uint64_t lookup_requests_ = 0;
  std::uint64_t outdated_ = 0;
};

/// A write that replaces what clients may go by. A new directory does not: nobody has it. Neither
/// does a rename to itself: it makes no version, and its answer tells of another's, which may still
/// wait for its own.
[[nodiscard]] bool changes_directory(const workloads::Operation& operation,
                                     const workloads::Namespace& tree);

}  // namespace recirc::model::client_cache
