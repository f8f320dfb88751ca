#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/error.h"
#include "workloads/namespace.h"
#include "workloads/path_key.h"

namespace recirc::workloads {

/// The shape of a computed tree. The defaults are the paper's tree (Fletch §IX-A).
struct TreeShape {
  std::uint32_t branching = 4;
  std::uint32_t directory_levels = 8;  ///< deepest directory level; the root is level 0
  std::uint64_t files = 31'981'446;
  std::uint32_t longest_path = 198;  ///< bytes of every deepest file's path
};

/// What is wrong with a shape, with the pointers of a workload's configuration ("/files",
/// "/tree/branching"); empty if it can be built.
std::vector<sim::Issue> problems_of(const TreeShape& shape);

/// A full tree of directories with the files spread evenly over all of them, root included: file i
/// lies in directory i mod directories(). Nothing is stored per file.
///
/// PathIds: directories first, breadth-first from the root 0; then file i is directories() + i.
/// A directory's name is 'd' and its PathId, a file's 'f' and its number within its directory
/// (i / directories()), padded with zeros so that the deepest paths have `longest_path` bytes.
class ComputedTree final : public Namespace {
 public:
  /// Throws ConfigError when the shape cannot be built: a path too short for its names, more than
  /// 2^20 directories, or more paths than ids.
  explicit ComputedTree(const TreeShape& shape);

  [[nodiscard]] const TreeShape& shape() const { return shape_; }
  [[nodiscard]] std::uint32_t directories() const { return directories_; }
  [[nodiscard]] std::uint64_t files() const { return shape_.files; }
  [[nodiscard]] PathId file(std::uint64_t i) const {
    return PathId{static_cast<std::uint32_t>(directories_ + i)};
  }
  /// The number i of a file; only for paths that are files.
  [[nodiscard]] std::uint64_t file_number(PathId path) const { return path.value() - directories_; }
  /// Directories of a level are [level_start(l), level_start(l + 1)).
  [[nodiscard]] std::uint32_t level_start(unsigned level) const { return level_start_[level]; }
  [[nodiscard]] std::uint64_t files_on_level(unsigned directory_level) const;
  /// Mean depth of the files.
  [[nodiscard]] double mean_file_depth() const;

  [[nodiscard]] std::uint64_t size() const override { return directories_ + shape_.files; }
  [[nodiscard]] bool is_directory(PathId path) const override {
    return path.value() < directories_;
  }
  [[nodiscard]] bool exists_at_start(PathId) const override { return true; }
  [[nodiscard]] std::uint64_t children(PathId path) const override;
  [[nodiscard]] PathId child(PathId directory, PathId like) const override;
  [[nodiscard]] std::uint64_t name_hash(PathId path) const override;
  [[nodiscard]] unsigned depth(PathId path) const override;
  [[nodiscard]] PathId parent(PathId path) const override;
  [[nodiscard]] Key key(PathId path) const override;
  void level_keys(PathId path, LevelKeys& out) const override;
  [[nodiscard]] unsigned path_length(PathId path) const override;
  [[nodiscard]] std::string path(PathId path) const override;

 private:
  void compute_keys();
  [[nodiscard]] std::uint32_t directory_of(PathId file) const;
  [[nodiscard]] std::uint32_t parent_of(std::uint32_t directory) const {
    return directory == 0 ? 0 : static_cast<std::uint32_t>(((directory - 1) * reciprocal_) >> 44);
  }
  [[nodiscard]] std::uint64_t number_in_directory(PathId file) const {
    return (file.value() - directories_) / directories_;
  }
  [[nodiscard]] Key file_key(std::uint64_t number, std::uint32_t directory) const;

  TreeShape shape_;
  std::uint32_t directories_ = 0;
  std::uint32_t directory_component_ = 0;  ///< bytes with the slash
  std::uint32_t file_component_ = 0;
  std::uint32_t file_digits_ = 0;  ///< the digits that tell a directory's files apart
  std::uint64_t reciprocal_ = 0;   ///< 2^44 / branching, rounded up: exact below 2^20
  std::vector<std::uint32_t> level_start_;
  std::vector<std::uint8_t> level_of_;
  std::vector<Key> directory_keys_;
  /// What a file's key goes on from: its directory's path and the part of its name that all files
  /// share. The lengths depend on the level only, so the tails need no record each.
  struct LevelPrefix {
    std::uint64_t hashed;      ///< bytes that the states cover
    std::uint32_t tail;        ///< bytes left over
    std::size_t tails_offset;  ///< of the level's first tail in tails_
  };
  std::vector<LevelPrefix> level_prefix_;
  std::vector<KeyState> states_;
  std::vector<char> tails_;
};

}  // namespace recirc::workloads
