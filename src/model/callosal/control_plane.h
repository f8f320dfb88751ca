#pragma once

#include <cstdint>
#include <vector>

#include "model/callosal/network.h"
#include "pipeline/control_port.h"
#include "pipeline/programs/directory/control.h"
#include "pipeline/switch.h"
#include "workloads/page_ops.h"

namespace recirc::model::callosal {

/// The switch's control plane: which regions the directory has.
class ControlPlane final : private pipeline::programs::directory::Control::Listener {
 public:
  ControlPlane(sim::Scheduler& scheduler, pipeline::Switch& rmt_switch,
               const pipeline::ControlSpec& spec);

  /// As MIND does when memory is mapped: an entry for each region of `region_pages` pages, which no
  /// node has. Regions are larger where there would be too many. Throws ConfigError when that does
  /// not help.
  void map(const std::vector<workloads::PageFile>& files, std::uint32_t region_pages);

  /// Makes sure that the page has a region, as though it had had one from the start: the prototype
  /// sets memory aside beforehand (Callosal §5.5). Such a region is the larger the fewer entries
  /// are left. Throws ConstraintViolation when none is.
  void provide(PageNumber page);
  /// The same for a file's shadow inode, which all nodes have at first. True when it is new.
  bool provide_inode(PageNumber page, std::uint32_t nodes);

  /// Who takes regions from their nodes, through control().
  void tell(pipeline::programs::directory::Control::Listener& repairs) { repairs_ = &repairs; }
  [[nodiscard]] pipeline::programs::directory::Control& control() { return control_; }

  [[nodiscard]] const pipeline::programs::directory::Regions& table() const {
    return control_.regions();
  }
  [[nodiscard]] std::uint32_t regions() const { return control_.regions().size(); }
  /// That they had at first.
  [[nodiscard]] std::uint32_t region_pages() const { return 1U << region_bits_; }

 private:
  [[noreturn]] static void no_entry_left();
  void changed(const pipeline::programs::directory::Region& region, bool done) override;
  void held(const pipeline::programs::directory::Region& region) override {
    is_repair_ = true;
    repairs_->held(region);
  }

  pipeline::ControlPort port_;
  pipeline::programs::directory::Control control_;
  std::uint8_t region_bits_ = 0;
  bool is_repair_ = false;  ///< the change under way
  pipeline::programs::directory::Control::Listener* repairs_ = nullptr;
};

}  // namespace recirc::model::callosal
