#include "workloads/hot_in.h"

#include <cmath>
#include <set>

#include "catch.h"
#include "workloads/config.h"

using namespace recirc::workloads;
namespace sim = recirc::sim;

namespace {

sim::Time at(std::int64_t ms) { return sim::Time{sim::milliseconds(ms)}; }

const ComputedTree& tree() {
  static const ComputedTree result{{.files = 100'000}};
  return result;
}

const RankPlacement& placement() {
  static const RankPlacement result{tree(), Placement::shuffled, 1};
  return result;
}

MixSource source(const HotIn& hot_in) {
  return {tree(), placement(), find_mix("linkedin")->weights, 0.9, 50'000, sim::RngFactory(7, 0),
          hot_in};
}

}  // namespace

TEST_CASE("at each change the coldest files become the hottest and the others fall") {
  const HotIn hot_in(sim::seconds(1), 3, 10);
  const auto ranks_at = [&](std::int64_t ms) {
    std::vector<std::uint64_t> first;
    for (std::uint64_t rank = 0; rank < 10; ++rank)
      first.push_back(hot_in.first_rank(rank, at(ms)));
    return first;
  };
  CHECK(ranks_at(0) == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(ranks_at(999) == ranks_at(0));
  CHECK(ranks_at(1000) == std::vector<std::uint64_t>{7, 8, 9, 0, 1, 2, 3, 4, 5, 6});
  CHECK(ranks_at(2999) == std::vector<std::uint64_t>{4, 5, 6, 7, 8, 9, 0, 1, 2, 3});
  CHECK(ranks_at(10'000) == ranks_at(0));  // ten changes of three are three whole turns
}

TEST_CASE("whenever it is asked, popularity that changes is a bijection") {
  const HotIn hot_in(sim::milliseconds(1), 200, 777);
  for (const std::int64_t ms : {0, 1, 3, 4, 1'000'003}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t rank = 0; rank < 777; ++rank) seen.insert(hot_in.first_rank(rank, at(ms)));
    CHECK(seen.size() == 777);
    CHECK(*seen.rbegin() == 776);
  }
}

TEST_CASE("an operation keeps kind and rank through a change; its file depends on the time alone") {
  const HotIn hot_in(sim::seconds(10), 200, tree().files());
  const MixSource moving = source(hot_in);
  const MixSource still = source({});
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Operation before = moving.issued(i, at(9'999));
    const Operation after = moving.issued(i, at(10'000));
    CHECK(before.path == still.at(i).path);
    CHECK(before.path == moving.at(i).path);
    CHECK(after.kind == before.kind);
    if (before.kind == OpKind::mkdir) continue;
    const std::uint64_t rank = placement().rank_of(tree().file_number(before.path));
    const std::uint64_t then = placement().rank_of(tree().file_number(after.path));
    CHECK(then == (rank < 200 ? rank + tree().files() - 200 : rank - 200));
  }
}

TEST_CASE("popularity has the same law before and after a change") {
  const MixSource moving = source(HotIn(sim::seconds(1), 100, tree().files()));
  // Chi-square of the requests on ranks 1 to 20 of the moment, the other ranks together.
  double sum = 0;
  for (std::uint64_t r = 1; r <= tree().files(); ++r) sum += std::pow(static_cast<double>(r), -0.9);
  for (const std::int64_t ms : {0, 5'500}) {
    std::vector<double> counts(21, 0.0);
    std::uint64_t files = 0;
    for (std::uint64_t i = 0; i < moving.size(); ++i) {
      const Operation operation = moving.issued(i, at(ms));
      if (operation.kind == OpKind::mkdir) continue;
      ++files;
      const std::uint64_t turned = 100 * static_cast<std::uint64_t>(ms / 1000);
      const std::uint64_t rank =
          (placement().rank_of(tree().file_number(operation.path)) + turned) % tree().files();
      counts[std::min<std::uint64_t>(rank, 20)] += 1;
    }
    double chi_square = 0;
    double rest = 1;
    for (std::size_t r = 0; r <= 20; ++r) {
      const double share = r == 20 ? rest : std::pow(static_cast<double>(r + 1), -0.9) / sum;
      rest -= share;
      const double expected = share * static_cast<double>(files);
      chi_square += (counts[r] - expected) * (counts[r] - expected) / expected;
    }
    CHECK(chi_square < 45.3);  // 20 degrees of freedom, p = 0.001
  }
}

TEST_CASE("popularity is configured by kind; more hot files than files are refused") {
  const auto read = [](const char* text) {
    return recirc::sim::config::read<WorkloadConfig>(
        recirc::sim::config::Document::parse(text, "test"));
  };
  const auto hot_in = std::get<HotInPopularity>(
      read(R"({"popularity": {"kind": "hot_in", "period": "20s", "count": 100}})").popularity);
  CHECK(hot_in.period == sim::seconds(20));
  CHECK(hot_in.count == 100);
  CHECK(std::holds_alternative<StaticPopularity>(read("{}").popularity));
  CHECK_THROWS_AS(read(R"({"files": 99, "popularity": {"kind": "hot_in", "count": 100}})"),
                  sim::ConfigError);
  CHECK_THROWS_AS(read(R"({"popularity": {"kind": "hot_in", "period": "0s"}})"), sim::ConfigError);
  CHECK_THROWS_AS(read(R"({"popularity": "hot_in", "trace": {"file": "a.log"}})"),
                  sim::ConfigError);
}
