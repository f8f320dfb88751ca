#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workloads/namespace.h"

namespace recirc::workloads {

/// A namespace filled path by path, in the order in which a trace names them. About 50 bytes a path
/// and its name.
///
/// What existed before the trace began has to be guessed from it:
/// - A path whose first request is anything but create or mkdir existed, and so did its ancestors,
///   even those that a mkdir names earlier (mkdirs of an existing directory changes nothing).
/// - The ancestors of a created path existed, unless they, or a directory above them, were created
///   first: creating a path makes what is missing above it.
/// - The destination of a rename did not exist, unless it was used before.
/// - What is used below the new name of a renamed directory existed below its old name.
/// - A refused creation creates nothing: it only tells that the ancestors existed.
/// A path is a directory if it has children, or else if mkdir or rmdir names it, or else if it is
/// listed and never opened or created, or else if it is the destination of a directory's rename.
class InternedTree final : public Namespace {
 public:
  InternedTree();

  /// The id of a normalised path (absolute, single slashes, no trailing one, at most max_depth
  /// names of at most 255 bytes); adds it and its ancestors where they are new. The key of a path
  /// is computed here, once.
  PathId intern(std::string_view path);
  /// The id of a normalised path, or none.
  [[nodiscard]] PathId find(std::string_view path) const;

  /// Notes a request that needs the path to be there.
  void note_use(PathId path);
  /// Notes a request that brings the path into being.
  void note_creation(PathId path);
  /// Notes a creation that was refused.
  void note_denied(PathId path);

  enum class Evidence : std::uint8_t { none, listed, file, directory };  // the stronger wins
  void note_evidence(PathId path, Evidence evidence);
  /// Notes a rename: what is used below `to` from now on has come from below `from`.
  void note_rename(PathId from, PathId to);
  /// Notes that `to` is what `from` was, if nothing else tells.
  void note_same_kind(PathId from, PathId to);

  [[nodiscard]] std::uint64_t size() const override { return nodes_.size(); }
  [[nodiscard]] bool is_directory(PathId path) const override;
  [[nodiscard]] bool exists_at_start(PathId path) const override;
  [[nodiscard]] unsigned depth(PathId path) const override { return node(path).depth; }
  [[nodiscard]] PathId parent(PathId path) const override { return PathId{node(path).parent}; }
  [[nodiscard]] std::uint64_t children(PathId path) const override {
    return node(path).children_at_start;
  }
  [[nodiscard]] PathId child(PathId directory, PathId like) const override;
  [[nodiscard]] std::uint64_t name_hash(PathId path) const override;
  [[nodiscard]] Key key(PathId path) const override { return node(path).key; }
  void level_keys(PathId path, LevelKeys& out) const override;
  [[nodiscard]] unsigned path_length(PathId path) const override { return node(path).length; }
  [[nodiscard]] std::string path(PathId path) const override;

 private:
  enum class Start : std::uint8_t { undecided, absent, present };
  struct Node {
    Key key;
    std::uint64_t name;  ///< where its name starts in names_
    PathId::rep parent;
    std::uint32_t children_at_start;
    std::uint16_t length;  ///< of the whole path: 64 names of 255 bytes and slashes fit
    std::uint8_t name_length;
    std::uint8_t depth;
    Start start : 2;
    Evidence evidence : 2;
    bool has_children : 1;  ///< at any time
    bool renamed_to : 1;    ///< some path was renamed to this one
  };

  [[nodiscard]] const Node& node(PathId path) const { return nodes_[path.value()]; }
  [[nodiscard]] std::string_view name_of(const Node& node) const;
  [[nodiscard]] std::size_t slot_of(PathId::rep parent, std::string_view name) const;
  PathId::rep add(PathId::rep parent, std::string_view path, std::string_view name);
  void grow();
  void set_present(Node& node);
  void ancestors_existed(PathId path, bool even_created);
  struct Rename {
    std::uint32_t number;  ///< in the order of the trace, from 1
    PathId::rep from;
  };
  [[nodiscard]] Rename latest_rename_above(PathId::rep path, std::uint32_t before,
                                           PathId::rep& destination) const;
  void note_origin(PathId path);
  static std::uint64_t hash_of(std::string_view name);

  std::vector<Node> nodes_;
  std::string names_;
  std::unordered_map<PathId::rep, std::vector<Rename>> renames_;  ///< by destination
  std::uint32_t rename_count_ = 0;
  std::vector<PathId::rep> slots_;  ///< open addressing, a power of two; 0 (the root) is empty
};

}  // namespace recirc::workloads
