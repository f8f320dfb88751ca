#pragma once

#include <cstdint>

#include "model/callosal/network.h"
#include "model/result.h"
#include "sim/flat_map.h"

namespace recirc::model::callosal {

/// Where the time of a page goes that comes from another node, which may have changed it: between
/// the messages that the nodes send and get. Fetches from memory are left out.
class HandOffs {
 public:
  void asked(pages::NodeId node, PageNumber page, sim::Time now) {
    Step& step = of(node, page);
    if (!step.under_way) step = Step{true, now};
    step.asked = now;
  }
  /// The owner is told.
  void told(pages::NodeId requester, PageNumber page, sim::Time now) {
    of(requester, page).told = now;
  }
  void sent(pages::NodeId owner, pages::NodeId requester, PageNumber page, sim::Time now) {
    Step& step = of(requester, page);
    step.sent = now;
    step.came = sim::Time{};
    step.from_owner = true;
    if (const sim::Time since = of(owner, page).since; since != sim::Time{}) {
      kept_ += now - since;
      ++kept_counts_;
    }
  }
  void came(pages::NodeId node, PageNumber page, sim::Time now) {
    of(node, page).came = now;
    if (of(node, page).granted) finish(of(node, page), now);
  }
  void granted(pages::NodeId node, PageNumber page, sim::Time now) {
    Step& step = of(node, page);
    step.granted = true;
    if (step.came > step.first) finish(step, now);
  }

  void report(ReplicationResult& result) const {
    result.summary.push_back(count_figure("hand_off/count", count_));
    const auto add = [&](const char* name, sim::Duration sum, std::uint64_t count) {
      const double mean = count == 0 ? 0 : sim::as_microseconds(sum) / static_cast<double>(count);
      result.summary.push_back({name, mean});
    };
    add("hand_off/refused_us", refused_, count_);
    add("hand_off/to_owner_us", to_owner_, count_);
    add("hand_off/at_owner_us", at_owner_, count_);
    add("hand_off/page_us", page_, count_);
    add("hand_off/grant_us", grant_, count_);
    add("hand_off/kept_us", kept_, kept_counts_);
  }

 private:
  /// A node's last request for a page.
  struct Step {
    bool under_way = false;
    sim::Time first{};  ///< asked for the first time
    sim::Time asked{};  ///< and the last time
    sim::Time told{};
    sim::Time sent{};
    sim::Time came{};
    sim::Time since{};  ///< the node has had it
    bool granted = false;
    bool from_owner = false;
  };

  Step& of(pages::NodeId node, PageNumber page) {
    constexpr unsigned node_bits = 4;
    return steps_[page << node_bits | node.value()];
  }
  void finish(Step& step, sim::Time now) {
    if (step.from_owner) {
      ++count_;
      refused_ += step.asked - step.first;
      to_owner_ += step.told - step.asked;
      at_owner_ += step.sent - step.told;
      page_ += step.came - step.sent;
      grant_ += now - step.came;
    }
    step = Step{};
    step.since = now;
  }

  sim::FlatMap<Step> steps_;
  std::uint64_t count_ = 0;
  std::uint64_t kept_counts_ = 0;
  sim::Duration refused_{};
  sim::Duration to_owner_{};
  sim::Duration at_owner_{};
  sim::Duration page_{};
  sim::Duration grant_{};
  sim::Duration kept_{};
};

}  // namespace recirc::model::callosal
