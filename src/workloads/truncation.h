#pragma once

#include <cstdint>
#include <vector>

#include "workloads/page_ops.h"

namespace recirc::workloads {

/// fxmark's DWTL: every worker cuts the last page off a file of its own, again and again. A file
/// that is empty gets its size back, without pages, by a call that does not count.
class Truncation final : public PageApp {
 public:
  Truncation(std::uint32_t pages, std::uint32_t workers) : pages_(pages), left_(workers, pages) {}

  [[nodiscard]] std::vector<PageFile> files() const override {
    return std::vector<PageFile>(left_.size(), {pages_, true});
  }

  PageOp next(WorkerId worker, std::uint64_t /*word*/) override {
    std::uint32_t& left = left_[worker.value()];
    PageOp op;
    op.kind = PageOpKind::truncate;
    op.counts = left > 0;
    left = left > 0 ? left - 1 : pages_;
    op.first = {FileId{worker.value()}, left};
    return op;
  }

 private:
  std::uint32_t pages_;
  std::vector<std::uint32_t> left_;  ///< pages, by worker
};

}  // namespace recirc::workloads
