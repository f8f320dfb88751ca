#pragma once

#include <cstdint>
#include <vector>

#include "model/request.h"
#include "sim/flat_map.h"
#include "workloads/namespace.h"

namespace recirc::model {

/// The namespace as the servers hold it: the immutable tree of the workload, and an overlay of what
/// the run has changed: entries of directories, and attributes. The overlay grows with the changes
/// only; a directory that moves takes what is below it along, whatever it holds.
///
/// A *node* is a file or directory whatever its path: at the start the node of a path has the
/// path's number; what a run creates gets a fresh one. All servers share the namespace. That is
/// not a shortcut in time: an operation changes it at the instant its own server commits.
class NamespaceState {
 public:
  explicit NamespaceState(const workloads::Namespace& tree) : tree_(tree) {}

  struct Applied {
    Outcome outcome = Outcome::error;
    Metadata metadata;          ///< after the operation
    bool changed = false;       ///< a new version was committed
    bool path_is_gone = false;  ///< a delete, rmdir or rename took the path away
    bool below = false;         ///< the attributes of all below the path have changed as well
    Version destination = 0;    ///< of what a rename has overwritten or made
    Version before = 0;         ///< of the path, before a write that changed it
    Version destination_before = 0;
  };

  /// Carries out one operation at its commit.
  Applied apply(const workloads::Operation& operation, UserClass user);

  [[nodiscard]] bool exists(workloads::PathId path) const { return resolve(path).found; }
  /// When the path has come to be what it is now: the latest commit that has put it, or a directory
  /// above it, where it is. What was there before that was something else, or nothing.
  [[nodiscard]] Version placed(workloads::PathId path) const { return resolve(path).links; }
  /// False if a directory on the way, or the path itself, would refuse this reader.
  [[nodiscard]] bool may_read(workloads::PathId path, UserClass user) const;
  /// Of a path that does not exist: the version of its disappearance.
  [[nodiscard]] Metadata metadata(workloads::PathId path) const;

  [[nodiscard]] const workloads::Namespace& tree() const { return tree_; }
  /// What the overlay holds: entries of directories and nodes.
  [[nodiscard]] std::size_t changes() const { return entries_.size() + nodes_.size(); }
  /// Operations on a path that was not there, by what they wanted: the run reports them.
  [[nodiscard]] std::uint64_t missing() const { return missing_; }
  [[nodiscard]] std::uint64_t existing() const { return existing_; }
  [[nodiscard]] std::uint64_t not_empty() const { return not_empty_; }

 private:
  using NodeId = std::uint64_t;
  static constexpr NodeId no_node = ~NodeId{0};
  /// What a commit has set, and which one it was; none is 0.
  struct Setting {
    std::uint32_t value = 0;
    Version commit = 0;
  };
  struct Settings {
    Setting mode;
    Setting ownership;  ///< owner in the low half, group in the high one
  };
  struct Node {
    Version version = 0;        ///< of its own last change
    std::int32_t children = 0;  ///< entries that came, less those that went
    Settings own;
    Settings below;  ///< for it and all that is below it at that time
  };
  /// A changed entry of a directory.
  struct Entry {
    NodeId node = no_node;
    Version commit = 0;
  };
  /// What following a path has found.
  struct Resolved {
    bool found = false;
    bool denied = false;        ///< a directory on the way may not be passed
    NodeId parent = no_node;    ///< the node of the directory that holds it, if that is there
    NodeId node = no_node;      ///< the last one that is there
    Version links = 0;          ///< the latest change of an entry on the way
    Version version = 0;        ///< of the path
    Permissions permissions;    ///< of `node`
    Permissions above;          ///< of `parent`
    Settings inherited;         ///< what directories above have set since it came there
    workloads::PathId deepest;  ///< the path of `node`
  };

  /// Follows a path from the root. With a user, stops at a directory that it may not pass.
  [[nodiscard]] Resolved resolve(workloads::PathId path, std::uint8_t user = nobody_asks) const;
  [[nodiscard]] Resolved resolve_unmoved(workloads::PathId path) const;
  bool enter(Resolved& at, workloads::PathId path) const;
  void look_at_node(Resolved& at) const;
  [[nodiscard]] std::uint64_t entry_key(NodeId directory, workloads::PathId path) const;
  [[nodiscard]] Entry entry_of(NodeId directory, std::uint64_t key) const;
  [[nodiscard]] bool is_below(workloads::PathId path, workloads::PathId directory) const;
  [[nodiscard]] bool is_empty(NodeId directory) const;
  [[nodiscard]] Metadata record(const Resolved& at, workloads::PathId path) const;

  Applied create(const workloads::Operation& operation, UserClass user);
  Applied take_away(const workloads::Operation& operation, UserClass user, const Resolved& at);
  Applied move(const workloads::Operation& operation, UserClass user, const Resolved& at);
  Applied set_attributes(const workloads::Operation& operation, const Resolved& at);
  void link(NodeId directory, workloads::PathId path, NodeId node);
  void unlink(NodeId directory, workloads::PathId path);
  void take_settings_along(const Resolved& at);
  NodeId fresh_node(workloads::PathId path, UserClass user);

  /// In the place of a user: what is there, whoever may reach it.
  static constexpr std::uint8_t nobody_asks = 0;

  const workloads::Namespace& tree_;
  sim::FlatMap<Entry> entries_;
  sim::FlatMap<Node> nodes_;
  NodeId fresh_ = 0;
  Version commits_ = 0;
  bool directories_changed_ = false;  ///< false spares following paths from the root
  std::uint64_t missing_ = 0;
  std::uint64_t existing_ = 0;
  std::uint64_t not_empty_ = 0;
};

}  // namespace recirc::model
