#include "model/simulation.h"

// Crashes, and what a run tells about its faults.
namespace recirc::model {

using faults::Component;
using faults::CrashSettings;

void Simulation::crash(const CrashSettings& crash) {
  const Topology& topology = cabling_.topology;
  switch (crash.component) {
    case Component::server:
      fabric_.set_down(topology.server(ServerId{crash.server}), true);
      scheme_->crashed(crash);
      return servers_[crash.server]->crash();
    case Component::controller:
      fabric_.set_down(topology.controller.endpoint, true);
      return scheme_->crashed(crash);
    case Component::rmt_switch:
      fabric_.switch_goes_down();
      control_port_.abandon();
      return scheme_->crashed(crash);
  }
}

void Simulation::restart(const CrashSettings& crash) {
  const Topology& topology = cabling_.topology;
  switch (crash.component) {
    case Component::server: {
      fabric_.set_down(topology.server(ServerId{crash.server}), false);
      Server& server = *servers_[crash.server];
      if (!scheme_->restarted(crash, &server)) server.serve();
      return;
    }
    case Component::controller:
      fabric_.set_down(topology.controller.endpoint, false);
      break;
    case Component::rmt_switch:
      fabric_.switch_comes_up();
      control_port_.abandon();
      break;
  }
  scheme_->restarted(crash, nullptr);
}

void Simulation::report_faults(ReplicationResult& result) const {
  result.summary.push_back(count_figure("client/retransmissions", clients_->retransmissions()));
  result.summary.push_back(count_figure("client/repeated_answers", clients_->repeated_answers()));
  RequestMemory::Counters sum;
  std::uint64_t dropped = 0;
  for (const auto& server : servers_) {
    dropped += server->requests_dropped();
    const RequestMemory::Counters& counted = server->memory().counters();
    sum.repeated += counted.repeated;
    sum.old += counted.old;
    sum.applied_again += counted.applied_again;
    sum.refused_again += counted.refused_again;
    sum.undone += counted.undone;
  }
  result.summary.push_back(count_figure("server/requests_dropped", dropped));
  result.summary.push_back(count_figure("server/repeated_writes", sum.repeated));
  result.summary.push_back(count_figure("server/old_writes", sum.old));
  result.summary.push_back(count_figure("server/applied_again", sum.applied_again));
  result.summary.push_back(count_figure("server/refused_again", sum.refused_again));
  result.summary.push_back(count_figure("server/writes_undone", sum.undone));
  if (!link_faults_) return;
  result.summary.push_back(count_figure("faults/messages_lost", link_faults_->lost()));
  result.summary.push_back(count_figure("faults/messages_duplicated", link_faults_->duplicated()));
  result.summary.push_back(count_figure("faults/messages_held", link_faults_->held()));
}

}  // namespace recirc::model
