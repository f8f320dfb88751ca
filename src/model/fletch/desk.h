#pragma once

#include <cstdint>
#include <vector>

#include "model/admission_counters.h"
#include "model/fletch/active_log.h"
#include "model/fletch/cache_directory.h"
#include "model/fletch/config.h"
#include "model/fletch/control_message.h"
#include "model/fletch/leaves.h"
#include "model/fletch/mail.h"
#include "model/fletch/narrow_tree.h"
#include "model/fletch/recoveries.h"
#include "model/scheme.h"
#include "pipeline/programs/fletch/lock_plan.h"

namespace recirc::model::fletch {

/// What the controller has counted.
struct ControllerCounters : AdmissionCounters {
  std::uint64_t no_room = 0;             ///< not admitted: evictions did not free a fitting row
  std::uint64_t token_overflows = 0;     ///< not cached: 255 paths share the key
  std::uint64_t selections = 0;          ///< times that candidates for eviction were chosen
  std::uint64_t frequency_reads = 0;     ///< of their counters, for these choices
  std::uint64_t counters_reset = 0;      ///< lock counters that the sweep found stale
  std::uint64_t refreshes = 0;           ///< records that it asked a server for
  std::uint64_t rows_reused_raised = 0;  ///< the counter stayed raised until lock_reads
};

/// What is down, and what of it is not recovered yet. A controller's process finds this out for
/// itself: from the switch, and because it has just begun.
struct Outage {
  bool controller_down = false;
  bool switch_down = false;
  bool log_unread = false;       ///< the controller has crashed, and not read its log since
  bool switch_lost = false;      ///< the switch has crashed, and the log does not say so yet
  sim::Time controller_since{};  ///< it is up again
  sim::Time switch_since{};
};

/// What the parts of the controller share.
struct Desk {
  World world;
  const NarrowTree& keys;
  const ControllerSettings& settings;
  std::uint32_t threshold;
  pipeline::programs::fletch::LockPlan locks;
  bool sweeps;  ///< the controller looks for what lost messages left behind
  Mail& mail;
  ActiveLog& log;
  std::uint32_t channels;  ///< sequence counters of a server
  CacheDirectory& directory;
  Leaves& leaves;
  Mutants mutants;
  ControllerCounters counters{};
  /// Paths that have left the cache since the last look of the sweep.
  std::vector<CachedCopy> left{};
  std::uint32_t questions = 0;  ///< for metadata; the answer names its question
  /// Tells the controller's processes apart: those of earlier lives do nothing any more.
  std::uint32_t life = 0;
  bool stopped = false;  ///< all operations have ended
  Outage outage{};
  Recoveries controller_recoveries{};
  Recoveries switch_recoveries{};

  [[nodiscard]] ServerId owner(workloads::PathId path) const {
    return world.ring.owner(keys.whole_key(path));
  }
  /// The server pipe that a path's requests go to.
  [[nodiscard]] std::uint8_t home(workloads::PathId path) const {
    return world.topology.servers[owner(path).value()].pipe;
  }
  [[nodiscard]] pipeline::PipeId pipe_of(const CacheEntry& entry) const {
    return world.topology.server_pipes[entry.pipe].pipe;
  }

  /// A message to the server that a path belongs to. It tells which pipes hold the path, without
  /// the one that it is on its way into.
  void tell_owner(Ask ask, workloads::PathId path, std::uint8_t on_its_way = 0) {
    tell(world.topology.server(owner(path)), ask, path, on_its_way);
  }
  void tell(EndpointId server, Ask ask, workloads::PathId path, std::uint8_t on_its_way = 0) {
    mail.send(message_to(server, ask, path, on_its_way));
  }
  [[nodiscard]] Message message_to(EndpointId server, Ask ask, workloads::PathId path,
                                   std::uint8_t on_its_way) const {
    Message message =
        control_message(world.topology.controller.endpoint, server, ask, path, world.tree);
    auto header = message.header.get<ControlHeader>();
    header.copies = static_cast<std::uint8_t>(directory.copies(path) & ~on_its_way);
    message.header.set(header);
    return message;
  }
};

}  // namespace recirc::model::fletch
