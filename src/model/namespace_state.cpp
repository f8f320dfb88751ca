#include "model/namespace_state.h"

namespace recirc::model {

using workloads::Operation;
using workloads::OpKind;
using workloads::PathId;

namespace {
constexpr PathId root{0};
}

NamespaceState::Applied NamespaceState::apply(const Operation& operation, UserClass user) {
  const PathId path = operation.path;
  if (operation.kind == OpKind::create || operation.kind == OpKind::mkdir) {
    if (user == UserClass::stranger) return {Outcome::denied, metadata(path)};
    return create(operation);
  }
  if (!exists(path)) {
    ++missing_;
    return {Outcome::error, metadata(path)};
  }
  const Metadata now = metadata(path);
  if (!may(now.readable_by, user)) return {Outcome::denied, now};
  if (workloads::is_read(operation.kind)) return {Outcome::miss, now};
  if (workloads::is_destructive(operation.kind)) return take_away(operation);
  ++written(path).version;  // chmod, chown, utime
  return {Outcome::written, metadata(path), true};
}

NamespaceState::Applied NamespaceState::create(const Operation& operation) {
  const PathId path = operation.path;
  if (exists(path)) {
    ++existing_;
    return {Outcome::error, metadata(path)};
  }
  // As HDFS does, a create makes the directories above it that are missing.
  for (PathId p = tree_.parent(path); !exists(p); p = tree_.parent(p)) appear(p);
  appear(path);
  return {Outcome::written, metadata(path), true};
}

NamespaceState::Applied NamespaceState::take_away(const Operation& operation) {
  const PathId path = operation.path;
  const PathId destination =
      operation.kind == OpKind::rename ? operation.destination : PathId::none();
  // The root is never deleted, moved or overwritten (Fletch §III-A).
  if (path == root || destination == root) return {Outcome::error, metadata(path)};
  if (operation.kind == OpKind::rmdir && tree_.has_children(path)) {
    ++not_empty_;
    return {Outcome::error, metadata(path)};
  }
  if (!destination.is_none()) {
    if (destination == path) return {Outcome::written, metadata(path)};
    if (is_below(destination, path)) return {Outcome::error, metadata(path)};
    if (!exists(tree_.parent(destination))) {
      ++missing_;
      return {Outcome::error, metadata(path)};
    }
  }
  disappear(path);
  Applied applied{Outcome::written, {}, true, true};
  if (!destination.is_none()) {
    appear(destination);
    applied.destination = written(destination).version;
  }
  applied.metadata = metadata(path);
  return applied;
}

bool NamespaceState::is_below(PathId path, PathId directory) const {
  while (tree_.depth(path) > tree_.depth(directory)) path = tree_.parent(path);
  return path == directory;
}

NamespaceState::Written& NamespaceState::written(PathId path) {
  const std::size_t before = written_.size();
  Written& entry = written_[path.value()];
  if (written_.size() != before) entry.exists = tree_.exists_at_start(path);
  return entry;
}

void NamespaceState::appear(PathId path) {
  Written& entry = written(path);
  entry.exists = true;
  entry.appeared = ++commits_;
  ++entry.version;
}

void NamespaceState::disappear(PathId path) {
  Written& entry = written(path);
  entry.exists = false;
  entry.gone = ++commits_;
  ++entry.version;
  if (tree_.is_directory(path)) ++directories_gone_;
}

bool NamespaceState::exists(PathId path) const {
  const Written* own = written_.find(path.value());
  if (own == nullptr ? !tree_.exists_at_start(path) : !own->exists) return false;
  if (directories_gone_ == 0) return true;
  // What was below a directory when it went away went with it.
  const std::uint64_t since = own == nullptr ? 0 : own->appeared;
  for (PathId p = path; tree_.depth(p) > 0;) {
    p = tree_.parent(p);
    const Written* above = written_.find(p.value());
    if (above != nullptr && above->gone > since) return false;
  }
  return true;
}

Metadata NamespaceState::metadata(PathId path) const {
  Metadata m = initial_metadata(tree_.is_directory(path));
  m.access_time = mark_of(path);
  if (const Written* entry = written_.find(path.value())) {
    m.version = entry->version;
    if (entry->permissions_set) {
      m.readable_by = entry->readable_by;
      m.searchable_by = entry->searchable_by;
    }
  }
  return m;
}

void NamespaceState::set_permissions(PathId path, std::uint8_t readable_by,
                                     std::uint8_t searchable_by) {
  Written& entry = written(path);
  entry.permissions_set = true;
  entry.readable_by = readable_by;
  entry.searchable_by = searchable_by;
}

}  // namespace recirc::model
