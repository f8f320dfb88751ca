#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/pages/config.h"
#include "model/pages/page_system.h"
#include "model/verify/page_checks.h"
#include "sim/component.h"
#include "sim/histogram.h"
#include "sim/scheduler.h"

namespace recirc::model::pages {

/// When a run is over.
struct RunLength {
  std::uint64_t operations = 0;  ///< those that count
  std::optional<sim::Duration> duration;
  sim::Duration without_progress = sim::Duration::max();  ///< since the last one that counts
  std::uint64_t warm_up = 0;  ///< operations that would count, before the first that does
};

/// The threads of all nodes: each makes the application's next call as soon as the last one has
/// returned. Here calls are counted and timed.
class Workers final : public sim::Component {
 public:
  Workers(sim::Scheduler& scheduler, const NodesSettings& nodes, const RunLength& length,
          workloads::PageApp& app, const verify::PageVerifySettings& verify);

  void start(PageSystem& system);
  /// All calls that were to be made have returned.
  [[nodiscard]] bool done() const { return running_ == 0; }
  /// Calls are under way, and for longer than a run may go on without progress none has returned.
  [[nodiscard]] bool stuck() const {
    return under_way_ > 0 && scheduler_.now() - last_sign_ > length_.without_progress;
  }
  [[nodiscard]] std::uint64_t returned() const { return returned_; }

  [[nodiscard]] const PageOp& op(WorkerId worker) const { return states_[worker.value()].op; }
  [[nodiscard]] NodeId node(WorkerId worker) const {
    return NodeId{static_cast<NodeId::rep>(worker.value() / threads_)};
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(states_.size()); }

  /// The worker's call leaves a new version in a page now: its number, which no other write has.
  std::uint64_t write(WorkerId worker, PageRef page);
  /// The worker's call has read this version of a page.
  void saw(WorkerId worker, PageRef page, std::uint64_t version) {
    if (checks_.wants_calls()) states_[worker.value()].seen.push_back({page, version});
  }
  /// Of one that it has copied, part was of an older version.
  void saw_torn() { checks_.torn(); }
  /// The worker's call returns at `at`, not earlier than now. `word`: what it has read.
  void returns(WorkerId worker, sim::Time at, std::uint64_t word = 0);

  /// What a node may do with a page from now on.
  void holds(NodeId node, PageRef page, verify::Access access) {
    checks_.holds(number_of(page), node.value(), access, scheduler_.now());
  }
  /// The node's threads are gone with it: calls under way fail, and none is made until it is back.
  void crashed(NodeId node);
  void restarted(NodeId node);
  /// What a page held was lost in a crash: it is what it was at `version` again.
  void reverted(PageRef page, std::uint64_t version, sim::Time crashed);
  [[nodiscard]] std::uint64_t failed() const { return failed_; }

  [[nodiscard]] const verify::PageChecks& checks() const { return checks_; }

  void handle(const sim::Event& event) override;
  void report(ReplicationResult& result) const;

 private:
  enum class Kind : std::uint16_t { begin, due, returned };
  struct Seen {
    PageRef page;
    std::uint64_t version = 0;
  };
  enum class Phase : std::uint8_t { begins, waits, calls, is_done };
  struct State {
    PageOp op;
    Phase phase = Phase::begins;
    std::uint16_t life = 0;  ///< events of earlier ones are void
    sim::Time called{};
    std::uint64_t word = 0;
    bool warms_up = false;
    std::vector<Seen> seen;  ///< versions read or written by the call
  };

  void next_call(WorkerId worker);
  void make_call(WorkerId worker);
  void note_return(WorkerId worker);
  [[nodiscard]] bool may_begin();
  void check(State& state);
  void check_file(const State& state);

  sim::Scheduler& scheduler_;
  std::uint32_t threads_;
  RunLength length_;
  workloads::PageApp& app_;
  PageSystem* system_ = nullptr;
  std::vector<State> states_;
  verify::PageChecks checks_;
  std::uint64_t versions_ = 0;
  std::uint32_t running_ = 0;
  std::uint32_t under_way_ = 0;  ///< calls
  std::uint64_t begun_ = 0;      ///< of those that count, like the next one
  std::uint64_t returned_ = 0;
  std::uint64_t not_counted_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t warmed_up_ = 0;
  sim::Time counting_since_{};
  sim::Time last_progress_{};
  sim::Time last_sign_{};    ///< a call was made or returned
  sim::Time last_return_{};  ///< of those that count
  bool no_progress_ = false;
  std::array<sim::Histogram, workloads::page_op_kinds> latency_;
};

}  // namespace recirc::model::pages
