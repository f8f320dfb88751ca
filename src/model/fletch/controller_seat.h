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
    forget();
    for (const Topology::Site& server : desk_.world.topology.servers) {
      desk_.mail.reset(server.endpoint);
    }
  }
  void controller_restarted() { current().recover_from_log(); }
  /// The process gives up its job, and waits.
  void switch_crashed() { forget(); }
  void switch_restarted() { current().recover_switch(); }

 private:
  Controller& current() { return *processes_.back(); }
  void seat_new() { processes_.push_back(std::make_unique<Controller>(desk_)); }
  void forget() {
    ++desk_.life;
    desk_.directory.forget_all();
    desk_.leaves.clear();
    desk_.left.clear();
    seat_new();
    current().wait();
  }

  Desk& desk_;
  std::vector<std::unique_ptr<Controller>> processes_;  ///< the last one lives
};

}  // namespace recirc::model::fletch
