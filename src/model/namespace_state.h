#pragma once

#include <cstdint>

#include "model/request.h"
#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model {

/// The namespace as the servers hold it: the immutable tree of the workload, and an overlay of the
/// paths that the run has written. The overlay grows with the changes only.
///
/// All servers share it. That is not a shortcut in time: an operation changes it at the instant its
/// own server commits.
class NamespaceState {
 public:
  explicit NamespaceState(const workloads::Namespace& tree) : tree_(tree) {}

  struct Applied {
    Outcome outcome = Outcome::error;
    Metadata metadata;          ///< after the operation
    bool changed = false;       ///< a new version was committed
    bool path_is_gone = false;  ///< a delete, rmdir or rename took the path away
    Version destination = 0;    ///< of what a rename has overwritten or made
  };

  /// Carries out one operation at its commit.
  Applied apply(const workloads::Operation& operation, UserClass user);

  [[nodiscard]] bool exists(workloads::PathId path) const;
  [[nodiscard]] Metadata metadata(workloads::PathId path) const;
  /// Sets permissions before a run starts (scenarios and tests).
  void set_permissions(workloads::PathId path, std::uint8_t readable_by,
                       std::uint8_t searchable_by);

  [[nodiscard]] const workloads::Namespace& tree() const { return tree_; }
  [[nodiscard]] std::size_t changed_paths() const { return written_.size(); }
  /// Operations on a path that was not there, by what they wanted: the run reports them.
  [[nodiscard]] std::uint64_t missing() const { return missing_; }
  [[nodiscard]] std::uint64_t existing() const { return existing_; }
  [[nodiscard]] std::uint64_t not_empty() const { return not_empty_; }

 private:
  struct Written {
    Version version = 0;
    bool exists = true;
    bool permissions_set = false;
    std::uint8_t readable_by = 0;
    std::uint8_t searchable_by = 0;
    std::uint64_t appeared = 0;  ///< commit number of its last creation
    std::uint64_t gone = 0;      ///< commit number of its last deletion or renaming
  };

  /// Or the same.
  [[nodiscard]] bool is_below(workloads::PathId path, workloads::PathId directory) const;
  Written& written(workloads::PathId path);
  void appear(workloads::PathId path);
  void disappear(workloads::PathId path);
  Applied create(const workloads::Operation& operation);
  Applied take_away(const workloads::Operation& operation);

  const workloads::Namespace& tree_;
  sim::FlatMap<Written> written_;
  std::uint64_t commits_ = 0;
  std::uint64_t directories_gone_ = 0;  ///< 0 spares the walk over ancestors
  std::uint64_t missing_ = 0;
  std::uint64_t existing_ = 0;
  std::uint64_t not_empty_ = 0;
};

}  // namespace recirc::model
