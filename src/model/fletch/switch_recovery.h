#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/desk.h"
#include "pipeline/control_port.h"
#include "sim/scheduler.h"

namespace recirc::model::fletch {

/// The first part of a switch's recovery: all servers forget the cache, and the switch gets their
/// sequence numbers (docs/decisions/0031).
class SwitchRecovery final : public sim::Component {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void numbers_agreed() = 0;
  };
  SwitchRecovery(Desk& desk, Listener& listener)
      : desk_(desk), listener_(listener), life_(desk.life) {}

  void begin();
  /// A server's answer: the numbers of some of its channels, or the last of them.
  void numbers(ServerId server, const ControlHeader& header);
  /// The server was down. Its own recovery agrees on its numbers; nobody waits for them here.
  void is_up_again(ServerId server);
  void handle(const sim::Event& event) override;

 private:
  void has_agreed(ServerId server);

  enum class Kind : std::uint16_t { written };

  Desk& desk_;
  Listener& listener_;
  std::uint32_t life_;
  std::vector<std::vector<std::uint8_t>> numbers_;  ///< by server
  std::vector<pipeline::ControlPort::Batch> batches_;
  std::vector<char> agreed_;   ///< by server
  std::uint32_t missing_ = 0;  ///< servers
};

}  // namespace recirc::model::fletch
