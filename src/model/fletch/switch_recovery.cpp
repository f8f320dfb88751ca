#include "model/fletch/switch_recovery.h"

#include "model/fletch/records.h"
#include "pipeline/programs/fletch/layout.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using pipeline::ControlOperation;

void SwitchRecovery::begin() {
  const auto& servers = desk_.world.topology.servers;
  missing_ = static_cast<std::uint32_t>(servers.size());
  numbers_.assign(servers.size(), {});
  batches_.assign(servers.size(), 0);
  agreed_.assign(servers.size(), 0);
  for (const Topology::Site& server : servers) {
    desk_.tell(server.endpoint, Ask::freeze, workloads::PathId{0});
  }
}

void SwitchRecovery::numbers(ServerId server, const ControlHeader& header) {
  if (missing_ == 0 || agreed_[server.value()] != 0) return;
  std::vector<std::uint8_t>& all = numbers_[server.value()];
  take_numbers(header, all);
  if (all.size() < desk_.channels) return;
  std::vector<ControlOperation> writes;
  for (std::uint32_t c = 0; c < desk_.channels; ++c) {
    writes.push_back(ControlOperation::write(
        protocol, desk_.world.topology.server_pipe, program::sequence_array(desk_.locks),
        server.value() * desk_.channels + c, pipeline::Words{all[c], 0}));
  }
  if (desk_.mutants.ignore_numbers) writes.clear();
  if (writes.empty()) {
    desk_.tell(desk_.world.topology.server(server), Ask::go_on, workloads::PathId{0});
    return has_agreed(server);
  }
  batches_[server.value()] =
      desk_.world.control.submit(writes, *this, Kind::written, server.value());
}

void SwitchRecovery::handle(const sim::Event& event) {
  if (life_ != desk_.life) return;
  desk_.world.control.release(batches_[event.arg]);
  desk_.tell(desk_.world.topology.server(ServerId{event.arg}), Ask::go_on, workloads::PathId{0});
  has_agreed(ServerId{event.arg});
}

void SwitchRecovery::has_agreed(ServerId server) {
  if (missing_ == 0 || agreed_[server.value()] != 0) return;
  agreed_[server.value()] = 1;
  if (--missing_ == 0) listener_.numbers_agreed();
}

void SwitchRecovery::is_up_again(ServerId server) {
  if (missing_ != 0) has_agreed(server);
}

}  // namespace recirc::model::fletch
