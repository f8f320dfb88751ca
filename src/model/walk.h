#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/op_observer.h"
#include "pipeline/pass_context.h"
#include "sim/flat_map.h"
#include "sim/scheduler.h"
#include "workloads/namespace.h"

namespace recirc::model {

/// One line of the walk of an operation.
struct WalkStep {
  sim::Time at;
  std::uint64_t operation = 0;
  unsigned indent = 0;  ///< 0: the operation; 1: a gress; 2: what a stage did in it
  std::string text;
};

/// Follows chosen operations through clients, switch and servers: pass by pass and stage by stage,
/// what was matched, read, written and decided.
class Walk final : public pipeline::PassObserver, public OpObserver {
 public:
  /// `operations`: indices in the run, any order.
  Walk(const sim::Scheduler& scheduler, const workloads::Namespace& tree,
       const std::vector<std::uint64_t>& operations);

  void happened(Moment moment, const Request& request, RequestHandle handle) override;
  void entered(const pipeline::Packet& packet, const pipeline::Layout& layout,
               pipeline::Gress gress, sim::Time at) override;
  void visited(const pipeline::Packet& packet, const pipeline::Layout& layout,
               const pipeline::PassEvent& event) override;

  /// All of the operations have ended.
  [[nodiscard]] bool done() const { return open_ == 0; }
  /// In the order in which it happened, all operations together.
  [[nodiscard]] const std::vector<WalkStep>& steps() const { return steps_; }

 private:
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};

  [[nodiscard]] std::uint64_t operation_of(const pipeline::Packet& packet);
  void add(std::uint64_t operation, unsigned indent, std::string text);

  const sim::Scheduler& scheduler_;
  const workloads::Namespace& tree_;
  sim::FlatMap<bool> wanted_;
  sim::FlatMap<std::uint64_t> by_payload_;   ///< operation of a request handle
  sim::FlatMap<std::uint64_t> by_original_;  ///< operation of a packet and all copies of it
  std::size_t open_;
  std::vector<WalkStep> steps_;
};

/// The lines as text: time in microseconds since the operation was issued, then what happened.
std::string text_of(const std::vector<WalkStep>& steps);

}  // namespace recirc::model
