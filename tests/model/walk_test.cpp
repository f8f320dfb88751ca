#include "model/walk.h"

#include "catch.h"
#include "model/config.h"
#include "model/simulation.h"

namespace recirc::model {
namespace {

TEST_CASE("the walk of a NoCache request names client, both gresses, server and answer in order") {
  Config config;
  config.system = "nocache";
  config.workload.requests = 100;
  config.workload.files = 100'000;
  config.cluster.servers = 2;
  config.cluster.clients = 1;
  Simulation simulation(config, load_inputs(config.workload), 0);
  Walk walk(simulation.scheduler(), *simulation.workload().tree, {17});
  RunControl control;
  simulation.follow(walk, control);
  REQUIRE(walk.done());

  std::vector<std::string> seen;
  for (const WalkStep& step : walk.steps()) {
    CHECK(step.operation == 17);
    seen.push_back(step.text.substr(0, step.text.find(' ')) + "/" + std::to_string(step.indent));
  }
  CHECK(seen == std::vector<std::string>{
                    "client/0", "ingress/1", "stage/2", "stage/2", "egress/1",     // the request
                    "at/0", "queues/0", "the/0",                                   // the server
                    "ingress/1", "stage/2", "stage/2", "egress/1", "completed:/0"  // the answer
                });
  CHECK(std::is_sorted(walk.steps().begin(), walk.steps().end(),
                       [](const WalkStep& a, const WalkStep& b) { return a.at < b.at; }));
  const std::string text = text_of(walk.steps());
  CHECK(text.find("    0.000000 us  operation 17  client 0 issues") != std::string::npos);
  CHECK(text.find("forward to port") != std::string::npos);
}

TEST_CASE("following operations changes nothing of the run") {
  Config config;
  config.system = "nocache";
  config.workload.requests = 300;
  config.workload.files = 100'000;
  const auto end_of = [&](bool followed) {
    Simulation simulation(config, load_inputs(config.workload), 0);
    Walk walk(simulation.scheduler(), *simulation.workload().tree, {299});
    RunControl control;
    if (followed) {
      simulation.follow(walk, control);
    } else {
      simulation.run(control);
    }
    return simulation.result().summary.at(0).value;
  };
  CHECK(end_of(true) == end_of(false));
}

TEST_CASE("the walk of an operation that is never sent ends with the run") {
  Config config;
  config.system = "fletch";
  config.workload.requests = 200;
  config.workload.files = 1'000;
  config.workload.arrival = workloads::OpenArrival{workloads::OpenProcess::periodic, 1e6, 3};
  config.cluster.servers = 1;
  config.controller.admission = fletch::AdmissionPolicy::on;  // its resets go on for ever
  config.controller.reset_interval = sim::milliseconds(1);
  Simulation simulation(config, load_inputs(config.workload), 0);
  Walk walk(simulation.scheduler(), *simulation.workload().tree, {199});
  RunControl control;
  simulation.follow(walk, control);
  CHECK_FALSE(walk.done());
  CHECK(walk.steps().empty());
  CHECK(simulation.tracker().in_flight() == 0);
}

}  // namespace
}  // namespace recirc::model
