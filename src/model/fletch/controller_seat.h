#pragma once

#include <memory>
#include <vector>

#include "model/fletch/controller.h"

namespace recirc::model::fletch {

/// The machine that the controller's process runs on. A process that has crashed stays as it was,
/// and takes no notice of what comes for it; the next one begins with what the log says.
class ControllerSeat final : public Endpoint {
 public:
  explicit ControllerSeat(Desk& desk) : desk_(desk) { seat_new(); }

  void start() { current().start(); }
  void stop() {
    desk_.stopped = true;
    current().stop();
  }
  [[nodiscard]] bool is_busy() const { return processes_.back()->is_busy(); }
  void receive(const Message& message) override { current().receive(message); }

  void controller_crashed() {
    desk_.outage.controller_down = true;
    desk_.outage.log_unread = true;
    forget();
  }
  void controller_restarted() {
    desk_.outage.controller_down = false;
    desk_.outage.controller_since = desk_.world.scheduler.now();
    current().recover();
  }
  /// The process gives up its job. Of a recovery only the reading of the log goes on, from its
  /// beginning.
  void switch_crashed() {
    desk_.outage.switch_down = true;
    desk_.outage.switch_lost = true;
    forget();
    if (!desk_.outage.controller_down) current().recover();
  }
  void switch_restarted() {
    desk_.outage.switch_down = false;
    desk_.outage.switch_since = desk_.world.scheduler.now();
    if (!desk_.outage.controller_down) current().switch_is_up();
  }

 private:
  Controller& current() { return *processes_.back(); }
  void seat_new() { processes_.push_back(std::make_unique<Controller>(desk_)); }
  void forget() {
    ++desk_.life;
    desk_.directory.forget_all();
    desk_.leaves.clear();
    desk_.left.clear();
    // Without the one or the other nothing arrives; connections are opened anew.
    for (const Topology::Site& server : desk_.world.topology.servers) {
      desk_.mail.reset(server.endpoint);
    }
    seat_new();
    current().wait();
  }

  Desk& desk_;
  std::vector<std::unique_ptr<Controller>> processes_;  ///< the last one lives
};

}  // namespace recirc::model::fletch
