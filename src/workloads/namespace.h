#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "workloads/operation.h"

namespace recirc::workloads {

/// The hash key of a path: the first 64 bits of its MD5, first byte most significant (Fletch §III).
using Key = std::uint64_t;

/// The deepest path a namespace may hold. (Names may be long and paths deep in a trace; what a
/// switch's parser can carry is the model's business.)
inline constexpr unsigned max_depth = 64;

/// The keys of a path's levels: keys[0] is the root's, keys[depth] the path's own.
struct LevelKeys {
  unsigned depth = 0;
  std::array<Key, max_depth + 1> keys;  // only [0..depth] is meaningful
};

/// The tree of files and directories as it is when the run starts. Immutable while a run goes on;
/// what the run creates, deletes and renames is the model's overlay.
class Namespace {
 public:
  virtual ~Namespace() = default;

  /// Path ids are 0..size()-1; 0 is the root.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual bool is_directory(PathId path) const = 0;
  /// False for a path that a trace creates before it uses it.
  [[nodiscard]] virtual bool exists_at_start(PathId path) const = 0;
  /// Number of levels below the root; the root's depth is 0.
  [[nodiscard]] virtual unsigned depth(PathId path) const = 0;
  /// The parent; the root is its own.
  [[nodiscard]] virtual PathId parent(PathId path) const = 0;
  /// How many entries it has at the start; 0 for a file.
  [[nodiscard]] virtual std::uint64_t children(PathId path) const = 0;
  [[nodiscard]] bool has_children(PathId path) const { return children(path) != 0; }
  /// The path in `directory` whose last name is that of `like`; none if there is none among ours.
  [[nodiscard]] virtual PathId child(PathId directory, PathId like) const = 0;
  /// The same for paths with the same last name, and a 64-bit hash's chance for others.
  [[nodiscard]] virtual std::uint64_t name_hash(PathId path) const = 0;
  [[nodiscard]] virtual Key key(PathId path) const = 0;
  virtual void level_keys(PathId path, LevelKeys& out) const = 0;
  /// Length of the canonical path string, in bytes.
  [[nodiscard]] virtual unsigned path_length(PathId path) const = 0;
  /// The canonical path string: reports and test vectors only, never on the hot path.
  [[nodiscard]] virtual std::string path(PathId path) const = 0;
};

}  // namespace recirc::workloads
