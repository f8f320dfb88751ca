#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "model/fabric.h"
#include "model/request.h"
#include "model/topology.h"
#include "pipeline/programs/fletch/wire.h"
#include "sim/deadline.h"
#include "sim/scheduler.h"
#include "sim/slab.h"

namespace recirc::model::fletch {

/// The servers' side of the sequence-number protocol (Fletch §VI-A). Answers that change counters
/// or records go through a numbered channel: one for each worker, or one for all of a server. A
/// channel has one answer without acknowledgement at a time, and sends it again until it has one.
/// Numbers are 8 bits and wrap.
class Channels final : public sim::Component {
 public:
  struct Settings {
    std::uint32_t per_server = 0;  ///< 0: answers are sent once, without numbers
    sim::Duration timeout = sim::milliseconds(10);
  };

  Channels(sim::Scheduler& scheduler, Fabric& fabric, sim::Slab<Request>& requests,
           const Topology& topology, const Settings& settings);

  [[nodiscard]] bool are_used() const { return settings_.per_server != 0; }
  /// Sends the answer by a free channel of the server, or as soon as there is one. The message's
  /// payload stays with the channel until the acknowledgement; copies of it travel.
  void send(ServerId server, const Message& answer, bool holds_worker);

  /// What an acknowledgement means.
  enum class Receipt : std::uint8_t {
    repeated,       ///< nothing: that answer was acknowledged before
    fresh,          ///< the answer has taken effect
    frees_a_worker  ///< likewise, and a worker waited for it
  };
  Receipt acknowledged(ServerId server, const pipeline::programs::fletch::Header& receipt);

  // Recoveries (docs/decisions/0031).
  /// Nothing is open any more; numbers are lost.
  void crashed(ServerId server);
  void set_numbers(ServerId server, const std::vector<std::uint8_t>& numbers);
  /// Sends nothing and takes no acknowledgement until go_on().
  void freeze(ServerId server);
  void go_on(ServerId server);
  /// By channel: the number of its open answer, or of its next one.
  [[nodiscard]] std::vector<std::uint8_t> numbers(ServerId server) const;

  [[nodiscard]] std::uint64_t sent_again() const { return sent_again_; }
  /// An answer without acknowledgement, or without a channel, changes this path's record.
  [[nodiscard]] bool is_open_about(workloads::PathId path) const;

  void handle(const sim::Event& event) override;

 private:
  using Header = pipeline::programs::fletch::Header;
  enum class Kind : std::uint16_t { due };

  struct Waiting {
    Message answer;
    sim::Time since{};
    bool holds_worker = false;
  };
  struct Channel {
    bool busy = false;
    bool holds_worker = false;
    std::uint8_t number = 0;          ///< of the answer at hand, or of the next one
    std::uint32_t transmissions = 0;  ///< of the answer at hand
    sim::Time since{};                ///< its first transmission
    Message answer;
  };
  struct Server {
    std::vector<Channel> channels;
    std::vector<std::uint16_t> free;  ///< the next one is the last
    std::deque<Waiting> waiting;
    bool frozen = false;
  };
  struct Due {
    sim::Time at;
    ServerId server;
    std::uint16_t channel = 0;
    std::uint8_t number = 0;
    std::uint32_t transmissions = 0;
  };

  void free_all(Server& server);
  void begin(ServerId server, const Waiting& next);
  void transmit(ServerId server, std::uint16_t index);

  sim::Scheduler& scheduler_;
  Fabric& fabric_;
  sim::Slab<Request>& requests_;
  Settings settings_;
  std::vector<Server> servers_;
  std::deque<Due> dues_;  ///< in order of time: all wait equally long
  sim::Deadline due_;
  std::uint64_t sent_again_ = 0;
};

}  // namespace recirc::model::fletch
