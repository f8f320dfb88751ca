#pragma once

#include <cstdint>

#include "model/client_pool.h"
#include "model/scheme.h"

namespace recirc::model::netcache {

/// A request has one key, of its whole path. What the switch answers has been resolved by nobody:
/// the clients' side counts the answers that a resolution would have refused.
class Clients final : public ClientProtocol {
 public:
  explicit Clients(const World& world) : world_(world) {}

  void ask(Request& request, Message& message) override;
  void answered(Request& request, const Message& message) override;

  /// Answers of the switch to users whom a directory above, or the record, does not let read.
  [[nodiscard]] std::uint64_t unpermitted() const { return unpermitted_; }

 private:
  World world_;
  std::uint64_t unpermitted_ = 0;
};

}  // namespace recirc::model::netcache
