#pragma once

#include <cstdint>

#include "model/client_pool.h"
#include "model/cluster_config.h"
#include "model/fletch/token_map.h"
#include "model/scheme.h"
#include "pipeline/programs/fletch/lock_plan.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::model::fletch {

/// Clients hash every level of a path that they read, and the path alone when they write it
/// (Fletch §III).
class Clients final : public ClientProtocol {
 public:
  Clients(const World& world, const NetworkSettings& network, const TokenMap& tokens,
          const pipeline::programs::fletch::LockPlan& locks);

  void ask(Request& request, Message& message) override;
  void answered(Request& request, const Message& message) override;

  /// Requests for paths that are too deep, or whose frames are too long, for the cache.
  [[nodiscard]] std::uint64_t bypassed() const { return bypassed_; }

 private:
  using Header = pipeline::programs::fletch::Header;

  void put_levels(const Request& request, unsigned depth, Header& header) const;
  void put_own_key(const Request& request, unsigned depth, Header& header) const;
  void put_second_path(const Request& request, Header& header, unsigned& keys,
                       unsigned& path_bytes) const;

  World world_;
  const NetworkSettings& network_;
  const TokenMap& tokens_;
  pipeline::programs::fletch::LockPlan locks_;
  std::uint64_t bypassed_ = 0;
};

}  // namespace recirc::model::fletch
