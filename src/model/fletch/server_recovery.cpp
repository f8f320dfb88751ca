#include "model/fletch/server_recovery.h"

#include <algorithm>
#include <utility>

#include "model/fletch/records.h"
#include "pipeline/programs/fletch/layout.h"
#include "sim/flat_map.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using pipeline::ControlOperation;

bool ServerRecovery::is_telling(ServerId server) const {
  return std::any_of(jobs_.begin(), jobs_.end(),
                     [&](const Job& job) { return job.server == server && !job.is_over; });
}

void ServerRecovery::begin(ServerId server, std::uint32_t boot) {
  for (Job& job : jobs_) {
    if (job.server != server) continue;
    if (job.boot == boot) return;
    job.is_over = true;  // it has begun anew
  }
  Job job;
  job.server = server;
  job.boot = boot;
  // Of the copies of a path the oldest: what was written since is in none or in all of them.
  sim::FlatMap<char> told;
  for (const ActiveLog::Path& path : desk_.log.read().paths) {
    if (desk_.owner(path.entry.path) != server) continue;
    if (told.find(path.entry.path.value()) != nullptr) continue;
    told[path.entry.path.value()] = 1;
    job.paths.push_back(path);
  }
  jobs_.push_back(std::move(job));
  send_record(static_cast<std::uint32_t>(jobs_.size() - 1));
}

void ServerRecovery::send_record(std::uint32_t index) {
  Job& job = jobs_[index];
  if (job.is_over) return;
  // Paths that have left the cache since the recovery began are not told.
  while (job.next < job.paths.size() &&
         desk_.directory.copies(job.paths[job.next].entry.path) == 0) {
    ++job.next;
  }
  if (job.next == job.paths.size()) return read_numbers(index);
  const ActiveLog::Path& path = job.paths[job.next];
  const std::uint8_t on_its_way = listener_.on_its_way(path.entry.path);
  Message message = desk_.message_to(desk_.world.topology.server(job.server), Ask::record,
                                     path.entry.path, on_its_way);
  auto header = message.header.get<ControlHeader>();
  put_record(header, {path.version, on_its_way != 0});
  put_boot(header, job.boot);
  message.header.set(header);
  desk_.mail.send(message);
}

void ServerRecovery::recorded(ServerId server, workloads::PathId path) {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    Job& job = jobs_[i];
    if (job.is_over || job.server != server || job.next >= job.paths.size()) continue;
    if (job.paths[job.next].entry.path != path) continue;
    ++job.next;
    desk_.world.scheduler.after(desk_.settings.record_time, *this, Kind::send_record, i);
    return;
  }
}

void ServerRecovery::handle(const sim::Event& event) {
  if (life_ != desk_.life) return;
  switch (static_cast<Kind>(event.kind)) {
    case Kind::send_record:
      return send_record(event.arg);
    case Kind::numbers_read:
      return move_numbers_on(event.arg);
    case Kind::numbers_written:
      desk_.world.control.release(jobs_[event.arg].batch);
      return tell_numbers(event.arg);
  }
}

void ServerRecovery::read_numbers(std::uint32_t index) {
  if (desk_.channels == 0) return tell_numbers(index);
  Job& job = jobs_[index];
  job.writes.clear();
  for (std::uint32_t c = 0; c < desk_.channels; ++c) {
    job.writes.push_back(ControlOperation::read(protocol, desk_.world.topology.server_pipe,
                                                program::sequence_array(desk_.locks),
                                                job.server.value() * desk_.channels + c));
  }
  job.batch = desk_.world.control.submit(job.writes, *this, Kind::numbers_read, index);
}

/// Half the circle on: an answer from before the crash is then as far as can be from a new one.
void ServerRecovery::move_numbers_on(std::uint32_t index) {
  Job& job = jobs_[index];
  if (job.is_over) return desk_.world.control.release(job.batch);
  const auto values = desk_.world.control.values(job.batch);
  job.numbers.clear();
  const unsigned on = desk_.mutants.keep_numbers ? 0 : program::sequence_numbers / 2;
  for (std::size_t c = 0; c < values.size(); ++c) {
    const auto number = static_cast<std::uint8_t>(values[c].low + on);
    job.numbers.push_back(number);
    const ControlOperation& read = job.writes[c];
    job.writes[c] = ControlOperation::write(protocol, read.pipe, read.array, read.index,
                                            pipeline::Words{number, 0});
  }
  desk_.world.control.release(job.batch);
  job.batch = desk_.world.control.submit(job.writes, *this, Kind::numbers_written, index);
}

void ServerRecovery::tell_numbers(std::uint32_t index) {
  Job& job = jobs_[index];
  if (job.is_over) return;
  job.is_over = true;
  send_numbers(desk_.mail, desk_.world.topology.controller.endpoint,
               desk_.world.topology.server(job.server), Ask::numbers, job.numbers, job.boot);
  listener_.server_knows_all(job.server);
}

}  // namespace recirc::model::fletch
