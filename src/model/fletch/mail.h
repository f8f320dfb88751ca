#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/fabric.h"
#include "model/fletch/control_message.h"
#include "model/topology.h"
#include "sim/deadline.h"
#include "sim/scheduler.h"

namespace recirc::model::fletch {

/// What controller and servers say to each other. Over links without faults a message is sent and
/// arrives. With a time-out, messages of a pair are numbered, acknowledged and delivered in order;
/// those without an acknowledgement are sent again (Fletch prototype: after 500 ms).
class Mail final : public sim::Component {
 public:
  Mail(sim::Scheduler& scheduler, Fabric& fabric, const Topology& topology,
       std::optional<sim::Duration> timeout);

  void send(const Message& message);
  /// Called with every control message that arrives: false when it has no news for its receiver.
  bool accept(const Message& message);
  /// One end has crashed: what is on the way, or waits to be sent again, is gone. The next message
  /// opens a new connection.
  void reset(EndpointId server);

  /// Messages of the controller that this server has not acknowledged; 0 without a time-out.
  [[nodiscard]] std::size_t unacknowledged_by(EndpointId server);
  [[nodiscard]] bool is_reliable() const { return timeout_.has_value(); }
  [[nodiscard]] std::uint64_t sent_again() const { return sent_again_; }

  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { due };
  /// One direction between the controller and one server.
  struct Line {
    std::deque<Message> open;    ///< without acknowledgement, the oldest first
    std::uint32_t next = 1;      ///< number of the next message
    std::uint32_t expected = 1;  ///< at the other end
    std::uint32_t connection = 0;
    sim::Time since{};  ///< the oldest was sent, or another one acknowledged
  };

  Line& line(EndpointId from, EndpointId to);
  void acknowledged(Line& way, std::uint32_t number);
  void send_again(Line& way);

  sim::Scheduler& scheduler_;
  Fabric& fabric_;
  const Topology& topology_;
  std::optional<sim::Duration> timeout_;
  std::vector<Line> lines_;  ///< to server s, from server s, to server s + 1, ...
  sim::Deadline due_;
  std::uint64_t sent_again_ = 0;
};

}  // namespace recirc::model::fletch
