#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/run.h"
#include "model/simulation.h"

namespace recirc::model::rotation {

/// The operations of a workload by the server that owns their path, as one pass over it finds them.
class Assignment {
 public:
  explicit Assignment(const Ground& ground);

  [[nodiscard]] std::size_t servers() const { return of_.size(); }
  [[nodiscard]] const std::vector<std::uint64_t>& of(std::uint32_t server) const {
    return of_[server];
  }
  /// The server with most operations; of several the first.
  [[nodiscard]] std::uint32_t busiest() const;
  /// Operations of one or two servers, ascending.
  [[nodiscard]] std::vector<std::uint64_t> of(const std::vector<std::uint32_t>& servers) const;

 private:
  std::vector<std::vector<std::uint64_t>> of_;
};

/// Roughly how many operations a rotation replays for a workload of `operations`: the busiest
/// server's share is not known before its workload was gone through.
std::uint64_t about_operations(const Config& config, std::uint64_t operations);

/// One replication, two servers at a time (Method::rotation) or one (Method::solo).
///
/// Each part is a simulation of its own: its clients ask for the operations of its servers only,
/// every server has a machine to itself, and the cache is filled as /run/rotation_cache says.
/// A part replays its operations one after another, so the destructive tail is at its own end.
ReplicationResult run_parts(const Config& config, const Inputs& inputs, std::uint64_t replication,
                            RunControl& control, const std::string& log_file);

}  // namespace recirc::model::rotation
