#include "workloads/file_ops.h"

#include <algorithm>
#include <numeric>

#include "sim/error.h"

namespace recirc::workloads {
namespace {

constexpr std::array<OpKind, 3> tail_order{OpKind::rename, OpKind::remove, OpKind::rmdir};
constexpr std::array<const char*, 4> phase_names{"non_destructive", "rename", "delete", "rmdir"};

constexpr bool acts_on_directory(OpKind kind) {
  return kind == OpKind::statdir || kind == OpKind::readdir || kind == OpKind::mkdir ||
         kind == OpKind::rmdir;
}

constexpr bool may_reach_below(OpKind kind) {
  return kind == OpKind::chmod || kind == OpKind::chown || kind == OpKind::rename;
}

/// A row of Fletch's table of mixes. The papers count open and close as one pair: half of it each.
struct Row {
  double open, close, stat, create, remove, rename, chmod, readdir, statdir, mkdir, rmdir;
};

constexpr OpWeights weights_of(const Row& row) {
  OpWeights w{};
  weight(w, OpKind::open) = row.open;
  weight(w, OpKind::close) = row.close;
  weight(w, OpKind::stat) = row.stat;
  weight(w, OpKind::create) = row.create;
  weight(w, OpKind::remove) = row.remove;
  weight(w, OpKind::rename) = row.rename;
  weight(w, OpKind::chmod) = row.chmod;
  weight(w, OpKind::readdir) = row.readdir;
  weight(w, OpKind::statdir) = row.statdir;
  weight(w, OpKind::mkdir) = row.mkdir;
  weight(w, OpKind::rmdir) = row.rmdir;
  return w;
}

// open, close, stat, create, remove, rename, chmod, readdir, statdir, mkdir, rmdir
constexpr std::array<Mix, 5> known_mixes{{
    {"alibaba", "Alibaba's Pangu, as InfiniFS reports it: 69 % reads",
     weights_of({26.3, 26.3, 12.4, 9.58, 11.9, 9.3, 0.1, 3.9, 0.2, 0.0042, 0.0042})},
    {"training", "training of a model over many files: 82 % reads",
     weights_of({21.4, 21.4, 21.4, 7.1, 7.1, 0, 0, 0.1, 0.1, 0.1, 0.1})},
    {"thumb", "thumbnails made of pictures: 86 % reads, nothing is deleted",
     weights_of({21.95, 21.95, 21.9, 10.9, 0, 0, 0, 0.1, 0.1, 0.1, 0})},
    {"linkedin",
     "LinkedIn's HDFS: 84 % reads, half of them open (the paper's text; its released "
     "code has open and close pairs only)",
     weights_of({42, 0, 42, 4.5, 3, 3, 1, 0, 0, 4.5, 0})},
    {"read_only", "open, close and stat in thirds: no writes (Fletch Exp#4)",
     weights_of({1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0})},
}};

/// Shares of `total` proportional to `weights`, rounded by largest remainder (the first of equals).
template <std::size_t N>
std::array<std::uint64_t, N> apportion(std::uint64_t total, const std::array<double, N>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::array<std::uint64_t, N> counts{};
  std::array<double, N> remainders{};
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const double exact = static_cast<double>(total) * (weights[i] / sum);
    counts[i] = std::min(static_cast<std::uint64_t>(exact), total - given);
    remainders[i] = exact - static_cast<double>(counts[i]);
    given += counts[i];
  }
  for (; given < total; ++given) {
    const auto most = static_cast<std::size_t>(
        std::max_element(remainders.begin(), remainders.end()) - remainders.begin());
    ++counts[most];
    remainders[most] -= 1.0;
  }
  return counts;
}

}  // namespace

std::span<const Mix> mixes() { return known_mixes; }

const Mix* find_mix(std::string_view name) {
  const auto* found = std::find_if(known_mixes.begin(), known_mixes.end(),
                                   [&](const Mix& mix) { return mix.name == name; });
  return found == known_mixes.end() ? nullptr : found;
}

MixSource::MixSource(const ComputedTree& tree, const RankPlacement& placement,
                     const OpWeights& weights, double zipf_exponent, std::uint64_t requests,
                     const sim::RngFactory& rng, const HotIn& hot_in)
    : tree_(tree),
      placement_(placement),
      zipf_(tree.files(), zipf_exponent),
      rng_(rng.stream("workload/operations")),
      hot_in_(hot_in),
      requests_(requests) {
  double mixed = 0;
  OpKind last = OpKind::stat;
  for (std::size_t k = 0; k < op_kind_count; ++k) {
    const auto kind = static_cast<OpKind>(k);
    if (!(weights[k] >= 0 && weights[k] < 1e300)) {
      throw sim::InvariantBroken("an operation's weight is negative or not finite");
    }
    if (is_destructive(kind) || weights[k] == 0) continue;
    mixed += weights[k];
    last = kind;
  }
  std::array<double, groups> shares{mixed};
  for (std::size_t g = 1; g < groups; ++g) {
    shares[g] = weights[static_cast<std::size_t>(tail_order[g - 1])];
  }
  if (!(std::accumulate(shares.begin(), shares.end(), 0.0) > 0)) {
    throw sim::InvariantBroken("the weights of a mix add up to nothing");
  }
  const auto counts = apportion(requests, shares);
  std::partial_sum(counts.begin(), counts.end(), group_end_.begin());

  double below = 0;
  for (std::size_t k = 0; k < op_kind_count; ++k) {
    const auto kind = static_cast<OpKind>(k);
    if (is_destructive(kind) || weights[k] == 0) continue;
    below += weights[k];
    const double bound = below / mixed * 0x1p63;
    choices_.push_back(
        {kind == last ? ~std::uint64_t{0} : static_cast<std::uint64_t>(bound) * 2, kind});
  }
}

OpKind MixSource::kind_of(std::uint64_t i, std::uint64_t bits) const {
  if (i >= group_end_[0]) {
    std::size_t group = 1;
    while (i >= group_end_[group]) ++group;
    return tail_order[group - 1];
  }
  std::size_t c = 0;
  while (bits >= choices_[c].below && c + 1 < choices_.size()) ++c;
  return choices_[c].kind;
}

Operation MixSource::issued(std::uint64_t i, sim::Time now) const {
  if (i >= requests_) throw sim::InvariantBroken("an operation beyond the last was asked for");
  sim::CounterRng rng = rng_.at(i);
  Operation operation;
  operation.index = i;
  operation.kind = kind_of(i, rng.next());
  const std::uint64_t rank = hot_in_.first_rank(zipf_.draw(rng), now);
  operation.path = tree_.file(placement_.file_of(rank));
  if (acts_on_directory(operation.kind)) operation.path = tree_.parent(operation.path);
  if (directory_writes_ > 0 && may_reach_below(operation.kind)) {
    constexpr double unit = 0x1p-53;
    const bool chosen = static_cast<double>(rng.next() >> 11U) * unit < directory_writes_;
    const PathId directory = tree_.parent(operation.path);
    if (chosen && directory.value() != 0) {
      operation.path = directory;
      operation.recursive = operation.kind != OpKind::rename;
    }
  }
  return operation;
}

std::vector<Phase> MixSource::phases() const {
  std::vector<Phase> result;
  std::uint64_t first = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    if (group_end_[g] > first) result.push_back({phase_names[g], first, group_end_[g] - first});
    first = group_end_[g];
  }
  return result;
}

PathId MixSource::earlier(std::uint64_t i) const {
  // Operations are numbered upwards from 0, so that those before them are others.
  sim::CounterRng rng = rng_.at(~i);
  return tree_.file(placement_.file_of(hot_in_.first_rank(zipf_.draw(rng), sim::Time{})));
}

std::vector<PathId> MixSource::hottest(std::uint64_t n) const {
  n = std::min(n, tree_.files());
  std::vector<PathId> result;
  result.reserve(n);
  for (std::uint64_t rank = 0; rank < n; ++rank) {
    result.push_back(tree_.file(placement_.file_of(rank)));
  }
  return result;
}

}  // namespace recirc::workloads
