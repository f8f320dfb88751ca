#include "model/callosal/control_plane.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "model/callosal/rack.h"
#include "sim/error.h"

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;

ControlPlane::ControlPlane(sim::Scheduler& scheduler, pipeline::Switch& rmt_switch,
                           const pipeline::ControlSpec& spec)
    : port_(scheduler, rmt_switch, spec), control_(port_, tag, directory_pipe, *this) {}

void ControlPlane::map(const std::vector<workloads::PageFile>& files, std::uint32_t region_pages) {
  region_bits_ = static_cast<std::uint8_t>(std::countr_zero(region_pages));
  const auto regions = [&files](std::uint8_t bits) {
    std::uint64_t sum = 0;
    for (const workloads::PageFile& file : files) {
      sum += (std::uint64_t{file.pages} + (1U << bits) - 1) >> bits;
    }
    return sum;
  };
  while (regions(region_bits_) > control_.regions().capacity()) {
    if (++region_bits_ > directory::most_region_bits) {
      throw sim::ConfigError("/workload", "has files that the directory has too few entries for");
    }
  }
  for (std::size_t file = 0; file < files.size(); ++file) {
    for (std::uint64_t page = 0; page < files[file].pages; page += this->region_pages()) {
      if (!control_.set_up((std::uint64_t{file} << 32U) | page, region_bits_)) {
        throw sim::InvariantBroken("the directory has no room for a region");
      }
    }
  }
}

void ControlPlane::provide(PageNumber page) {
  if (control_.regions().find(page) != nullptr) return;
  const std::uint64_t capacity = control_.regions().capacity();
  const unsigned steps = directory::most_region_bits - region_bits_ + 1U;
  const auto larger = static_cast<unsigned>(control_.regions().size() * steps / capacity);
  unsigned bits = std::min<unsigned>(region_bits_ + larger, directory::most_region_bits);
  while (!control_.set_up(page >> bits << bits, static_cast<std::uint8_t>(bits))) {
    if (bits-- == 0) no_entry_left();
  }
}

bool ControlPlane::provide_inode(PageNumber page, std::uint32_t nodes) {
  if (control_.regions().find(page) != nullptr) return false;
  const auto all = static_cast<std::uint16_t>((1U << nodes) - 1);
  if (!control_.set_up(page, 0, {directory::State::shared, all})) no_entry_left();
  return true;
}

void ControlPlane::no_entry_left() {
  throw sim::ConstraintViolation({.program = "directory", .array = "state"},
                                 "has no entry left for what files have grown by");
}

void ControlPlane::changed(const directory::Region& region, bool done) {
  if (std::exchange(is_repair_, false)) return repairs_->changed(region, done);
  throw sim::InvariantBroken("regions have changed that nobody wanted to");
}

}  // namespace recirc::model::callosal
