#pragma once

#include <cstdint>
#include <vector>

#include "workloads/page_ops.h"

namespace recirc::workloads {

struct QueueShape {
  std::uint32_t slots = 1;
  std::uint32_t slot_bytes = 1;
  bool batch = true;  ///< whoever has work says what it has done when it has done all
};

/// Queues between two workers each, a producer of the first half of all workers and a consumer of
/// the second, so on another node where there are several. Each is a ring of slots in a file of its
/// own (Callosal §6.4); the numbers of items put in and taken out stand on pages of their own. Who
/// finds the ring full or empty looks again at once; an item counts when it is read. On a file
/// system that needs it, whoever looks opens the file anew before.
class PageQueue final : public PageApp {
 public:
  /// An even number of workers.
  PageQueue(const QueueShape& shape, const PageCrew& crew);

  [[nodiscard]] std::vector<PageFile> files() const override;
  PageOp next(WorkerId worker, std::uint64_t word) override;

 private:
  enum class Step : std::uint8_t { publish, reopen, look, slot };
  struct Side {
    Step step = Step::publish;  ///< the call that returns next
    std::uint64_t own = 0;      ///< items that this side has put in or taken out
    std::uint64_t told = 0;     ///< of them, those that it has said so of
    std::uint64_t other = 0;    ///< those of the other side, as last seen
  };
  static constexpr std::uint32_t put_page = 0;
  static constexpr std::uint32_t taken_page = 1;
  static constexpr std::uint32_t first_slot_page = 2;

  [[nodiscard]] bool produces(WorkerId worker) const { return worker.value() < sides_.size() / 2; }
  [[nodiscard]] FileId queue(WorkerId worker) const {
    return FileId{static_cast<FileId::rep>(worker.value() % (sides_.size() / 2))};
  }
  [[nodiscard]] Step step_after(const Side& side, bool producer) const;
  /// Fills in which pages hold the item number `item`.
  void aim_at_slot(PageOp& op, std::uint64_t item) const;

  QueueShape shape_;
  std::uint32_t slots_per_page_;  ///< at least one
  std::uint32_t pages_per_slot_;  ///< more than one: slots begin with a page
  bool reopen_;
  std::vector<Side> sides_;  ///< by worker
};

}  // namespace recirc::workloads
