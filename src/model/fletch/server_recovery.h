#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/desk.h"
#include "pipeline/control_port.h"
#include "sim/scheduler.h"

namespace recirc::model::fletch {

/// The controller's part in the recovery of servers: it sends a server the active log's records of
/// its paths, one by one, then its sequence numbers (docs/decisions/0031).
class ServerRecovery final : public sim::Component {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    /// The pipe that the path is on its way into, as a bit: its writes stay blocked then. Or 0.
    [[nodiscard]] virtual std::uint8_t on_its_way(workloads::PathId path) const = 0;
    virtual void server_knows_all(ServerId server) = 0;
  };
  ServerRecovery(Desk& desk, Listener& listener)
      : desk_(desk), listener_(listener), life_(desk.life) {}

  /// The server is up again, for the `boot`th time, and knows nothing. Does nothing if that is
  /// known already: numbers that it may have been told must not change.
  void begin(ServerId server, std::uint32_t boot);
  /// Has it still to be told something?
  [[nodiscard]] bool is_telling(ServerId server) const;
  /// It has the record.
  void recorded(ServerId server, workloads::PathId path);
  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { send_record, numbers_read, numbers_written };
  struct Job {
    ServerId server;
    std::uint32_t boot = 0;
    std::vector<ActiveLog::Path> paths;
    std::size_t next = 0;  ///< to be sent, or sent and not received
    bool is_over = false;  ///< all is told, or the server has begun anew
    std::vector<pipeline::ControlOperation> writes;
    std::vector<std::uint8_t> numbers;
    pipeline::ControlPort::Batch batch = 0;
  };

  void send_record(std::uint32_t index);
  void read_numbers(std::uint32_t index);
  void move_numbers_on(std::uint32_t index);
  void tell_numbers(std::uint32_t index);

  Desk& desk_;
  Listener& listener_;
  std::uint32_t life_;
  std::vector<Job> jobs_;
};

}  // namespace recirc::model::fletch
