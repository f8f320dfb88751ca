#pragma once

#include <cstdint>

#include "model/callosal/control_plane.h"
#include "model/callosal/network.h"
#include "sim/component.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"

namespace recirc::model::callosal {

/// Takes regions back from all nodes when somebody complains that he cannot get one: a packet with
/// a claim was lost, or a fin_ack, or who owes one is gone. One region after another, and beside
/// that one inode after another: who has an inode gives it up when he has got his pages.
///
/// The control plane keeps new requests from the region and has every node give up what it has of
/// it, requests included. A node's answer comes behind all that it has sent before. Then the region
/// is nobody's, of the next round, and what is still on the way of the last one does not count.
/// This does no harm to a region that was only contended for.
class Repairs final : public sim::Component,
                      private pipeline::programs::directory::Control::Listener {
 public:
  class Target {
   public:
    virtual ~Target() = default;
    [[nodiscard]] virtual std::uint32_t nodes_up() const = 0;  ///< bits
    /// When a message to the node, or its answer, is behind what is on its way.
    [[nodiscard]] virtual sim::Time reaches(pages::NodeId node) const = 0;
    [[nodiscard]] virtual sim::Time answers(pages::NodeId node) const = 0;
    [[nodiscard]] virtual sim::Time memory_has_all() const = 0;
    virtual void recall(pages::NodeId node, const PageRange& region) = 0;
    /// Nobody has it any more, and memory has what there is.
    virtual void taken(const PageRange& region) = 0;
    /// No complaint is left.
    virtual void all_repaired() = 0;
  };

  Repairs(sim::Scheduler& scheduler, ControlPlane& control_plane, Target& target)
      : scheduler_(scheduler), control_plane_(control_plane), target_(target) {
    control_plane.tell(*this);
  }

  void complain(PageNumber page);
  void recalled(pages::NodeId node, PageNumber page);
  void crashed(pages::NodeId node);
  [[nodiscard]] bool busy() const { return lanes_[0].busy || lanes_[1].busy; }
  [[nodiscard]] std::uint64_t done() const { return done_; }

  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { begin, reached, answered, conclude };

  struct Complaint {
    PageNumber page = 0;
    sim::Time at{};
  };
  struct Lane {
    sim::RingQueue<Complaint> waiting;
    bool busy = false;
    PageRange region;
    std::uint32_t asked = 0;   ///< nodes that have not answered
    std::uint16_t serial = 0;  ///< of the repair
  };

  [[nodiscard]] static std::uint32_t lane_of(PageNumber page) { return is_inode(page) ? 1 : 0; }
  void begin(std::uint32_t lane);
  void held(const pipeline::programs::directory::Region& region) override;
  void answered(std::uint32_t lane, std::uint32_t node);
  void conclude(std::uint32_t lane);
  void changed(const pipeline::programs::directory::Region& region, bool done) override;

  sim::Scheduler& scheduler_;
  ControlPlane& control_plane_;
  Target& target_;
  Lane lanes_[2];                 ///< of pages, and of inodes
  sim::FlatMap<sim::Time> last_;  ///< repairs, by the region's first page
  std::uint64_t done_ = 0;
};

}  // namespace recirc::model::callosal
