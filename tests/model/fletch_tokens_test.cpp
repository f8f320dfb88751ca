#include <cmath>

#include "catch.h"
#include "fletch_under_test.h"
#include "history_check.h"
#include "model/fletch/cached_tree.h"
#include "model/fletch/client_tokens.h"
#include "model/fletch/narrow_tree.h"
#include "model/fletch/token_map.h"
#include "several_pipes.h"
#include "sim/error.h"
#include "sim/rng.h"
#include "workloads/computed_tree.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::HistoryCheck;
using testing::TraceFile;
using workloads::PathId;

sim::Time at(std::int64_t seconds) { return sim::Time{sim::seconds(seconds)}; }

TEST_CASE("a client's token expires a fixed time after it was heard of", "[fletch][tokens]") {
  fletch::ClientTokens maps(sim::seconds(10), 3);
  const ClientId me{1};
  maps.known_at_start(PathId{5}, 1);
  CHECK(maps.of(me, PathId{5}, at(9)) == 1);
  CHECK(maps.of(me, PathId{5}, at(10)) == 0);
  CHECK(maps.entries(at(9)) == 3);
  maps.learn(me, PathId{7}, 2, at(3));
  maps.learn(me, PathId{7}, 2, at(8));  // known already: that does not make it younger
  CHECK(maps.of(me, PathId{7}, at(12)) == 2);
  CHECK(maps.of(ClientId{2}, PathId{7}, at(12)) == 0);
  CHECK(maps.of(me, PathId{7}, at(13)) == 0);
  CHECK(maps.learned() == 1);
  CHECK(maps.expired() == 1);
}

TEST_CASE("paths that share narrow keys are as many as chance has it", "[fletch][tokens]") {
  const workloads::ComputedTree tree{workloads::TreeShape{}};
  for (const unsigned bits : {16U, 20U, 24U}) {
    const fletch::NarrowTree keys(tree, bits);
    fletch::TokenMap tokens;
    constexpr std::uint32_t paths = 17'000;
    for (std::uint32_t i = 0; i < paths; ++i) {
      const PathId path = tree.file(i * std::uint64_t{1'877});
      CHECK(tokens.assign(path, keys.key(path)).has_value());
    }
    const double expected = paths * (paths - 1.0) / 2 / std::exp2(bits);
    const auto found = static_cast<double>(tokens.sharing_pairs());
    INFO(bits << " bits: " << found << " pairs, expected " << expected);
    // Pairs are nearly independent, so their number is nearly Poisson: four standard deviations.
    CHECK(std::abs(found - expected) < 4 * std::sqrt(expected) + 1);
    CHECK(tokens.collisions() + tokens.keys() == paths);
  }
}

TEST_CASE("what servers know to be cached below a directory", "[fletch][multi]") {
  const workloads::ComputedTree tree{workloads::TreeShape{2, 4, 1'000, 198}};
  fletch::CachedTree cached(tree);
  std::vector<bool> in(tree.size(), false);
  sim::CounterRng rng = sim::RngFactory{3, 0}.stream("cached");
  for (int i = 0; i < 3'000; ++i) {
    const PathId path{static_cast<std::uint32_t>(rng.next() % tree.size())};
    in[path.value()] = rng.next() % 2 == 0;
    in[path.value()] ? cached.add(path) : cached.remove(path);
    if (i % 100 != 0) continue;
    const PathId top{static_cast<std::uint32_t>(rng.next() % tree.directories())};
    const auto below = cached.below(top);
    std::size_t expected = 0;
    for (std::uint32_t p = 0; p < tree.size(); ++p) {
      PathId above{p};
      while (above != top && tree.depth(above) > 0) above = tree.parent(above);
      if (in[p] && above == top && p != top.value()) ++expected;
    }
    CHECK(below.size() == expected);
    for (std::size_t k = 0; k < below.size(); ++k) {
      CHECK(in[below[k].value()]);
      if (k > 0) CHECK(tree.depth(below[k - 1]) <= tree.depth(below[k]));
    }
  }
}

std::string many_paths(sim::CounterRng& rng, unsigned count, unsigned files) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t file = rng.next() % files;
    const std::string path = "/d" + std::to_string(file % 7) + "/f" + std::to_string(file);
    static constexpr const char* kinds[] = {"chmod", "create", "delete"};
    const std::uint64_t kind = rng.next() % 40;
    text += "0," + std::string(kind < 3 ? kinds[kind] : "stat") + "," + path + "\n";
  }
  return text;
}

TEST_CASE("keys that collide are told apart by tokens, in any world", "[fletch][tokens][swarm]") {
  const unsigned pipes = GENERATE(1U, 2U, 4U);
  double collisions = 0;
  double learned = 0;
  double expired = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed << ", servers on " << pipes << " pipes");
    sim::CounterRng rng = sim::RngFactory{seed, 3}.stream("tokens");
    TraceFile trace(many_paths(rng, 2'000, 60));
    Config config = trace.config();
    config.cluster.clients = 1 + static_cast<std::uint32_t>(rng.next() % 20);
    config.cache.files = rng.next() % 2 == 0 ? 0 : 20;
    config.cache.rows = rng.next() % 2 == 0 ? 10'000 : 12;
    config.cache.threshold = 2;
    config.cache.key_bits = 3 + static_cast<std::uint32_t>(rng.next() % 6);
    config.client.unknown_token = fletch::UnknownToken::none;
    if (rng.next() % 2 == 0) config.client.token_expiry = sim::milliseconds(3);
    config.controller.admission = fletch::AdmissionPolicy::on;
    config.controller.reset_interval = sim::milliseconds(5);
    config.controller.path_time = sim::microseconds(20);
    config.controller.grace = sim::microseconds(100);
    config.rmt_switch.max_recirculations = 1'000'000;
    testing::spread_over_pipes(config, pipes);
    FletchRun run(config);
    HistoryCheck check(run.simulation);
    REQUIRE_NOTHROW(run.go());
    CHECK(check.complaints == std::vector<std::string>{});
    CHECK(run["stale_reads"] == 0);
    CHECK(run["ops_failed"] == 0);
    CHECK(run["tokens/switch_bytes"] == 9 * run["cache/entries"]);
    if (pipes == 1) CHECK(run["tokens/controller_bytes"] >= run["tokens/switch_bytes"]);
    collisions += run["tokens/collisions"];
    learned += run["tokens/learned"];
    expired += run["tokens/expired"];
  }
  CHECK(collisions > 100);
  CHECK(learned > 100);
  CHECK(expired > 20);
}

TEST_CASE("a client that guesses the first token gets another path's record when keys collide",
          "[fletch][tokens][mutant]") {
  sim::CounterRng rng = sim::RngFactory{1, 3}.stream("tokens");
  TraceFile trace(many_paths(rng, 500, 60));
  Config config = trace.config();
  config.cache.files = 20;
  config.cache.key_bits = 4;  // what a configuration that is read from a file may not ask for
  FletchRun run(config);
  CHECK_THROWS_AS(run.go(), sim::InvariantBroken);
}

TEST_CASE("a path that finds no token left is not cached, and is served all the same",
          "[fletch][tokens]") {
  std::string text;
  for (int i = 0; i < 1'200; ++i) text += "0,stat,/d/f" + std::to_string(i % 600) + "\n";
  TraceFile trace(text);
  Config config = trace.config();
  config.cache.files = 600;
  config.cache.key_bits = 1;
  config.client.unknown_token = fletch::UnknownToken::none;
  FletchRun run(config);
  run.go();
  CHECK(run["cache/entries"] == 510);
  CHECK(run["controller/token_overflows"] == 602 - 510);
  CHECK(run["outcomes/hit/count"] + run["outcomes/miss/count"] == 1'200);
  CHECK(run["outcomes/miss/count"] == 2 * (602 - 510));
}

}  // namespace
}  // namespace recirc::model
