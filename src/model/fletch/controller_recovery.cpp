#include <algorithm>

#include "model/fletch/controller.h"

// The controller's part in recoveries (docs/decisions/0031).
namespace recirc::model::fletch {

void Controller::recover_from_log() {
  recovering_ = Recovering::controller;
  recovering_since_ = desk_.world.scheduler.now();
  const auto records = static_cast<std::int64_t>(desk_.log.records().size());
  desk_.world.scheduler.after(desk_.settings.log_read_time * records, *this, Kind::log_read);
}

/// As the log is written ahead of what is done, the switch can differ from it by the job that was
/// at hand. What that job was about is taken out.
void Controller::log_was_read() {
  std::vector<CacheEntry::Index> in_doubt;
  for (const ActiveLog::Path& path : desk_.log.implied()) {
    const CacheEntry::Index index = desk_.directory.restore(path.entry);
    desk_.leaves.added(index);
    if (path.in_doubt) in_doubt.push_back(index);
  }
  desk_.directory.restored();
  // Counters of paths that have left may still be raised.
  for (const ActiveLog::Record& record : desk_.log.records()) {
    if (record.event == ActiveLog::Event::released) desk_.left.push_back(record.entry);
  }
  if (in_doubt.empty()) {
    recovered();
    return job_over();
  }
  std::reverse(in_doubt.begin(), in_doubt.end());  // leaves first
  eviction_.begin(in_doubt, *this);
}

void Controller::released() {
  if (recovering_ == Recovering::controller) recovered();
  job_over();
}

void Controller::recover_switch() {
  recovering_ = Recovering::rmt_switch;
  recovering_since_ = desk_.world.scheduler.now();
  for (const ActiveLog::Path& path : desk_.log.implied()) {
    if (!path.in_doubt) replayed_.push({path.entry.path, path.entry.pipe});
  }
  desk_.log.clear();
  switch_recovery_.begin();
}

void Controller::numbers_agreed() { job_over(); }

bool Controller::replay_next() {
  if (recovering_ != Recovering::rmt_switch) return false;
  if (replayed_.empty()) {
    recovered();
    return true;
  }
  const Replayed next = replayed_.front();
  replayed_.pop();
  if (desk_.directory.contains(next.path, next.pipe)) return true;
  busy_ = true;
  admission_.begin(next.path, next.pipe);
  return true;
}

void Controller::recovered() {
  const sim::Duration time = desk_.world.scheduler.now() - recovering_since_;
  (recovering_ == Recovering::controller ? desk_.controller_recoveries : desk_.switch_recoveries)
      .add(time);
  recovering_ = Recovering::nothing;
  for (const Topology::Site& server : desk_.world.topology.servers) {
    desk_.tell(server.endpoint, Ask::back, workloads::PathId{0});
  }
  if (desk_.stopped) stop();
  start();
}

}  // namespace recirc::model::fletch
