#include "model/callosal/control_plane.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "model/callosal/rack.h"
#include "pipeline/programs/directory/layout.h"
#include "sim/error.h"

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;
using pipeline::ControlOperation;

ControlPlane::ControlPlane(const pages::PageWorld& world, pipeline::Switch& rmt_switch,
                           const pipeline::ControlSpec& spec, const CallosalSettings& settings)
    : world_(world),
      policy_(settings.splitting),
      asked_region_pages_(settings.region_pages),
      spec_(spec),
      port_(world.scheduler, rmt_switch, spec),
      control_(port_, tag, directory_pipe, *this, settings.directory_entries) {}

void ControlPlane::map() {
  region_bits_ = static_cast<std::uint8_t>(std::countr_zero(asked_region_pages_));
  const auto regions = [this](std::uint8_t bits) {
    std::uint64_t sum = 0;
    for (const workloads::PageFile& file : world_.files) {
      sum += (std::uint64_t{file.pages} + (1U << bits) - 1) >> bits;
    }
    return sum;
  };
  while (regions(region_bits_) > control_.regions().capacity()) {
    if (++region_bits_ > directory::most_region_bits) {
      throw sim::ConfigError("/workload", "has files that the directory has too few entries for");
    }
  }
  for (std::size_t file = 0; file < world_.files.size(); ++file) {
    for (std::uint64_t page = 0; page < world_.files[file].pages; page += region_pages()) {
      if (!control_.set_up((std::uint64_t{file} << 32U) | page, region_bits_)) {
        throw sim::InvariantBroken("the directory has no room for a region");
      }
    }
  }
  counters_.most_regions = control_.regions().size();
  if (const auto* const bounded = std::get_if<BoundedSplitting>(&policy_)) {
    world_.scheduler.after(bounded->epoch, *this, Kind::epoch);
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

// -------------------------------------------------------------------------------------- epochs

/// The counts are read and set to zero in one batch, so none is lost.
void ControlPlane::count() {
  constexpr std::uint32_t most_idle_epochs = 10;
  if (world_.workers.done()) return;
  idle_epochs_ = world_.workers.returned() == returned_ ? idle_epochs_ + 1 : 0;
  if (idle_epochs_ > most_idle_epochs) return;
  returned_ = world_.workers.returned();
  epoch_began_ = world_.scheduler.now();
  ++counters_.epochs;
  const std::uint32_t entries = control_.regions().capacity();
  const ControlOperation operations[] = {
      ControlOperation::read(tag, directory_pipe, directory::invalidations_array, 0, entries),
      ControlOperation::fill(tag, directory_pipe, directory::invalidations_array, 0, entries, {})};
  batch_ = port_.submit(operations, *this, Kind::counted);
}

void ControlPlane::counted() {
  std::vector<std::uint32_t> counts;
  for (const pipeline::Words& words : port_.values(batch_)) counts.push_back(words.low);
  port_.release(batch_);
  changes_ = changes_after_epoch(std::get<BoundedSplitting>(policy_), control_.regions(), counts);
  next_ = 0;
  next_change();
}

void ControlPlane::next_change() {
  while (next_ < changes_.size()) {
    const RegionChange& change = changes_[next_++];
    const bool begun = change.kind == RegionChange::Kind::split ? control_.split(change.page)
                                                                : control_.join(change.page);
    if (begun) return;
    ++counters_.given_up;
  }
  const sim::Time due = epoch_began_ + std::get<BoundedSplitting>(policy_).epoch;
  world_.scheduler.at(std::max(due, world_.scheduler.now()), *this, Kind::epoch);
}

void ControlPlane::changed(const directory::Region& region, bool done) {
  if (std::exchange(is_repair_, false)) return repairs_->changed(region, done);
  const bool split = changes_[next_ - 1].kind == RegionChange::Kind::split;
  ++(!done ? counters_.given_up : split ? counters_.splits : counters_.joins);
  counters_.most_regions = std::max(counters_.most_regions, control_.regions().size());
  next_change();
}

void ControlPlane::handle(const sim::Event& event) {
  switch (static_cast<Kind>(event.kind)) {
    case Kind::epoch:
      return count();
    case Kind::counted:
      return counted();
  }
}

void ControlPlane::report(ReplicationResult& result) const {
  const auto add = [&](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  add("directory/regions", control_.regions().size());
  add("directory/region_pages", region_pages());
  if (std::holds_alternative<StaticRegions>(policy_)) return;
  add("directory/regions_max", counters_.most_regions);
  add("directory/epochs", counters_.epochs);
  add("directory/splits", counters_.splits);
  add("directory/joins", counters_.joins);
  add("directory/changes_given_up", counters_.given_up);
}

}  // namespace recirc::model::callosal
