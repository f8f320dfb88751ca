#pragma once

#include <cstdint>
#include <vector>

#include "model/faults/config.h"
#include "sim/scheduler.h"

namespace recirc::model::faults {

/// What goes down and comes up again.
class Crashable {
 public:
  virtual ~Crashable() = default;
  virtual void crash(const CrashSettings& crash) = 0;
  virtual void restart(const CrashSettings& crash) = 0;
};

/// Takes components down, and up again, when the configuration says so.
class Crashes final : public sim::Component {
 public:
  Crashes(sim::Scheduler& scheduler, const std::vector<CrashSettings>& crashes, Crashable& target)
      : scheduler_(scheduler), crashes_(crashes), target_(target) {}

  void start() {
    for (std::uint32_t i = 0; i < crashes_.size(); ++i) {
      scheduler_.at(sim::Time{crashes_[i].at}, *this, Kind::down, i);
      scheduler_.at(sim::later(sim::Time{crashes_[i].at}, crashes_[i].down_for), *this, Kind::up,
                    i);
    }
  }
  void handle(const sim::Event& event) override {
    const CrashSettings& crash = crashes_[event.arg];
    if (static_cast<Kind>(event.kind) == Kind::down) return target_.crash(crash);
    target_.restart(crash);
  }

 private:
  enum class Kind : std::uint16_t { down, up };

  sim::Scheduler& scheduler_;
  const std::vector<CrashSettings>& crashes_;
  Crashable& target_;
};

}  // namespace recirc::model::faults
