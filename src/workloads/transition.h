#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/config.h"
#include "workloads/page_ops.h"

namespace recirc::workloads {

/// How the nodes have a page before it is asked for.
enum class Before : std::uint8_t {
  invalid,   ///< none has it
  shared,    ///< some have read it
  modified,  ///< one has written it
};
std::span<const sim::config::EnumName> names_of(Before);

/// What is timed.
enum class Asked : std::uint8_t { read, write };
std::span<const sim::config::EnumName> names_of(Asked);

struct TransitionShape {
  Before from = Before::invalid;
  Asked to = Asked::read;
  std::uint32_t sharers = 1;  ///< nodes that have read the page; fewer than all
  std::uint32_t pages = 1;    ///< each is timed once
};

/// MIND's test of latencies: a page's state is prepared by some nodes, and then the last node reads
/// or writes it, once a page, with nothing else going on. Pages are 2 MiB apart. Only the first
/// thread of each node works, and only the last node's calls count.
class Transition final : public PageApp {
 public:
  Transition(const TransitionShape& shape, const PageCrew& crew)
      : shape_(shape), crew_(crew), calls_(crew.workers(), 0) {}

  [[nodiscard]] std::vector<PageFile> files() const override {
    return {{shape_.pages * pages_apart, true}};
  }
  PageOp next(WorkerId worker, std::uint64_t word) override;
  [[nodiscard]] bool has_next(WorkerId worker) const override;

 private:
  static constexpr std::uint32_t pages_apart = 512;
  /// Longer than anything that a call may wait for.
  static constexpr sim::Duration period = sim::milliseconds(10);

  [[nodiscard]] bool is_timed(WorkerId worker) const {
    return worker.value() / crew_.threads == crew_.nodes - 1;
  }
  [[nodiscard]] bool prepares(WorkerId worker) const;

  TransitionShape shape_;
  PageCrew crew_;
  std::vector<std::uint32_t> calls_;  ///< by worker
};

}  // namespace recirc::workloads
