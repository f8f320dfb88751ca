#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/rng.h"
#include "workloads/computed_tree.h"
#include "workloads/hot_in.h"
#include "workloads/op_source.h"
#include "workloads/popularity.h"

namespace recirc::workloads {

/// Relative weights of the operations, by OpKind; they need not add up to anything.
using OpWeights = std::array<double, op_kind_count>;
constexpr double& weight(OpWeights& weights, OpKind kind) {
  return weights[static_cast<std::size_t>(kind)];
}

/// A named mix of operations.
struct Mix {
  std::string_view name;
  std::string_view doc;
  OpWeights weights;
};

/// Alibaba, Training, Thumb and LinkedIn (Fletch §IX-A), and reads alone.
std::span<const Mix> mixes();
/// The mix called `name` (lower case), or nullptr.
const Mix* find_mix(std::string_view name);

/// The operations of a synthetic run: a mix over a computed tree with Zipf popularity.
///
/// Operation i is a pure function of (seed, replication, i). First come all non-destructive
/// operations, each kind drawn by its weight; then all renames, deletes and rmdirs (Fletch §IX-A).
/// How many of each of these four groups is the group's share of the requests, rounded by largest
/// remainder, so the numbers are exact and the same in every replication. Directory operations
/// (statdir, readdir, mkdir, rmdir) act on the parent of the chosen file.
class MixSource final : public OpSource {
 public:
  /// `weights` must be >= 0 and finite with a positive sum. Tree and placement must outlive it.
  MixSource(const ComputedTree& tree, const RankPlacement& placement, const OpWeights& weights,
            double zipf_exponent, std::uint64_t requests, const sim::RngFactory& rng,
            const HotIn& hot_in = {});

  /// This share of chmods, chowns and renames acts on the directory of the chosen file instead,
  /// unless that is the root, and chmods and chowns on all below it as well. Other operations stay
  /// what they are.
  void act_on_directories(double share) { directory_writes_ = share; }

  [[nodiscard]] std::uint64_t size() const override { return requests_; }
  /// As it is issued at time 0.
  [[nodiscard]] Operation at(std::uint64_t i) const override { return issued(i, sim::Time{}); }
  [[nodiscard]] Operation issued(std::uint64_t i, sim::Time now) const override;
  /// "non_destructive", "rename", "delete", "rmdir": those that are not empty.
  [[nodiscard]] std::vector<Phase> phases() const override;
  [[nodiscard]] std::vector<PathId> hottest(std::uint64_t n) const override;
  [[nodiscard]] PathId earlier(std::uint64_t i) const override;
  [[nodiscard]] bool reaches_below() const override { return directory_writes_ > 0; }

 private:
  static constexpr std::size_t groups = 4;
  [[nodiscard]] OpKind kind_of(std::uint64_t i, std::uint64_t bits) const;

  const ComputedTree& tree_;
  const RankPlacement& placement_;
  Zipf zipf_;
  sim::CounterRng rng_;
  HotIn hot_in_;
  double directory_writes_ = 0;
  std::uint64_t requests_;
  std::array<std::uint64_t, groups> group_end_{};  ///< index after each group's last operation
  struct Choice {
    std::uint64_t below;  ///< chosen by 64 random bits below this; the last is taken in any case
    OpKind kind;
  };
  std::vector<Choice> choices_;
};

}  // namespace recirc::workloads
