#include "pipeline/programs/directory/control.h"

#include <algorithm>
#include <utility>

#include "pipeline/programs/directory/wire.h"
#include "sim/error.h"

namespace recirc::pipeline::programs::directory {
namespace {

constexpr Words words_of(State state) { return {static_cast<std::uint32_t>(state), 0}; }

}  // namespace

Control::Control(ControlPort& port, ProtocolTag program, PipeId pipe, Listener& listener,
                 std::uint32_t capacity)
    : port_(port),
      program_(program),
      pipe_(pipe),
      listener_(listener),
      capacity_(capacity),
      regions_(capacity) {}

bool Control::set_up(std::uint64_t first, std::uint8_t bits, Content content) {
  const auto region = regions_.add(first, bits);
  if (!region) return false;
  operations_.clear();
  write(*region, content);
  add_entry(ControlOperation::Kind::insert, *region, false);
  port_.set_up(operations_);
  return true;
}

bool Control::insert(std::uint64_t first, std::uint8_t bits) {
  if (busy()) return false;
  const auto region = regions_.add(first, bits);
  if (!region) return false;
  change_ = Change::insert;
  done_ = true;
  regions_held_[0] = *region;
  operations_.clear();
  write(*region, Content{});
  add_entry(ControlOperation::Kind::insert, *region, false);
  submit(Kind::over);
  return true;
}

bool Control::split(std::uint64_t page) {
  const Region* const region = regions_.find(page);
  if (busy() || region == nullptr || region->bits == 0 || is_parked(*region)) return false;
  if (regions_.size() == regions_.capacity()) return false;
  begin(Change::split, *region, *region);
  return true;
}

bool Control::join(std::uint64_t page) {
  const Region* const region = regions_.find(page);
  if (busy() || region == nullptr) return false;
  const Region* const buddy = regions_.buddy_of(*region);
  if (buddy == nullptr || buddy->round != region->round) return false;
  if (is_parked(*region) || is_parked(*buddy)) return false;
  const bool first = region->first < buddy->first;
  begin(Change::join, first ? *region : *buddy, first ? *buddy : *region);
  return true;
}

void Control::repair(std::uint64_t page, Content content) {
  const Region* const region = regions_.find(page);
  if (region == nullptr) throw sim::InvariantBroken("a region that is not there is repaired");
  operations_.clear();
  write(*region, content);
  port_.submit(operations_);
}

bool Control::hold(std::uint64_t page) {
  const Region* const region = regions_.find(page);
  if (busy() || region == nullptr || is_parked(*region)) return false;
  begin(Change::take, *region, *region);
  return true;
}

bool Control::is_parked(const Region& region) const {
  return std::find(parked_.begin(), parked_.end(), region.first) != parked_.end();
}

void Control::park() {
  parked_.push_back(regions_held_[0].first);
  change_ = Change::none;
}

bool Control::resume(std::uint64_t page) {
  if (busy()) return false;
  const Region* const region = regions_.find(page);
  if (region == nullptr) throw sim::InvariantBroken("a held region is not there any more");
  std::erase(parked_, region->first);
  regions_held_[0] = *region;
  change_ = Change::take;
  return true;
}

void Control::release() {
  Region& region = regions_held_[0];
  region = regions_.next_round(region);
  operations_.clear();
  write(region, Content{});
  add_entry(ControlOperation::Kind::replace, region, false);
  done_ = true;
  submit(Kind::over);
}

void Control::forget() {
  regions_ = Regions(capacity_);
  parked_.clear();
  change_ = Change::none;
}

// ---------------------------------------------------------------------------- lock, read, change

void Control::begin(Change change, Region low, Region high) {
  change_ = change;
  regions_held_[0] = low;
  regions_held_[1] = high;
  operations_.clear();
  for (const Region& region : held()) add_entry(ControlOperation::Kind::replace, region, true);
  submit(Kind::locked);
}

void Control::look() {
  operations_.clear();
  for (const Region& region : held()) {
    operations_.push_back(ControlOperation::read(program_, pipe_, state_array, region.entry));
    operations_.push_back(ControlOperation::read(program_, pipe_, sharers_array, region.entry));
  }
  submit(Kind::seen);
}

void Control::decide() {
  const auto values = port_.values(batch_);
  Content contents[2];
  bool claimed = false;
  for (std::size_t i = 0; i < held().size(); ++i) {
    const Words state = values[2 * i];
    claimed = claimed || state.high != 0;
    contents[i] = {static_cast<State>(state.low),
                   static_cast<std::uint16_t>(values[2 * i + 1].low)};
  }
  const bool splits = change_ == Change::split;
  // A region that can be joined with itself is stable.
  const auto content = joined(contents[0], contents[splits ? 0 : 1]);
  port_.release(batch_);
  operations_.clear();
  done_ = content.has_value() && !claimed;
  if (!done_) return give_up();
  if (splits) {
    apply_split(*content);
  } else {
    apply_join(*content);
  }
  submit(Kind::over);
}

/// The upper half gets an entry of its own, with what the region had.
void Control::apply_split(Content content) {
  Region& low = regions_held_[0];
  add_entry(ControlOperation::Kind::erase, low, true);
  const auto high = regions_.split(low);
  if (!high) throw sim::InvariantBroken("the directory has lost a free entry");
  low = *regions_.find(low.first);
  regions_held_[1] = *high;
  for (const Region& half : regions_held_) {
    add_entry(ControlOperation::Kind::insert, half, false);
    write(half, content);
  }
}

void Control::apply_join(Content content) {
  Region& low = regions_held_[0];
  const Region high = regions_held_[1];
  for (const Region& half : held()) add_entry(ControlOperation::Kind::erase, half, true);
  low = regions_.join(low, high);
  add_entry(ControlOperation::Kind::insert, low, false);
  write(low, content);
  write(state_array, high, words_of(State::none));
}

void Control::give_up() {
  for (const Region& region : held()) add_entry(ControlOperation::Kind::replace, region, false);
  submit(Kind::over);
}

void Control::handle(const sim::Event& event) {
  switch (static_cast<Kind>(event.kind)) {
    case Kind::locked:
      port_.release(batch_);
      if (change_ == Change::take) return listener_.held(regions_held_[0]);
      return look();
    case Kind::seen:
      return decide();
    case Kind::over:
      break;
  }
  if (!port_.succeeded(batch_)) throw sim::InvariantBroken("the directory refuses an entry");
  port_.release(batch_);
  change_ = Change::none;
  listener_.changed(regions_held_[0], done_);
}

// ------------------------------------------------------------------------------------ operations

void Control::submit(Kind then) { batch_ = port_.submit(operations_, *this, then); }

std::span<const Region> Control::held() const {
  return {regions_held_, change_ == Change::join ? 2U : 1U};
}

void Control::add_entry(ControlOperation::Kind kind, const Region& region, bool locked) {
  MaskedEntry prefix;
  prefix.value.key = region.first;
  prefix.mask = ~std::uint64_t{0} << region.bits;
  prefix.result = match_result(Entry{region.entry, region.bits, region.round, locked});
  operations_.push_back(ControlOperation::on_entry(
      kind, program_, lookup_table(region.entry / entries_per_table), prefix));
}

void Control::write(ArrayId array, const Region& region, Words value) {
  operations_.push_back(ControlOperation::write(program_, pipe_, array, region.entry, value));
}

void Control::write(const Region& region, Content content) {
  write(state_array, region, words_of(content.state));
  write(sharers_array, region, {content.sharers, 0});
  write(invalidations_array, region, {});
}

}  // namespace recirc::pipeline::programs::directory
