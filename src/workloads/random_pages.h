#pragma once

#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "workloads/page_ops.h"

namespace recirc::workloads {

/// Every worker reads and writes random pages of one file.
class RandomPages final : public PageApp {
 public:
  RandomPages(std::uint32_t pages, double write_ratio, std::uint32_t workers, sim::CounterRng rng)
      : pages_(pages), write_ratio_(write_ratio), rng_(rng), calls_(workers, 0) {}

  [[nodiscard]] std::vector<PageFile> files() const override { return {{pages_, true}}; }

  PageOp next(WorkerId worker, std::uint64_t /*word*/) override {
    sim::CounterRng draw = rng_.at(worker.value()).at(calls_[worker.value()]++);
    PageOp op;
    op.kind = draw.next_unit() < write_ratio_ ? PageOpKind::write : PageOpKind::read;
    op.first = {FileId{0}, static_cast<std::uint32_t>(draw.next() % pages_)};
    return op;
  }

 private:
  std::uint32_t pages_;
  double write_ratio_;
  sim::CounterRng rng_;
  std::vector<std::uint64_t> calls_;  ///< by worker
};

}  // namespace recirc::workloads
