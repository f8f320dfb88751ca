#pragma once

#include <cstdint>
#include <vector>

#include "model/callosal/config.h"
#include "model/callosal/network.h"
#include "model/pages/page_world.h"
#include "model/result.h"
#include "pipeline/control_port.h"
#include "pipeline/programs/directory/control.h"
#include "pipeline/switch.h"
#include "sim/component.h"

namespace recirc::model::callosal {

/// The switch's control plane: which regions the directory has.
class ControlPlane final : public sim::Component,
                           private pipeline::programs::directory::Control::Listener {
 public:
  ControlPlane(const pages::PageWorld& world, pipeline::Switch& rmt_switch,
               const pipeline::ControlSpec& spec, const CallosalSettings& settings);

  /// As MIND does when memory is mapped: an entry for each region, which no node has. Regions are
  /// larger than they were asked to be where there would be too many. Throws ConfigError when that
  /// does not help.
  void map();

  /// Makes sure that the page has a region, as though it had had one from the start: the prototype
  /// sets memory aside beforehand (Callosal §5.5). Such a region is the larger the fewer entries
  /// are left. Throws ConstraintViolation when none is.
  void provide(PageNumber page);
  /// The same for a file's shadow inode, which all nodes have at first. True when it is new.
  bool provide_inode(PageNumber page, std::uint32_t nodes);

  /// Who takes regions from their nodes, through control().
  void tell(pipeline::programs::directory::Control::Listener& repairs) { repairs_ = &repairs; }
  /// Of control(): its change is a repair.
  void release() {
    is_repair_ = true;
    control_.release();
  }
  [[nodiscard]] pipeline::programs::directory::Control& control() { return control_; }

  [[nodiscard]] const pipeline::programs::directory::Regions& table() const {
    return control_.regions();
  }
  [[nodiscard]] const pipeline::ControlSpec& spec() const { return spec_; }
  void handle(const sim::Event& event) override;
  void report(ReplicationResult& result) const;

 private:
  enum class Kind : std::uint16_t { epoch, counted };
  struct Counters {
    std::uint64_t epochs = 0;
    std::uint64_t splits = 0;
    std::uint64_t joins = 0;
    std::uint64_t given_up = 0;  ///< changes that could not be made
    std::uint32_t most_regions = 0;
  };

  [[nodiscard]] std::uint32_t region_pages() const { return 1U << region_bits_; }
  [[noreturn]] static void no_entry_left();
  void count();
  void counted();
  void next_change();
  void changed(const pipeline::programs::directory::Region& region, bool done) override;
  void held(const pipeline::programs::directory::Region& region) override {
    repairs_->held(region);
  }

  pages::PageWorld world_;
  Splitting policy_;
  std::uint32_t asked_region_pages_;
  pipeline::ControlSpec spec_;
  pipeline::ControlPort port_;
  pipeline::programs::directory::Control control_;
  std::uint8_t region_bits_ = 0;
  bool is_repair_ = false;  ///< the change under way
  pipeline::programs::directory::Control::Listener* repairs_ = nullptr;
  pipeline::ControlPort::Batch batch_ = 0;
  std::vector<RegionChange> changes_;  ///< of this epoch
  std::size_t next_ = 0;               ///< of them
  sim::Time epoch_began_{};
  std::uint64_t returned_ = 0;     ///< calls, when an epoch last saw one more
  std::uint32_t idle_epochs_ = 0;  ///< since then
  Counters counters_;
};

}  // namespace recirc::model::callosal
