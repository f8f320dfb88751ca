#pragma once

#include <cstdint>
#include <optional>

#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model::fletch {

/// Hears of each token that is given to a path.
class TokenSink {
 public:
  virtual ~TokenSink() = default;
  virtual void assigned(workloads::PathId path, workloads::Key key, std::uint8_t token) = 0;
};

/// The controller's hash-token and path-token maps (Fletch §VI): tokens tell apart paths with the
/// same key. Both persist after an eviction, so that a path that comes back has its old token.
///
/// Clients and servers hold copies of the path-token map; here they share the controller's. Only
/// tokens other than 1 are kept, as a path that is not in the map has token 1.
class TokenMap {
 public:
  static constexpr std::uint8_t first = 1;
  static constexpr unsigned last = 255;

  /// The token that requests for the path carry.
  [[nodiscard]] std::uint8_t of(workloads::PathId path) const {
    if (others_.size() == 0) return first;
    const std::uint8_t* token = others_.find(path.value());
    return token == nullptr ? first : *token;
  }
  /// The path's token, assigned now if it has none; nothing when its key has used all 255.
  std::optional<std::uint8_t> assign(workloads::PathId path, workloads::Key key) {
    Owner& owner = owners_[key];
    if (owner.tokens == 0) {
      owner = {path, 1};
      if (sink_ != nullptr) sink_->assigned(path, key, first);
      return first;
    }
    if (owner.first == path) return first;
    if (const std::uint8_t* token = others_.find(path.value())) return *token;
    if (owner.tokens == last) return std::nullopt;
    sharing_pairs_ += owner.tokens;
    const auto token = static_cast<std::uint8_t>(++owner.tokens);
    others_[path.value()] = token;
    if (sink_ != nullptr) sink_->assigned(path, key, token);
    return token;
  }
  /// nullptr: nobody hears.
  void tell(TokenSink* sink) { sink_ = sink; }
  [[nodiscard]] bool all_first() const { return others_.size() == 0; }
  [[nodiscard]] std::uint64_t keys() const { return owners_.size(); }
  /// Paths that ever were in the cache, and how many of them came to a key that was taken.
  [[nodiscard]] std::uint64_t paths() const { return owners_.size() + others_.size(); }
  [[nodiscard]] std::uint64_t collisions() const { return others_.size(); }
  /// Pairs of paths with one key: what the birthday estimate counts.
  [[nodiscard]] std::uint64_t sharing_pairs() const { return sharing_pairs_; }

 private:
  struct Owner {
    workloads::PathId first;  ///< the path with token 1
    std::uint16_t tokens = 0;
  };
  sim::FlatMap<Owner> owners_;         ///< by key
  sim::FlatMap<std::uint8_t> others_;  ///< by path
  std::uint64_t sharing_pairs_ = 0;
  TokenSink* sink_ = nullptr;
};

}  // namespace recirc::model::fletch
