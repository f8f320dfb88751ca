#pragma once

#include <cstdint>
#include <vector>

#include "model/nfs/config.h"
#include "model/pages/contents.h"
#include "model/pages/page_world.h"
#include "model/pages/station.h"

namespace recirc::model::nfs {

/// Figures of the requests that a server has had.
struct Requests {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t attributes = 0;  ///< asked for
};

/// The NFS server: threads with a queue, what is in its files, and a number a file that every
/// change of it moves on.
class Server {
 public:
  Server(const pages::PageWorld& world, const NfsSettings& settings)
      : contents(world.files),
        changes(world.files.size(), 0),
        station(settings.server_threads),
        settings_(settings) {}

  /// When a request of so many pages that comes at `comes` has been served.
  sim::Time serve(sim::Time comes, std::uint32_t pages) {
    return station.serve(
        comes, settings_.server_time + static_cast<std::int64_t>(pages - 1) * settings_.page_time);
  }
  sim::Time commit(sim::Time comes) {
    return station.serve(comes, settings_.server_time + settings_.commit);
  }

  pages::Contents contents;
  std::vector<std::uint64_t> changes;  ///< by file
  pages::Station station;
  Requests requests;

 private:
  NfsSettings settings_;
};

}  // namespace recirc::model::nfs
