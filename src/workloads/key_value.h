#pragma once

#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "workloads/page_ops.h"
#include "workloads/permutation.h"
#include "workloads/popularity.h"

namespace recirc::workloads {

struct KeyValueShape {
  std::uint64_t keys = 0;
  std::uint32_t value_bytes = 1;
  double write_ratio = 0;
  double zipf = 0;
};

/// A key-value store in one file (Callosal §6.5): every worker changes values of its own part of
/// the keys and reads those of all. A value lies within a page; the parts are runs of keys.
class KeyValue final : public PageApp {
 public:
  /// At least as many keys as workers.
  KeyValue(const KeyValueShape& shape, std::uint32_t workers, sim::CounterRng rng);

  [[nodiscard]] std::vector<PageFile> files() const override;
  PageOp next(WorkerId worker, std::uint64_t word) override;

 private:
  KeyValueShape shape_;
  std::uint32_t per_page_;
  sim::CounterRng rng_;
  std::vector<std::uint64_t> calls_;  ///< by worker
  Zipf of_all_;
  Permutation place_of_all_;  ///< where the key of a rank is
  Zipf of_part_;
  Permutation place_in_part_;
};

}  // namespace recirc::workloads
