#include "workloads/cached_paths.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/error.h"

namespace recirc::workloads {

CachedPathsSource::CachedPathsSource(std::shared_ptr<const OpSource> whole, const Namespace& tree,
                                     unsigned depth, std::uint64_t files,
                                     const sim::RngFactory& rng)
    : whole_(std::move(whole)), tree_(tree), rng_(rng.stream("workload/cached_paths")) {
  for (PathId path : whole_->hottest(files)) {
    if (tree.depth(path) < depth) continue;
    while (tree.depth(path) > depth) path = tree.parent(path);
    paths_.push_back(path);
  }
  std::sort(paths_.begin(), paths_.end());
  paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());
  if (paths_.empty()) {
    throw sim::ConfigError("/workload/popularity/depth",
                           "no cached path is at depth " + std::to_string(depth));
  }
}

Operation CachedPathsSource::at(std::uint64_t i) const {
  Operation operation = whole_->at(i);
  const std::uint64_t bits = rng_.at(i).next();
  operation.path = paths_[static_cast<std::size_t>(
      (static_cast<unsigned __int128>(bits) * paths_.size()) >> 64)];
  if (operation.kind == OpKind::stat && tree_.is_directory(operation.path)) {
    operation.kind = OpKind::statdir;
  }
  return operation;
}

}  // namespace recirc::workloads
