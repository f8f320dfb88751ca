#include "model/fletch/controller.h"

#include "model/fletch/records.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using workloads::PathId;

Controller::Controller(Desk& desk)
    : desk_(desk),
      eviction_(desk),
      admission_(desk, eviction_, *this),
      sweep_(desk),
      server_recovery_(desk, *this),
      switch_recovery_(desk, *this),
      life_(desk.life),
      next_reset_(desk.world.scheduler, *this, Kind::reset) {}

void Controller::start() {
  if (desk_.sweeps) sweep_.start();
  if (stopped_) return;
  if (desk_.settings.admission == AdmissionPolicy::off) return;
  next_reset_.set(desk_.world.scheduler.now() + desk_.settings.reset_interval);
}

void Controller::stop() {
  stopped_ = true;
  sweep_.stop();
  next_reset_.cancel();
  while (!hot_.empty()) hot_.pop();
}

void Controller::receive(const Message& message) {
  const auto header = message.header.get<ControlHeader>();
  const PathId path{header.path};
  if (header.kind == program::Kind::report) return reported(path);
  if (!desk_.mail.accept(message)) return;
  switch (static_cast<Ask>(header.code)) {
    case Ask::fetched:
      return admission_.fetched(header);
    case Ask::recover:
      return server_recovers(desk_.world.topology.server_at(message.from), boot_in(header));
    case Ask::recorded:
      return server_recovery_.recorded(desk_.world.topology.server_at(message.from), path);
    case Ask::numbers_are:
      return switch_recovery_.numbers(desk_.world.topology.server_at(message.from), header);
    case Ask::blocked:
      if (admission_.is_admitting(path)) return;  // it will hear
      return desk_.tell(message.from,
                        desk_.directory.copies(path) != 0 ? Ask::cached : Ask::uncached, path);
    case Ask::evict:
      gone_.push(path);
      return next_job();
    case Ask::fetch:
    case Ask::cached:
    case Ask::uncached:
    case Ask::refresh:
    case Ask::record:
    case Ask::numbers:
    case Ask::freeze:
    case Ask::go_on:
    case Ask::back:
    case Ask::received:
      break;
  }
  throw sim::InvariantBroken("the controller got a message that is for a server");
}

void Controller::reported(PathId path) {
  ++desk_.counters.reports;
  if (stopped_) return;
  if (desk_.directory.contains(path, desk_.home(path)) || waiting_.find(path.value()) != nullptr) {
    ++desk_.counters.repeated_reports;
  } else if (hot_.size() >= desk_.settings.waiting_reports) {
    ++desk_.counters.dropped_reports;
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
  if (choosing_) return;  // a job that was over at once: the loop below goes on
  choosing_ = true;
  while (!busy_ && (evict_next() || replay_next() || admit_next())) {
  }
  choosing_ = false;
}

bool Controller::evict_next() {
  if (gone_.empty()) return false;
  const PathId path = gone_.front();
  gone_.pop();
  std::vector<CacheEntry::Index> leaving;
  for (std::uint8_t pipe = 0; pipe < desk_.directory.pipes(); ++pipe) {
    const CacheEntry::Index index = desk_.directory.find(path, pipe);
    if (index == CacheEntry::none) continue;
    const auto below = Eviction::subtree(desk_.directory, index);
    leaving.insert(leaving.end(), below.begin(), below.end());
  }
  if (leaving.empty()) return true;
  busy_ = true;
  desk_.counters.evictions_of_gone += leaving.size();
  eviction_.begin(leaving, *this);
  return true;
}

bool Controller::admit_next() {
  if (hot_.empty()) return false;
  const PathId path = hot_.front();
  hot_.pop();
  waiting_.erase(path.value());
  const std::uint8_t pipe = desk_.home(path);
  if (desk_.directory.contains(path, pipe)) return true;
  busy_ = true;
  admission_.begin(path, pipe);
  return true;
}

void Controller::handle(const sim::Event& event) {
  if (life_ != desk_.life) return;
  if (static_cast<Kind>(event.kind) == Kind::log_read) return log_was_read();
  if (next_reset_.expired(event)) reset();
}

void Controller::reset() {
  std::vector<pipeline::ControlOperation> operations;
  for (const Topology::ServerPipe& servers : desk_.world.topology.server_pipes) {
    append_reset(operations, servers.pipe);
  }
  desk_.world.control.submit(operations);
  desk_.leaves.reset();
  next_reset_.set(desk_.world.scheduler.now() + desk_.settings.reset_interval);
}

}  // namespace recirc::model::fletch
