#include "workloads/file_ops.h"

#include <cmath>
#include <map>

#include "catch.h"
#include "sim/error.h"

using namespace recirc::workloads;
namespace sim = recirc::sim;

namespace {

const ComputedTree& tree() {
  static const ComputedTree result{{.files = 1'000'000}};
  return result;
}

const RankPlacement& placement() {
  static const RankPlacement result{tree(), Placement::shuffled, 1};
  return result;
}

MixSource source(const char* mix, std::uint64_t requests, std::uint64_t seed = 1,
                 std::uint64_t replication = 0) {
  return {tree(), placement(), find_mix(mix)->weights,
          0.9,    requests,    sim::RngFactory{seed, replication}};
}

double weight(const char* mix, OpKind kind) {
  double sum = 0;
  for (const double w : find_mix(mix)->weights) sum += w;
  return find_mix(mix)->weights[static_cast<std::size_t>(kind)] / sum;
}

bool same(const Operation& a, const Operation& b) {
  return a.index == b.index && a.kind == b.kind && a.path == b.path &&
         a.destination == b.destination && a.allowed == b.allowed;
}

}  // namespace

TEST_CASE("the mixes have the published shares of reads") {
  const std::map<std::string_view, double> reads{{"alibaba", 0.6911},
                                                 {"training", 0.8173},
                                                 {"thumb", 0.8571},
                                                 {"linkedin", 0.84},
                                                 {"read_only", 1.0}};
  CHECK(mixes().size() == reads.size());
  for (const auto& [name, share] : reads) {
    double got = 0;
    for (std::size_t k = 0; k < op_kind_count; ++k) {
      const auto kind = static_cast<OpKind>(k);
      if (is_read(kind)) got += weight(std::string{name}.c_str(), kind);
    }
    CHECK(got == Approx(share).margin(5e-5));
  }
  CHECK(weight("linkedin", OpKind::open) == Approx(0.42));
  CHECK(weight("linkedin", OpKind::stat) == Approx(0.42));
  CHECK(weight("alibaba", OpKind::open) == weight("alibaba", OpKind::close));
  CHECK(find_mix("nosuch") == nullptr);
}

TEST_CASE("destructive operations stand at the end in exact numbers") {
  const MixSource alibaba = source("alibaba", 100'000);
  const auto phases = alibaba.phases();
  REQUIRE(phases.size() == 4);
  const char* names[] = {"non_destructive", "rename", "delete", "rmdir"};
  const OpKind kinds[] = {OpKind::stat, OpKind::rename, OpKind::remove, OpKind::rmdir};
  std::uint64_t next = 0;
  for (std::size_t p = 0; p < 4; ++p) {
    CHECK(phases[p].name == names[p]);
    CHECK(phases[p].first == next);
    next += phases[p].count;
    for (std::uint64_t i = phases[p].first; i < next; i += 1 + phases[p].count / 500) {
      const OpKind kind = alibaba.at(i).kind;
      if (p == 0) CHECK_FALSE(is_destructive(kind));
      if (p > 0) CHECK(kind == kinds[p]);
    }
    if (p > 0) {
      CHECK(std::fabs(static_cast<double>(phases[p].count) - 1e5 * weight("alibaba", kinds[p])) <
            1.0);
    }
  }
  CHECK(next == 100'000);
  CHECK(source("thumb", 1'000).phases().size() == 1);
  CHECK(source("linkedin", 1'000).phases().size() == 3);
}

TEST_CASE("the other operations are drawn by their weights") {
  constexpr std::uint64_t n = 300'000;
  for (const Mix& mix : mixes()) {
    const MixSource mixed = source(std::string{mix.name}.c_str(), n);
    const Phase phase = mixed.phases()[0];
    std::map<OpKind, double> seen;
    for (std::uint64_t i = 0; i < phase.count; ++i) ++seen[mixed.at(i).kind];
    const auto drawn = static_cast<double>(phase.count);
    const double share = drawn / n;
    for (std::size_t k = 0; k < op_kind_count; ++k) {
      const auto kind = static_cast<OpKind>(k);
      if (is_destructive(kind)) continue;
      const double p = weight(std::string{mix.name}.c_str(), kind) / share;
      CAPTURE(mix.name, k);
      CHECK(std::fabs(seen[kind] - drawn * p) <= 1 + 5 * std::sqrt(drawn * p * (1 - p)));
    }
  }
}

TEST_CASE("operation i is a pure function of seed, replication and i") {
  const MixSource a = source("alibaba", 50'000);
  const MixSource b = source("alibaba", 50'000);
  const MixSource other_seed = source("alibaba", 50'000, 2);
  const MixSource other_replication = source("alibaba", 50'000, 1, 1);
  int seed_agrees = 0;
  int replication_agrees = 0;
  std::vector<Operation> forward;
  for (std::uint64_t i = 0; i < 50'000; ++i) forward.push_back(b.at(i));
  for (std::uint64_t i = 50'000; i-- > 0;) {
    REQUIRE(same(a.at(i), forward[i]));
    seed_agrees += a.at(i).path == other_seed.at(i).path;
    replication_agrees += a.at(i).path == other_replication.at(i).path;
  }
  CHECK(seed_agrees < 1'000);
  CHECK(replication_agrees < 1'000);
  CHECK_THROWS_AS(a.at(50'000), sim::InvariantBroken);
}

TEST_CASE("operation i takes the same file whatever the mix") {
  const MixSource a = source("linkedin", 1'000);
  const MixSource b = source("thumb", 1'000);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const PathId x = a.at(i).path;
    const PathId y = b.at(i).path;
    if (!tree().is_directory(x) && !tree().is_directory(y)) CHECK(x == y);
  }
}

TEST_CASE("directory operations act on directories, the others on files") {
  const MixSource mixed = source("alibaba", 100'000);
  for (std::uint64_t i = 0; i < mixed.size(); ++i) {
    const Operation op = mixed.at(i);
    const bool directory = op.kind == OpKind::statdir || op.kind == OpKind::readdir ||
                           op.kind == OpKind::mkdir || op.kind == OpKind::rmdir;
    REQUIRE(tree().is_directory(op.path) == directory);
    REQUIRE(op.index == i);
    REQUIRE(op.destination.is_none());
  }
}

TEST_CASE("a share of the writes acts on directories, and changes no other operation") {
  constexpr std::uint64_t requests = 40'000;
  const MixSource files = source("linkedin", requests);
  MixSource some = source("linkedin", requests);
  some.act_on_directories(0.25);
  unsigned writes = 0;
  unsigned moved = 0;
  for (std::uint64_t i = 0; i < requests; ++i) {
    const Operation before = files.at(i);
    const Operation after = some.at(i);
    const bool may = before.kind == OpKind::chmod || before.kind == OpKind::rename;
    writes += may ? 1 : 0;
    CHECK(before.kind == after.kind);
    if (before.path == after.path) continue;
    REQUIRE(may);
    ++moved;
    CHECK(after.path == tree().parent(before.path));
    CHECK(after.recursive == (after.kind == OpKind::chmod));
  }
  CHECK(moved == Approx(writes * 0.25).epsilon(0.15));
}

TEST_CASE("mixes of one operation work, destructive or not") {
  for (const OpKind kind : {OpKind::stat, OpKind::remove, OpKind::rmdir}) {
    OpWeights weights{};
    weights[static_cast<std::size_t>(kind)] = 3;
    const MixSource one{tree(), placement(), weights, 0.9, 101, sim::RngFactory{1, 0}};
    for (std::uint64_t i = 0; i < 101; ++i) CHECK(one.at(i).kind == kind);
    CHECK(one.phases().size() == 1);
  }
  OpWeights nothing{};
  CHECK_THROWS_AS(MixSource(tree(), placement(), nothing, 0.9, 10, sim::RngFactory(1, 0)),
                  sim::InvariantBroken);
}

TEST_CASE("the hottest files are those drawn most") {
  const MixSource mixed = source("thumb", 200'000);
  const std::vector<PathId> hottest = mixed.hottest(100);
  REQUIRE(hottest.size() == 100);
  std::map<PathId, int> seen;
  for (std::uint64_t i = 0; i < mixed.size(); ++i) ++seen[mixed.at(i).path];
  CHECK(seen[hottest[0]] > seen[hottest[9]]);
  CHECK(seen[hottest[9]] > seen[hottest[99]]);
  CHECK(source("thumb", 10).hottest(2'000'000).size() == tree().files());
}
