#include <algorithm>

#include "model/fletch/controller.h"

// The controller's part in recoveries (docs/decisions/0031).
namespace recirc::model::fletch {

void Controller::recover() {
  busy_ = true;
  if (desk_.outage.log_unread) {
    recovering_ = Recovering::controller;
    const auto records = static_cast<std::int64_t>(desk_.log.records().size());
    desk_.world.scheduler.after(desk_.settings.log_read_time * records, *this, Kind::log_read);
    return;
  }
  recovering_ = Recovering::rmt_switch;
  if (desk_.outage.switch_down) return;  // it will hear
  desk_.outage.switch_lost = false;
  desk_.log.write(ActiveLog::Event::switch_empty);
  recover_switch(desk_.log.read());
}

void Controller::switch_is_up() {
  if (recovering_ != Recovering::controller) recover();  // the log comes first
}

/// As the log is written ahead of what is done, the switch can differ from it by the job that was
/// at hand. What that job was about is taken out.
void Controller::log_was_read() {
  desk_.outage.log_unread = false;
  desk_.log.read_tokens(desk_.directory.tokens());
  const ActiveLog::Implied implied = desk_.log.read();
  if (desk_.outage.switch_lost) {  // there is nothing to reconcile with
    desk_.controller_recoveries.add(desk_.world.scheduler.now() - desk_.outage.controller_since);
    return recover();
  }
  std::vector<CacheEntry::Index> in_doubt;
  for (const ActiveLog::Path& path : implied.paths) {
    const CacheEntry::Index index = desk_.directory.restore(path.entry);
    desk_.leaves.added(index);
    if (path.in_doubt) in_doubt.push_back(index);
  }
  desk_.directory.restored();
  // Counters of paths that have left may still be raised.
  for (const ActiveLog::Record& record : desk_.log.records()) {
    if (record.event == ActiveLog::Event::released) desk_.left.push_back(record.entry);
  }
  if (in_doubt.empty() || desk_.mutants.skip_reconciling) return knows_the_switch();
  std::reverse(in_doubt.begin(), in_doubt.end());  // leaves first
  eviction_.begin(in_doubt, *this);
}

void Controller::released() {
  if (recovering_ == Recovering::controller) return knows_the_switch();
  job_over();
}

/// Its own recovery is over. That of the switch goes on if the crash has cut it short.
void Controller::knows_the_switch() {
  desk_.controller_recoveries.add(desk_.world.scheduler.now() - desk_.outage.controller_since);
  const ActiveLog::Implied implied = desk_.log.read();
  if (!implied.replays) {
    recovered();
    return job_over();
  }
  recovering_ = Recovering::rmt_switch;
  recover_switch(implied);
}

/// What there is to replay is known; the servers' numbers come first.
void Controller::recover_switch(const ActiveLog::Implied& implied) {
  std::vector<ActiveLog::Path> order = implied.to_replay;
  if (desk_.mutants.replay_backwards) std::reverse(order.begin(), order.end());
  for (const ActiveLog::Path& path : order) replayed_.push({path.entry.path, path.entry.pipe});
  if (!implied.numbers_agreed) return switch_recovery_.begin();
  tell_all_that_it_is_back();
  job_over();
}

void Controller::numbers_agreed() {
  desk_.log.write(ActiveLog::Event::numbers_agreed);
  job_over();
}

bool Controller::replay_next() {
  if (recovering_ != Recovering::rmt_switch) return false;
  if (replayed_.empty()) {
    desk_.log.write(ActiveLog::Event::replayed);
    desk_.switch_recoveries.add(desk_.world.scheduler.now() - desk_.outage.switch_since);
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

/// A server is up again. While the controller reads its log it cannot help; the server asks again
/// when it hears that the controller is back.
void Controller::server_recovers(ServerId server, std::uint32_t boot) {
  if (recovering_ == Recovering::controller || desk_.outage.switch_down) return;
  switch_recovery_.is_up_again(server);
  server_recovery_.begin(server, boot);
}

void Controller::recovered() {
  recovering_ = Recovering::nothing;
  tell_all_that_it_is_back();
  if (desk_.stopped) stop();
  start();
}

void Controller::tell_all_that_it_is_back() {
  for (std::uint32_t s = 0; s < desk_.world.topology.servers.size(); ++s) {
    // One that recovers beside it would ask for its recovery again.
    if (server_recovery_.is_telling(ServerId{s})) continue;
    desk_.tell(desk_.world.topology.server(ServerId{s}), Ask::back, workloads::PathId{0});
  }
}

}  // namespace recirc::model::fletch
