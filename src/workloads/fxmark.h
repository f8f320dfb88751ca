#pragma once

#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "workloads/page_ops.h"

namespace recirc::workloads {

/// How much of what they touch do fxmark's workers share?
enum class Sharing : std::uint8_t {
  low,     ///< a file each
  medium,  ///< a page each of one file
  high,    ///< one page
};

struct FxmarkLoop {
  Sharing sharing = Sharing::low;
  PageOpKind writing = PageOpKind::write;  ///< what those calls do that do not read
  double write_ratio = 0;
};

/// fxmark's data benchmarks: every worker repeats one call on one page. All files are open for
/// reading and writing, also where they are only read.
class Fxmark final : public PageApp {
 public:
  /// Regions of workers in a shared file: 8 MiB.
  static constexpr std::uint32_t region_pages = 2048;

  Fxmark(const FxmarkLoop& loop, std::uint32_t workers, sim::CounterRng rng)
      : loop_(loop), rng_(rng), calls_(workers, 0) {}

  [[nodiscard]] std::vector<PageFile> files() const override;
  PageOp next(WorkerId worker, std::uint64_t word) override;

 private:
  [[nodiscard]] bool writes(WorkerId worker);

  FxmarkLoop loop_;
  sim::CounterRng rng_;
  std::vector<std::uint64_t> calls_;  ///< by worker, where a draw decides
};

}  // namespace recirc::workloads
