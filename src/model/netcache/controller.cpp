#include "model/netcache/controller.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::model::netcache {

namespace program = pipeline::programs::netcache;
using workloads::PathId;

Controller::Controller(const World& world, const Settings& settings, Store& store)
    : world_(world),
      settings_(settings),
      store_(store),
      samples_(world.rng.stream("netcache/samples")),
      next_reset_(world.scheduler, *this, Kind::reset) {}

void Controller::start() {
  if (settings_.admission) next_reset_.set(world_.scheduler.now() + settings_.reset_interval);
}

void Controller::stop() {
  stopped_ = true;
  next_reset_.cancel();
  while (!hot_.empty()) hot_.pop();
}

void Controller::tell_owner(Ask ask, PathId path) {
  tell(world_.topology.server(world_.ring.owner(world_.tree.key(path))), ask, path);
}

void Controller::tell(EndpointId server, Ask ask, PathId path) {
  world_.fabric.send(
      control_message(world_.topology.controller.endpoint, server, ask, path, world_.tree));
}

void Controller::receive(const Message& message) {
  const auto header = message.header.get<Header>();
  const PathId path{header.path};
  if (header.kind == program::Kind::report) return reported(path);
  switch (static_cast<Ask>(header.code)) {
    case Ask::fetched:
      return fetched(header);
    case Ask::evict:
      gone_.push({path, message.from});
      return next_job();
    case Ask::fetch:
    case Ask::cached:
    case Ask::uncached:
    case Ask::evicted:
      break;
  }
  throw sim::InvariantBroken("the controller got a message that is for a server");
}

void Controller::reported(PathId path) {
  ++counters_.reports;
  if (stopped_) return;
  if (store_.find(path) || waiting_.find(path.value()) != nullptr) {
    ++counters_.repeated_reports;
  } else if (hot_.size() >= settings_.waiting_reports) {
    ++counters_.dropped_reports;
  } else {
    waiting_[path.value()] = 1;
    hot_.push(path);
    next_job();
  }
}

void Controller::job_over() {
  busy_ = false;
  next_job();
}

void Controller::next_job() {
  while (!busy_ && (!gone_.empty() || !hot_.empty())) {
    if (!gone_.empty()) {
      begin_wish();
    } else {
      begin_admission();
    }
  }
}

void Controller::begin_wish() {
  wish_ = gone_.front();
  gone_.pop();
  const auto item = store_.find(wish_.path);
  if (!item) return tell(wish_.server, Ask::evicted, wish_.path);
  busy_ = true;
  ++counters_.evictions_of_gone;
  for_newcomer_ = false;
  evict(*item);
}

void Controller::begin_admission() {
  newcomer_ = hot_.front();
  hot_.pop();
  waiting_.erase(newcomer_.value());
  if (store_.find(newcomer_)) return;
  busy_ = true;
  if (store_.is_full()) return make_room();
  fetch();
}

// ------------------------------------------------------------------------------ making room ----

void Controller::make_room() {
  candidates_.clear();
  operations_.clear();
  for (std::uint32_t i = 0; i < settings_.own.samples && !store_.cached().empty(); ++i) {
    candidates_.push_back(store_.cached()[samples_.next() % store_.cached().size()]);
    operations_.push_back(Store::read_hits(world_.topology.server_pipe, candidates_.back()));
  }
  batch_ = world_.control.submit(operations_, *this, Kind::hits_read);
}

void Controller::choose_victim() {
  const auto hits = world_.control.values(batch_);
  std::size_t coldest = 0;
  for (std::size_t i = 1; i < candidates_.size(); ++i) {
    if (hits[i].low < hits[coldest].low) coldest = i;
  }
  const std::uint32_t fewest = candidates_.empty() ? 0 : hits[coldest].low;
  world_.control.release(batch_);
  if (candidates_.empty() || fewest > settings_.threshold) {
    ++counters_.colder_newcomers;
    return job_over();
  }
  for_newcomer_ = true;
  evict(candidates_[coldest]);
}

void Controller::evict(Store::Item item) {
  item_ = item;
  store_.remove(item);
  operations_.clear();
  store_.append_removal(operations_, item);
  batch_ = world_.control.submit(operations_, *this, Kind::lookup_removed);
}

void Controller::lookup_is_removed() {
  world_.control.release(batch_);
  ++counters_.evictions;
  tell_owner(Ask::uncached, store_.path(item_));
  if (!for_newcomer_) tell(wish_.server, Ask::evicted, wish_.path);
  world_.scheduler.after(settings_.grace, *this, Kind::grace_over);
}

/// No packet that has found the item is in the switch any more.
void Controller::item_is_free() {
  store_.release(item_);
  if (!for_newcomer_) return job_over();
  fetch();
}

// ------------------------------------------------------------------------------- installing ----

void Controller::fetch() {
  begun_ = world_.scheduler.now();
  item_ = store_.add(newcomer_, world_.tree.key(newcomer_));
  tell_owner(Ask::fetch, newcomer_);
}

void Controller::fetched(const Header& header) {
  if (newcomer_.value() != header.path) {
    throw sim::InvariantBroken("the controller got metadata that it had not asked for");
  }
  if (!header.has(program::hit)) {
    ++counters_.missing_paths;
    store_.remove(item_);
    store_.release(item_);
    tell_owner(Ask::uncached, newcomer_);
    return job_over();
  }
  metadata_ = metadata_in(header);
  world_.scheduler.after(settings_.path_time, *this, Kind::worked);
}

void Controller::write_record() {
  operations_.clear();
  store_.append_record(operations_, world_.topology.server_pipe, item_, metadata_);
  batch_ = world_.control.submit(operations_, *this, Kind::record_written);
}

void Controller::insert_lookup() {
  world_.control.release(batch_);
  operations_.clear();
  store_.append_lookup(operations_, item_);
  batch_ = world_.control.submit(operations_, *this, Kind::lookup_inserted);
}

void Controller::path_is_cached() {
  if (!world_.control.succeeded(batch_)) {
    throw sim::InvariantBroken("a lookup table had no room for what the controller counted");
  }
  world_.control.release(batch_);
  ++counters_.admissions;
  counters_.admission_time += world_.scheduler.now() - begun_;
  tell_owner(Ask::cached, newcomer_);
  job_over();
}

void Controller::reset() {
  Store::Operations operations;
  Store::append_reset(operations, world_.topology.server_pipe);
  world_.control.submit(operations);
  next_reset_.set(world_.scheduler.now() + settings_.reset_interval);
}

void Controller::handle(const sim::Event& event) {
  switch (static_cast<Kind>(event.kind)) {
    case Kind::reset:
      if (next_reset_.expired(event)) reset();
      return;
    case Kind::hits_read:
      return choose_victim();
    case Kind::worked:
      return write_record();
    case Kind::record_written:
      return insert_lookup();
    case Kind::lookup_inserted:
      return path_is_cached();
    case Kind::lookup_removed:
      return lookup_is_removed();
    case Kind::grace_over:
      return item_is_free();
  }
}

}  // namespace recirc::model::netcache
