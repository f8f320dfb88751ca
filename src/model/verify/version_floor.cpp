#include "model/verify/version_floor.h"

namespace recirc::model::verify {

using workloads::OpKind;
using workloads::PathId;

namespace {

constexpr std::uint64_t level_bit(unsigned depth) { return std::uint64_t{1} << (depth % 64); }

}  // namespace

Version VersionFloor::of_all_above(PathId path) const {
  const workloads::Namespace& tree = state_.tree();
  Version floor = 0;
  for (unsigned depth = tree.depth(path); depth-- > 0;) {
    path = tree.parent(path);
    if ((levels_below_ & level_bit(depth)) == 0) continue;
    if (const Version* below = below_.find(path.value())) floor = std::max(floor, *below);
  }
  return floor;
}

void VersionFloor::acknowledge_below(PathId path, Version version) {
  Version& last = below_[path.value()];
  last = std::max(last, version);
  levels_below_ |= level_bit(state_.tree().depth(path));
}

void VersionFloor::acknowledge(const Request& write) {
  const workloads::Operation& operation = write.operation;
  acknowledge(operation.path, write.version);
  if (write.destination_version != 0) {
    acknowledge(operation.destination, write.destination_version);
  }
  if (!state_.tree().is_directory(operation.path)) return;
  // A rename of a path to itself changes nothing: the version is another write's.
  const bool takes_away =
      workloads::is_destructive(operation.kind) && operation.destination != operation.path;
  if (write.below || takes_away) acknowledge_below(operation.path, write.version);
  if (write.destination_version != 0) {
    acknowledge_below(operation.destination, write.destination_version);
  }
  // Later writes have perhaps made it passable again; that is found out when it matters.
  keeps_out_ =
      keeps_out_ || ((operation.kind == OpKind::chmod || operation.kind == OpKind::chown) &&
                     operation.set != decltype(operation.set){});
}

/// The version of a directory above that does not let the user pass, if the write that made it so
/// has been acknowledged; else 0.
Version VersionFloor::refusal(const Request& read) const {
  const workloads::Namespace& tree = state_.tree();
  for (PathId path = read.operation.path; tree.depth(path) > 0;) {
    path = tree.parent(path);
    const Metadata now = state_.metadata(path);
    const bool passes = may(now.searchable_by, read.user);
    if (!passes && now.version <= of(path)) return now.version;
  }
  return 0;
}

/// Versions do not come again: what has the same one has not changed since.
bool VersionFloor::is_refused_still(const Request& read) const {
  const workloads::Namespace& tree = state_.tree();
  for (PathId path = read.operation.path; tree.depth(path) > 0;) {
    path = tree.parent(path);
    const Metadata now = state_.metadata(path);
    if (now.version == read.refused && !may(now.searchable_by, read.user)) return true;
  }
  return false;
}

}  // namespace recirc::model::verify
