#pragma once

#include <vector>

#include "model/callosal/faults.h"
#include "model/pages/page_system.h"
#include "sim/component.h"
#include "sim/scheduler.h"

namespace recirc::model::callosal {

/// Takes nodes down, and up again, when the configuration says so.
class Outages final : public sim::Component {
 public:
  class Target {
   public:
    virtual ~Target() = default;
    virtual void crash(pages::NodeId node) = 0;
    /// Returns how long the control plane takes to find out what the directory has of the node.
    virtual sim::Duration restart(pages::NodeId node) = 0;
    virtual void release(pages::NodeId node) = 0;
  };

  Outages(sim::Scheduler& scheduler, const std::vector<NodeCrash>& crashes, Target& target)
      : scheduler_(scheduler), crashes_(crashes), target_(target) {}

  void start() {
    for (std::uint32_t i = 0; i < crashes_.size(); ++i) {
      const sim::Time at{crashes_[i].at};
      scheduler_.at(at, *this, Kind::down, i);
      scheduler_.at(sim::later(at, crashes_[i].down_for), *this, Kind::up, i);
    }
  }
  void handle(const sim::Event& event) override {
    const pages::NodeId node{static_cast<pages::NodeId::rep>(crashes_[event.arg].node)};
    switch (static_cast<Kind>(event.kind)) {
      case Kind::down:
        return target_.crash(node);
      case Kind::up:
        return scheduler_.after(target_.restart(node), *this, Kind::known, event.arg);
      case Kind::known:
        return target_.release(node);
    }
  }

 private:
  enum class Kind : std::uint16_t { down, up, known };

  sim::Scheduler& scheduler_;
  const std::vector<NodeCrash>& crashes_;
  Target& target_;
};

}  // namespace recirc::model::callosal
