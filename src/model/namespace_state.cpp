#include "model/namespace_state.h"

#include <algorithm>
#include <array>

#include "sim/rng.h"

namespace recirc::model {

using workloads::Operation;
using workloads::OpKind;
using workloads::PathId;

namespace {

constexpr PathId root{0};

constexpr std::uint32_t ownership(std::uint32_t owner, std::uint32_t group) {
  return owner | group << 16U;
}

}  // namespace

NamespaceState::Applied NamespaceState::apply(const Operation& operation, UserClass user) {
  const PathId path = operation.path;
  if (operation.kind == OpKind::create || operation.kind == OpKind::mkdir) {
    return create(operation, user);
  }
  const Resolved at = resolve(path, static_cast<std::uint8_t>(user));
  if (at.denied) return {Outcome::denied, metadata(path)};
  if (!at.found) {
    ++missing_;
    return {Outcome::error, metadata(path)};
  }
  const Metadata now = record(at, path);
  if (workloads::is_read(operation.kind)) {
    return {may(now.readable_by, user) ? Outcome::miss : Outcome::denied, now};
  }
  if (workloads::is_destructive(operation.kind)) return take_away(operation, user, at);
  if (!owns(at.permissions, user)) return {Outcome::denied, now};
  return set_attributes(operation, at);
}

bool NamespaceState::may_read(PathId path, UserClass user) const {
  const Resolved at = resolve(path, static_cast<std::uint8_t>(user));
  return !at.denied && (!at.found || may(record(at, path).readable_by, user));
}

// --------------------------------------------------------------------------- following paths ----

NamespaceState::Resolved NamespaceState::resolve(PathId path, std::uint8_t user) const {
  if (!directories_changed_) return resolve_unmoved(path);
  std::array<PathId, workloads::max_depth + 1> levels;
  const unsigned depth = tree_.depth(path);
  PathId p = path;
  for (unsigned level = depth; level > 0; --level, p = tree_.parent(p)) levels[level] = p;
  Resolved at;
  at.node = root.value();
  at.deepest = root;
  look_at_node(at);
  for (unsigned level = 1; level <= depth; ++level) {
    const bool passable =
        user == nobody_asks || (who_may(at.permissions, Access::search) & user) != 0;
    at.parent = no_node;
    at.version = at.links;
    at.denied = !passable;
    if (at.denied) return at;
    if (level == depth) {
      at.parent = at.node;
      at.above = at.permissions;
    }
    if (!enter(at, levels[level])) return at;
  }
  at.found = true;
  return at;
}

/// While no directory has moved or changed its attributes, a path's parent is where it was at the
/// start, and everybody may pass it.
NamespaceState::Resolved NamespaceState::resolve_unmoved(PathId path) const {
  Resolved at;
  at.deepest = tree_.parent(path);
  while (!tree_.exists_at_start(at.deepest)) at.deepest = tree_.parent(at.deepest);
  at.node = at.deepest.value();
  at.above = at.permissions = {first_mode(true), 0, 0};
  if (path == root) {
    look_at_node(at);
    at.found = true;
  } else if (at.deepest == tree_.parent(path)) {
    at.parent = at.node;
    at.found = enter(at, path);
  }
  return at;
}

/// Goes on from a directory to one of its entries; false if there is none.
bool NamespaceState::enter(Resolved& at, PathId path) const {
  const Entry entry = entry_of(at.node, entry_key(at.node, path));
  at.links = std::max(at.links, entry.commit);
  if (entry.node == no_node) {
    at.version = std::max({at.links, at.inherited.mode.commit, at.inherited.ownership.commit});
    return false;
  }
  // What directories above have set before this entry came does not reach it.
  if (at.inherited.mode.commit <= entry.commit) at.inherited.mode = {};
  if (at.inherited.ownership.commit <= entry.commit) at.inherited.ownership = {};
  at.node = entry.node;
  at.deepest = path;
  look_at_node(at);
  return true;
}

void NamespaceState::look_at_node(Resolved& at) const {
  Setting mode = at.inherited.mode;
  Setting owner = at.inherited.ownership;
  const auto later = [](Setting& of, const Setting& other) {
    if (other.commit > of.commit) of = other;
  };
  Version own = 0;
  if (const Node* node = nodes_.find(at.node)) {
    own = node->version;
    later(mode, node->own.mode);
    later(owner, node->own.ownership);
    later(at.inherited.mode, node->below.mode);
    later(at.inherited.ownership, node->below.ownership);
  }
  at.version = std::max({at.links, own, mode.commit, owner.commit});
  at.permissions.mode = mode.commit == 0 ? first_mode(tree_.is_directory(at.deepest))
                                         : static_cast<std::uint16_t>(mode.value);
  at.permissions.owner = static_cast<std::uint16_t>(owner.value & 0xffffU);
  at.permissions.group = static_cast<std::uint16_t>(owner.value >> 16U);
}

/// Where the entry of `path`'s last name in a directory is kept: under the number of the path that
/// it had at the start, or, where there is none, under a hash beyond all numbers of paths.
std::uint64_t NamespaceState::entry_key(NodeId directory, PathId path) const {
  if (directory == tree_.parent(path).value()) return path.value();
  if (directory < tree_.size()) {
    const PathId home = tree_.child(PathId{static_cast<PathId::rep>(directory)}, path);
    if (!home.is_none()) return home.value();
  }
  return sim::mix64(tree_.name_hash(path) + sim::golden_gamma * (directory + 1)) | std::uint64_t{1}
                                                                                       << 63U;
}

NamespaceState::Entry NamespaceState::entry_of(NodeId directory, std::uint64_t key) const {
  if (const Entry* entry = entries_.find(key)) return *entry;
  if (directory >= tree_.size() || key >= tree_.size()) return {};
  const PathId home{static_cast<PathId::rep>(key)};
  return {tree_.exists_at_start(home) ? key : no_node, 0};
}

bool NamespaceState::is_below(PathId path, PathId directory) const {
  while (tree_.depth(path) > tree_.depth(directory)) path = tree_.parent(path);
  return path == directory;
}

bool NamespaceState::is_empty(NodeId directory) const {
  const Node* node = nodes_.find(directory);
  const std::int64_t changed = node == nullptr ? 0 : node->children;
  const auto first =
      directory < tree_.size() ? tree_.children(PathId{static_cast<PathId::rep>(directory)}) : 0;
  return static_cast<std::int64_t>(first) + changed <= 0;
}

Metadata NamespaceState::record(const Resolved& at, PathId path) const {
  Metadata m = metadata_with(tree_.is_directory(path), at.permissions);
  m.access_time = mark_of(path);
  m.version = at.version;
  return m;
}

Metadata NamespaceState::metadata(PathId path) const {
  const Resolved at = resolve(path);
  if (at.found) return record(at, path);
  Metadata m = initial_metadata(tree_.is_directory(path));
  m.access_time = mark_of(path);
  m.version = at.version;
  return m;
}

// -------------------------------------------------------------------------------- operations ----

NamespaceState::Applied NamespaceState::create(const Operation& operation, UserClass user) {
  const PathId path = operation.path;
  const Resolved at = resolve(path, static_cast<std::uint8_t>(user));
  const Permissions& holder = at.found || at.parent != no_node ? at.above : at.permissions;
  const bool refused = path != root && !may(who_may(holder, Access::write), user);
  if (at.denied || refused) return {Outcome::denied, metadata(path)};
  if (at.found) {
    ++existing_;
    return {Outcome::error, record(at, path)};
  }
  // As HDFS does, a create makes the directories above it that are missing.
  std::array<PathId, workloads::max_depth + 1> missing;
  std::size_t count = 0;
  for (PathId p = path; p != at.deepest; p = tree_.parent(p)) missing[count++] = p;
  ++commits_;
  NodeId directory = at.node;
  while (count-- > 0) {
    const NodeId made = fresh_node(missing[count], user);
    link(directory, missing[count], made);
    directory = made;
  }
  return {Outcome::written, metadata(path), true};
}

NamespaceState::Applied NamespaceState::take_away(const Operation& operation, UserClass user,
                                                  const Resolved& at) {
  const PathId path = operation.path;
  const bool moves = operation.kind == OpKind::rename && !operation.destination.is_none();
  // The root is never deleted, moved or overwritten (Fletch §III-A).
  if (path == root || (moves && operation.destination == root)) {
    return {Outcome::error, metadata(path)};
  }
  if (!may(who_may(at.above, Access::write), user)) return {Outcome::denied, record(at, path)};
  if (operation.kind == OpKind::rmdir && !is_empty(at.node)) {
    ++not_empty_;
    return {Outcome::error, record(at, path)};
  }
  if (moves) return move(operation, user, at);
  ++commits_;
  unlink(at.parent, path);
  Applied applied{Outcome::written, metadata(path), true, true};
  applied.before = at.version;
  return applied;
}

NamespaceState::Applied NamespaceState::move(const Operation& operation, UserClass user,
                                             const Resolved& at) {
  const PathId path = operation.path;
  const PathId destination = operation.destination;
  const Metadata now = record(at, path);
  if (destination == path) return {Outcome::written, now};
  if (is_below(destination, path) || is_below(path, destination)) return {Outcome::error, now};
  const Resolved to = resolve(destination, static_cast<std::uint8_t>(user));
  if (to.denied) return {Outcome::denied, now};
  if (to.parent == no_node) {
    ++missing_;
    return {Outcome::error, now};
  }
  if (!may(who_may(to.above, Access::write), user)) return {Outcome::denied, now};
  if (to.found && tree_.is_directory(destination) != tree_.is_directory(path)) {
    return {Outcome::error, now};
  }
  if (to.found && tree_.is_directory(destination) && !is_empty(to.node)) {
    ++not_empty_;
    return {Outcome::error, now};
  }
  ++commits_;
  take_settings_along(at);
  unlink(at.parent, path);
  if (to.found) unlink(to.parent, destination);
  link(to.parent, destination, at.node);
  Applied applied{Outcome::written, metadata(path), true, true};
  applied.destination = metadata(destination).version;
  applied.before = at.version;
  applied.destination_before = to.version;
  return applied;
}

/// What the directories above it had set stays with what moves away.
void NamespaceState::take_settings_along(const Resolved& at) {
  const Settings inherited = at.inherited;
  if (inherited.mode.commit == 0 && inherited.ownership.commit == 0) return;
  Node& node = nodes_[at.node];
  const auto keep = [](Setting& of, const Setting& other) {
    if (other.commit > of.commit) of = other;
  };
  keep(node.own.mode, inherited.mode);
  keep(node.own.ownership, inherited.ownership);
  keep(node.below.mode, inherited.mode);
  keep(node.below.ownership, inherited.ownership);
}

NamespaceState::Applied NamespaceState::set_attributes(const Operation& operation,
                                                       const Resolved& at) {
  const PathId path = operation.path;
  const workloads::Attributes& set = operation.set;
  const bool directory = tree_.is_directory(path);
  const bool below = operation.recursive && directory;
  Node& node = nodes_[at.node];
  node.version = ++commits_;
  constexpr std::uint16_t unset = workloads::Attributes::unset;
  if (operation.kind == OpKind::chmod && (set.mode != unset || below)) {
    const std::uint32_t mode = set.mode != unset ? set.mode : at.permissions.mode;
    node.own.mode = {mode, commits_};
    if (below) node.below.mode = {mode, commits_};
  }
  if (operation.kind == OpKind::chown && (set.owner != unset || set.group != unset || below)) {
    const std::uint32_t to = ownership(set.owner != unset ? set.owner : at.permissions.owner,
                                       set.group != unset ? set.group : at.permissions.group);
    node.own.ownership = {to, commits_};
    if (below) node.below.ownership = {to, commits_};
  }
  directories_changed_ = directories_changed_ || (directory && (below || set != decltype(set){}));
  Applied applied{Outcome::written, metadata(path), true};
  applied.below = below;
  applied.before = at.version;
  return applied;
}

// ---------------------------------------------------------------------------------- entries ----

NamespaceState::NodeId NamespaceState::fresh_node(PathId path, UserClass user) {
  const NodeId id = tree_.size() + fresh_++;
  Node& node = nodes_[id];
  node.version = commits_;
  node.own.mode = {first_mode(tree_.is_directory(path)), commits_};
  std::uint32_t owner = 0;
  while (user_of(static_cast<workloads::Caller>(owner)) != user) ++owner;
  node.own.ownership = {ownership(owner, group_of(static_cast<workloads::Caller>(owner))),
                        commits_};
  return id;
}

void NamespaceState::link(NodeId directory, PathId path, NodeId node) {
  entries_[entry_key(directory, path)] = {node, commits_};
  ++nodes_[directory].children;
  directories_changed_ = directories_changed_ || tree_.is_directory(path);
}

void NamespaceState::unlink(NodeId directory, PathId path) {
  entries_[entry_key(directory, path)] = {no_node, commits_};
  --nodes_[directory].children;
  directories_changed_ = directories_changed_ || tree_.is_directory(path);
}

}  // namespace recirc::model
