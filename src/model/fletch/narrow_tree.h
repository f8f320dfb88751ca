#pragma once

#include <string>

#include "workloads/namespace.h"

namespace recirc::model::fletch {

/// A namespace whose keys are the first bits of MD5 only, so that paths share keys. Everything in
/// the cache goes by these; which server holds a path does not.
class NarrowTree final : public workloads::Namespace {
 public:
  using PathId = workloads::PathId;
  using Key = workloads::Key;

  /// `bits`: 1 to 64.
  NarrowTree(const workloads::Namespace& tree, unsigned bits) : tree_(tree), shift_(64U - bits) {}

  [[nodiscard]] unsigned bits() const { return 64U - shift_; }
  [[nodiscard]] bool are_whole() const { return shift_ == 0; }
  [[nodiscard]] Key narrow(Key key) const { return key >> shift_; }
  [[nodiscard]] Key whole_key(PathId path) const { return tree_.key(path); }

  [[nodiscard]] Key key(PathId path) const override { return narrow(tree_.key(path)); }
  void level_keys(PathId path, workloads::LevelKeys& out) const override {
    tree_.level_keys(path, out);
    for (unsigned level = 0; level <= out.depth; ++level) out.keys[level] = narrow(out.keys[level]);
  }

  [[nodiscard]] std::uint64_t size() const override { return tree_.size(); }
  [[nodiscard]] bool is_directory(PathId path) const override { return tree_.is_directory(path); }
  [[nodiscard]] bool exists_at_start(PathId path) const override {
    return tree_.exists_at_start(path);
  }
  [[nodiscard]] unsigned depth(PathId path) const override { return tree_.depth(path); }
  [[nodiscard]] PathId parent(PathId path) const override { return tree_.parent(path); }
  [[nodiscard]] std::uint64_t children(PathId path) const override { return tree_.children(path); }
  [[nodiscard]] PathId child(PathId directory, PathId like) const override {
    return tree_.child(directory, like);
  }
  [[nodiscard]] std::uint64_t name_hash(PathId path) const override {
    return tree_.name_hash(path);
  }
  [[nodiscard]] unsigned path_length(PathId path) const override { return tree_.path_length(path); }
  [[nodiscard]] std::string path(PathId path) const override { return tree_.path(path); }

 private:
  const workloads::Namespace& tree_;
  unsigned shift_;
};

}  // namespace recirc::model::fletch
