#include "model/simulation.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/advance.h"
#include "model/layout.h"
#include "model/systems.h"
#include "sim/error.h"

namespace recirc::model {
namespace {

std::vector<EndpointId> endpoints_of(const std::vector<Topology::Site>& sites) {
  std::vector<EndpointId> endpoints;
  endpoints.reserve(sites.size());
  for (const Topology::Site& site : sites) endpoints.push_back(site.endpoint);
  return endpoints;
}

bool may_come_twice(const Config& config) {
  return config.client.retransmit || config.faults.any();
}

/// May a message be lost, come twice or be sent again?
bool needs_copies(const Config& config) {
  return may_come_twice(config) || config.cache.write == fletch::WriteChoice::back ||
         (config.cache.sequence != fletch::Sequence::when_needed &&
          config.cache.sequence != fletch::Sequence::off);
}

}  // namespace

Ground ground_of(const Config& config, const Inputs& inputs, std::uint64_t replication) {
  const sim::RngFactory rng(config.run.seed, replication);
  const ClusterSettings& cluster = config.cluster;
  return {make_workload(config.workload, inputs, rng),
          workloads::Ring(cluster.servers, cluster.ring.vnodes,
                          ring_seed(config.workload, cluster, rng)),
          cabling_of(config, replication),
          {}};
}

Simulation::Simulation(const Config& config, const Inputs& inputs, std::uint64_t replication,
                       SchemeMaker make)
    : Simulation(config, ground_of(config, inputs, replication), replication, make) {}

Simulation::Simulation(const Config& config, Ground ground, std::uint64_t replication,
                       SchemeMaker make)
    : config_(config),
      replication_(replication),
      rng_(config.run.seed, replication),
      workload_(std::move(ground.workload)),
      cabling_(std::move(ground.cabling)),
      state_(*workload_.tree),
      tracker_(state_, workload_.source->phases(), config.run.series_window),
      ring_(std::move(ground.ring)),
      server_config_(config.server.station()),
      copies_(needs_copies(config)),
      client_config_{clients_of(config),
                     config.workload.arrival,
                     config.client.timeout,
                     config.client.retransmit,
                     copies_,
                     config.workload.duration},
      start_(std::move(ground.start)),
      scheme_(make(config, cabling_.topology)),
      fabric_(scheduler_, config.network, cabling_.topology),
      crashes_(scheduler_, config.faults.crashes, *this),
      switch_(scheduler_, cabling_.rmt_switch, {&scheme_->program()}, fabric_),
      control_port_(scheduler_, switch_, config.rmt_switch.control),
      world_{scheduler_,    rng_,        cabling_.topology, *workload_.tree, *workload_.source,
             ring_,         state_,      requests_,         fabric_,         switch_,
             control_port_, start_.get()} {
  server_config_.copies = copies_;
  // A request that its client has given up is late, but no copy, where none is made.
  server_config_.dedupe = server_config_.dedupe && may_come_twice(config);
  const Topology& topology = cabling_.topology;
  fabric_.connect(switch_);
  scheme_->write_log_to({ground.log_file, config.system, config.run.seed, replication});
  scheme_->connect(world_);
  for (std::uint32_t s = 0; s < config.cluster.servers; ++s) {
    const std::string name = "store/" + std::to_string(s);
    servers_.push_back(std::make_unique<Server>(scheduler_, server_config_, ServerId{s}, requests_,
                                                state_, scheme_->servers(), rng_.stream(name)));
    servers_.back()->count_busy_below(workload_.source->phases().front().count);
    fabric_.connect(topology.server(ServerId{s}), *servers_.back());
  }
  clients_ = std::make_unique<ClientPool>(scheduler_, client_config_, *workload_.source,
                                          *workload_.tree, requests_, tracker_, scheme_->clients(),
                                          fabric_, endpoints_of(topology.client_machines), rng_);
  for (const Topology::Site& machine : topology.client_machines) {
    fabric_.connect(machine.endpoint, *clients_);
  }
  if (Endpoint* controller = scheme_->controller()) {
    fabric_.connect(topology.controller.endpoint, *controller);
  }
  fabric_.keep_payloads_with(*clients_);
  if (config.faults.on_links()) {
    link_faults_.emplace(config.faults, rng_.stream("faults"));
    fabric_.inject(*link_faults_);
  }
}

void Simulation::run(RunControl& control) {
  scheme_->start();
  clients_->start();
  crashes_.start();
  advance(control, true);
  scheme_->stop();
  advance(control, false);
  check_end();
  scheme_->commit_log(true);
}

void Simulation::advance(RunControl& control, bool until_answered) {
  model::advance(
      scheduler_, control, [&] { return until_answered && clients_->done(); },
      [&] { return tracker_.completed() + tracker_.failed(); },
      [&] { scheme_->commit_log(false); });
}

void Simulation::follow(Walk& walk, RunControl& control) {
  constexpr std::uint64_t events_between_looks = 1 << 10;
  constexpr sim::Duration afterwards = sim::milliseconds(1);
  switch_.observe(&walk);
  observe(&walk);
  scheme_->start();
  clients_->start();
  crashes_.start();
  // An open arrival that was not sent never ends: the walk is over when the clients are.
  while (!walk.done() && !clients_->done() && scheduler_.pending() > 0) {
    scheduler_.run(sim::Scheduler::forever, events_between_looks);
    if (control.interrupt.load(std::memory_order_relaxed)) {
      throw sim::Interrupted("interrupted before the operations to follow had ended");
    }
  }
  scheduler_.run(scheduler_.now() + afterwards);
}

void Simulation::observe(OpObserver* observer) {
  clients_->observe(observer);
  for (const auto& server : servers_) server->observe(observer);
}

void Simulation::check_end() const {
  if (tracker_.in_flight() != 0) {
    throw sim::InvariantBroken("nothing is left to happen, but " +
                               std::to_string(tracker_.in_flight()) +
                               " operations are still in flight");
  }
  // A request that a server dropped leaves behind what one lost on a link does: its record hidden.
  const bool dropped = std::any_of(servers_.begin(), servers_.end(), [](const auto& server) {
    return server->requests_dropped() != 0 || server->memory().counters().old != 0;
  });
  if (!config_.faults.any() && !dropped) scheme_->check_idle();
}

ReplicationResult Simulation::result() const {
  ReplicationResult result;
  result.replication = replication_;
  tracker_.report(result);
  report_switch(result);
  report_servers(result);
  scheme_->report(result);
  result.summary.push_back({"client_time_lost", client_time_lost()});
  result.summary.push_back({"client_limited", client_limited() ? 1.0 : 0.0, Figure::Kind::flag});
  result.summary.push_back(count_figure("ops_excess", clients_->excess()));
  result.summary.push_back(count_figure("late_answers", clients_->late_answers()));
  if (copies_) report_faults(result);
  result.summary.push_back(count_figure("events", scheduler_.events()));
  return result;
}

double Simulation::client_time_lost() const {
  // Clients of an open workload do not wait: nobody is missing from its load.
  if (clients_->comes_by_itself() || tracker_.length() == sim::Duration::zero()) return 0;
  return sim::as_seconds(tracker_.time_lost()) /
         (sim::as_seconds(tracker_.length()) * client_config_.clients);
}

bool Simulation::client_limited() const {
  constexpr double saturated = 0.95;
  const sim::Duration length = tracker_.phase_length(0);
  sim::Duration busiest{};
  for (const auto& server : servers_) busiest = std::max(busiest, server->busy_below());
  return static_cast<double>(busiest.count()) < saturated * static_cast<double>(length.count());
}

void Simulation::report_servers(ReplicationResult& result) const {
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  for (const auto& server : servers_) {
    all += server->requests_received();
    most = std::max(most, server->requests_received());
  }
  result.summary.push_back(
      {"server_share_max", all == 0 ? 0.0 : static_cast<double>(most) / static_cast<double>(all)});
  result.summary.push_back(count_figure("server_requests", all));
  result.summary.push_back(count_figure("ops_on_missing_paths", state_.missing()));
  result.summary.push_back(count_figure("creates_of_existing_paths", state_.existing()));
  result.summary.push_back(count_figure("rmdirs_of_full_directories", state_.not_empty()));
}

void Simulation::report_switch(ReplicationResult& result) const {
  const pipeline::SwitchCounters& counters = switch_.counters();
  const std::uint64_t looped = counters.recirculated_frames + counters.cable_frames;
  const double completed = static_cast<double>(std::max<std::uint64_t>(tracker_.completed(), 1));
  result.summary.push_back({"recirculations_per_op", static_cast<double>(looped) / completed});
  result.summary.push_back(
      count_figure("switch/recirculated_frames", counters.recirculated_frames));
  result.summary.push_back(count_figure("switch/cable_frames", counters.cable_frames));
  result.summary.push_back(count_figure("switch/mirrored_frames", counters.mirrored_frames));
  result.summary.push_back(count_figure("switch/ingress_passes", counters.ingress_passes));
  const auto drops = [&](pipeline::DropReason reason) {
    return counters.drops[static_cast<std::size_t>(reason)];
  };
  result.summary.push_back(
      count_figure("switch/drops_queue_full", drops(pipeline::DropReason::queue_full)));
  result.summary.push_back(count_figure("switch/drops_recirculation_limit",
                                        drops(pipeline::DropReason::recirculation_limit)));
}

}  // namespace recirc::model
