#include "model/cephfs/stores.h"

#include <algorithm>

#include "sim/rng.h"

namespace recirc::model::cephfs {

Stores::Stores(sim::Scheduler& scheduler, const CephfsSettings& settings, Client& client)
    : scheduler_(scheduler),
      settings_(settings),
      client_(client),
      groups_(settings.placement_groups),
      stores_(settings.stores, pages::Station(settings.store_threads)) {}

std::uint32_t Stores::group_of(pages::PageRef page) const {
  const std::uint64_t object = pages::number_of({page.file, page.page / settings_.object_pages});
  return static_cast<std::uint32_t>(sim::mix64(object) % groups_.size());
}

void Stores::read(pages::PageRef first, std::uint32_t pages, std::uint64_t job) {
  const auto more = static_cast<std::int64_t>(pages - 1);
  push(group_of(first), {job, settings_.read + more * settings_.page_time, false});
}

void Stores::write(pages::PageRef first, std::uint32_t pages, std::uint64_t job) {
  const auto more = static_cast<std::int64_t>(pages - 1);
  push(group_of(first), {job, settings_.write + more * settings_.page_time, true});
}

void Stores::push(std::uint32_t group, const Request& request) {
  groups_[group].push(request);
  if (groups_[group].size() == 1) begin(group);
}

/// Writes wait for their turn among all of the cluster.
void Stores::begin(std::uint32_t group) {
  if (!groups_[group].front().writes) return serve(group);
  const sim::Time turn = std::max(scheduler_.now(), next_write_);
  next_write_ = turn + settings_.write_gap;
  if (turn == scheduler_.now()) return serve(group);
  scheduler_.at(turn, *this, Kind::may_write, group);
}

void Stores::serve(std::uint32_t group) {
  pages::Station& store = stores_[group % stores_.size()];
  scheduler_.at(store.serve(scheduler_.now(), groups_[group].front().service), *this, Kind::done,
                group);
}

void Stores::done(std::uint32_t group) {
  const std::uint64_t job = groups_[group].front().job;
  groups_[group].pop();
  ++served_;
  if (!groups_[group].empty()) begin(group);
  client_.stored(job);
}

void Stores::handle(const sim::Event& event) {
  switch (static_cast<Kind>(event.kind)) {
    case Kind::may_write:
      return serve(event.arg);
    case Kind::done:
      return done(event.arg);
  }
}

sim::Duration Stores::busy() const {
  sim::Duration sum{};
  for (const pages::Station& store : stores_) sum += store.busy();
  return sum;
}

}  // namespace recirc::model::cephfs
