#include <map>
#include <memory>

#include "catch.h"
#include "model/config.h"
#include "model/rotation/rotation.h"
#include "workloads/selected_source.h"

namespace recirc::model::rotation {
namespace {

using Figures = std::map<std::string, double>;

Config small(const std::string& system) {
  Config config;
  config.system = system;
  config.workload.requests = 4'000;
  config.workload.files = 20'000;
  config.cluster.servers = 4;
  config.cluster.clients = 32;
  config.cache.files = 500;
  return config;
}

/// The operations of servers 1 and 2; it says so, or it does not.
class Pair final : public workloads::SelectedSource {
 public:
  Pair(const Ground& ground, bool says_so)
      : SelectedSource(ground.workload.source, Assignment(ground).of({1, 2})),
        ground_(ground),
        says_so_(says_so) {}
  [[nodiscard]] bool is_part() const override { return says_so_; }
  [[nodiscard]] bool concerns(workloads::PathId path) const override {
    const auto owner = ground_.ring.owner(ground_.workload.tree->key(path)).value();
    return owner == 1 || owner == 2;
  }

 private:
  const Ground& ground_;
  bool says_so_;
};

Figures figures_of(const Config& config, const Ground& ground, bool says_so) {
  Ground part = ground;
  part.workload.source = std::make_shared<Pair>(ground, says_so);
  Simulation simulation(config, std::move(part), 0);
  RunControl control;
  simulation.run(control);
  Figures figures;
  for (const Figure& figure : simulation.result().summary) figures[figure.name] = figure.value;
  return figures;
}

bool tells_of_the_cache(const std::string& name) {
  return name.rfind("cache/", 0) == 0 || name.rfind("tokens/", 0) == 0;
}

TEST_CASE("what a part cannot ask for is not in its cache, and nothing else is different for it") {
  for (const char* system : {"fletch", "single_lock"}) {
    const Config config = small(system);
    const Ground ground = ground_of(config, load_inputs(config.workload), 0);
    const Figures spared = figures_of(config, ground, true);
    const Figures whole = figures_of(config, ground, false);
    REQUIRE(whole.at("switch_hit_ratio") > 0.1);
    CHECK(spared.at("cache/entries") < whole.at("cache/entries"));
    CHECK(spared.at("cache/preloaded_files") == whole.at("cache/preloaded_files"));
    CHECK(spared.at("cache/preloaded_entries") == whole.at("cache/preloaded_entries"));
    for (const auto& [name, value] : whole) {
      INFO(name);
      if (!tells_of_the_cache(name)) CHECK(spared.at(name) == value);
    }
  }
}

TEST_CASE("a part holds the whole cache where it may change or is too small for all that is hot") {
  Config changing = small("fletch");
  changing.controller.admission = fletch::AdmissionPolicy::on;
  Config narrow = small("fletch");
  narrow.cache.key_bits = 32;
  Config full = small("fletch");
  full.cache.rows = 100;
  for (const Config& config : {changing, narrow, full}) {
    const Ground ground = ground_of(config, load_inputs(config.workload), 0);
    CHECK(figures_of(config, ground, true) == figures_of(config, ground, false));
  }
}

TEST_CASE("every part of a rotation begins with the clients as warm as the first one's") {
  for (const char* system : {"ccache", "fletch_plus"}) {
    Config config = small(system);
    config.client_cache.warm_up = 50;
    Ground ground = ground_of(config, load_inputs(config.workload), 0);
    const Figures alone = figures_of(config, ground, true);
    ground.start = std::make_shared<SharedStart>();
    for (int part = 0; part < 3; ++part) CHECK(figures_of(config, ground, true) == alone);
    config.client_cache.warm_up = 0;
    ground.start = nullptr;
    const Figures cold = figures_of(config, ground, true);
    CHECK(alone.at("client_cache/misses") < cold.at("client_cache/misses"));
  }
}

TEST_CASE("requests before a run are others than those of the run, and as likely") {
  const Config config = small("nocache");
  const Ground ground = ground_of(config, load_inputs(config.workload), 0);
  const workloads::OpSource& source = *ground.workload.source;
  const workloads::PathId hottest = source.hottest(1).front();
  std::size_t same = 0;
  std::size_t before = 0;
  std::size_t within = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    CHECK(source.earlier(i) == source.earlier(i));
    if (source.earlier(i) == source.at(i).path) ++same;
    if (source.earlier(i) == hottest) ++before;
    if (source.at(i).path == hottest) ++within;
  }
  CHECK(same < 100);
  CHECK(before > within / 2);
  CHECK(within > before / 2);
}

}  // namespace
}  // namespace recirc::model::rotation
