#include "model/nfs/nfs.h"

namespace recirc::model::nfs {

Nfs::Nfs(const pages::PageWorld& world, const NfsSettings& settings)
    : world_(world), settings_(settings), server_(world, settings) {
  for (std::uint32_t node = 0; node < world.nodes.nodes; ++node) {
    clients_.push_back(std::make_unique<Client>(
        pages::NodeId{static_cast<pages::NodeId::rep>(node)}, world_, settings_, server_));
  }
}

void Nfs::call(pages::WorkerId worker) {
  clients_[world_.workers.node(worker).value()]->call(worker);
}

void Nfs::report(ReplicationResult& result) const {
  const auto add = [&](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  add("server_requests", server_.station.served());
  add("nfs/reads", server_.requests.reads);
  add("nfs/writes", server_.requests.writes);
  add("nfs/attributes", server_.requests.attributes);
  const double length = sim::as_seconds(world_.scheduler.now() - sim::Time{});
  const double busy = sim::as_seconds(server_.station.busy());
  result.summary.push_back(
      {"nfs/server_busy", length > 0 ? busy / length / settings_.server_threads : 0.0});
}

void Nfs::check_idle() const {
  for (const auto& client : clients_) client->check_idle();
}

}  // namespace recirc::model::nfs
