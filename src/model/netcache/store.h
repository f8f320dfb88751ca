#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/metadata.h"
#include "pipeline/control_port.h"
#include "pipeline/programs/netcache/layout.h"
#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model::netcache {

/// The program's place in its switch.
inline constexpr pipeline::ProtocolTag protocol{0};

/// What the controller knows of the cache: which paths, and where. Paths are strings to it: it
/// knows nothing of directories.
class Store {
 public:
  using Item = std::uint16_t;
  using Operations = std::vector<pipeline::ControlOperation>;

  explicit Store(std::uint64_t most);

  [[nodiscard]] std::optional<Item> find(workloads::PathId path) const;
  [[nodiscard]] bool is_full() const { return free_.empty(); }
  /// Takes a free item; there must be one.
  Item add(workloads::PathId path, workloads::Key key);
  /// The path is not cached any more; its item is free after release().
  void remove(Item item);
  void release(Item item) { free_.push_back(item); }

  [[nodiscard]] workloads::PathId path(Item item) const { return paths_[item]; }
  [[nodiscard]] std::size_t entries() const { return cached_.size(); }
  /// The cached items, in no order that means anything.
  [[nodiscard]] const std::vector<Item>& cached() const { return cached_; }
  static pipeline::programs::netcache::Location location(Item item);
  static pipeline::TableId table(Item item);
  [[nodiscard]] pipeline::MatchKey match_key(Item item) const { return {keys_[item], 0}; }

  // What the control plane does for it. A record is written before its lookup entry.
  void append_record(Operations& operations, pipeline::PipeId pipe, Item item,
                     const Metadata& metadata) const;
  void append_lookup(Operations& operations, Item item) const;
  void append_removal(Operations& operations, Item item) const;
  static pipeline::ControlOperation read_hits(pipeline::PipeId pipe, Item item);
  /// Sketch, filter and hit counters become zero.
  static void append_reset(Operations& operations, pipeline::PipeId pipe);

 private:
  sim::FlatMap<Item> by_path_;
  std::vector<workloads::PathId> paths_;
  std::vector<workloads::Key> keys_;
  std::vector<std::uint32_t> places_;  ///< in cached_
  std::vector<Item> cached_;
  std::vector<Item> free_;  ///< the next one to be used is the last
};

}  // namespace recirc::model::netcache
