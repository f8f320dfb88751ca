#pragma once

#include <cstdint>
#include <optional>

#include "model/client_pool.h"
#include "model/cluster_config.h"
#include "model/fletch/client_tokens.h"
#include "model/fletch/config.h"
#include "model/fletch/narrow_tree.h"
#include "model/fletch/token_map.h"
#include "model/fletch/writes_at_risk.h"
#include "model/scheme.h"
#include "pipeline/programs/fletch/lock_plan.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::model::fletch {

/// Clients hash every level of a path that they read, and the path alone when they write it
/// (Fletch §III).
class Clients final : public ClientProtocol {
 public:
  Clients(const World& world, const NarrowTree& keys, const NetworkSettings& network,
          const TokenMap& tokens, const TokenSettings& settings,
          const pipeline::programs::fletch::LockPlan& locks, WritesAtRisk* at_risk);

  void ask(Request& request, Message& message) override;
  void answered(Request& request, const Message& message) override;

  /// The cache starts with this path in it, and clients know.
  void cached_at_start(workloads::PathId path, std::uint8_t token);
  /// Null if clients send token 1 for what they do not know.
  [[nodiscard]] const ClientTokens* maps() const { return maps_ ? &*maps_ : nullptr; }

  /// Requests for paths that are too deep, or whose frames are too long, for the cache.
  [[nodiscard]] std::uint64_t bypassed() const { return bypassed_; }

 private:
  using Header = pipeline::programs::fletch::Header;

  void put_levels(const Request& request, unsigned depth, Header& header);
  void put_tokens(const Request& request, unsigned depth, Header& header);
  void put_own_key(const Request& request, unsigned depth, Header& header);
  void put_second_path(const Request& request, Header& header, unsigned& keys,
                       unsigned& path_bytes);
  [[nodiscard]] std::uint8_t token_of(ClientId client, workloads::PathId path);
  void learn(const Request& request, const Header& answer);

  World world_;
  const NarrowTree& keys_;
  const NetworkSettings& network_;
  const TokenMap& tokens_;
  std::optional<ClientTokens> maps_;
  pipeline::programs::fletch::LockPlan locks_;
  WritesAtRisk* at_risk_;  ///< null where writes are never acknowledged early
  std::uint64_t bypassed_ = 0;
};

}  // namespace recirc::model::fletch
