#include "model/fletch/report.h"

#include <algorithm>
#include <string>

#include "model/fletch/audit.h"
#include "model/fletch/risk_report.h"
#include "model/fletch/token_report.h"
#include "pipeline/switch.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace {

bool packets_were_lost(const Parts& parts) {
  const auto& drops = parts.desk.world.rmt_switch.counters().drops;
  return drops[static_cast<std::size_t>(pipeline::DropReason::queue_full)] != 0 ||
         drops[static_cast<std::size_t>(pipeline::DropReason::recirculation_limit)] != 0;
}

/// Of all pipes together.
void report_room(const CacheDirectory& directory, ReplicationResult& result) {
  std::uint64_t used = 0;
  std::uint64_t slots = 0;
  std::uint64_t fragmented = 0;
  for (std::uint8_t pipe = 0; pipe < directory.pipes(); ++pipe) {
    const RowAllocator& rows = directory.rows(pipe);
    used += rows.rows_used();
    slots += rows.slots_used();
    fragmented += rows.slots_fragmented(Metadata::directory_slots);
  }
  result.summary.push_back(count_figure("cache/rows_used", used));
  result.summary.push_back(count_figure("cache/slots_used", slots));
  result.summary.push_back(count_figure("cache/slots_fragmented", fragmented));
  if (directory.pipes() == 1) return;
  result.summary.push_back(
      count_figure("cache/further_copies", directory.entries() - directory.paths()));
}

void report_faults(const Parts& parts, const Protection& protection, const Audit& left,
                   ReplicationResult& result) {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  const ControllerCounters& counted = parts.desk.counters;
  if (parts.servers.channels().are_used()) {
    add("cache/answers_sent_again", parts.servers.channels().sent_again());
    add("cache/answers_repeated", parts.servers.repeated_answers());
  }
  if (protection.sweep) {
    add("controller/counters_reset", counted.counters_reset);
    add("controller/refreshes", counted.refreshes);
  }
  if (protection.reliable_messages) {
    add("cache/outdated_records", left.different);
    add("cache/misplaced_records", left.misplaced);
  }
  const auto add_recoveries = [&result](const char* name, const Recoveries& recoveries) {
    if (recoveries.count > 0) result.summary.push_back({name, recoveries.mean_seconds()});
  };
  add_recoveries("recovery/server_s", parts.servers.recoveries());
  if (parts.servers.recoveries().count > 0) {
    add("recovery/changes_cut_short", parts.servers.changes_cut_short());
  }
  add_recoveries("recovery/controller_s", parts.desk.controller_recoveries);
  add_recoveries("recovery/switch_s", parts.desk.switch_recoveries);
  if (parts.mail.is_reliable()) add("controller/messages_sent_again", parts.mail.sent_again());
}

}  // namespace

void report(const Parts& parts, const CacheSettings& cache, const Protection& protection,
            ReplicationResult& result) {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  const ControllerCounters& counted = parts.desk.counters;
  const Audit left = audit(parts.desk);
  add("locks_leaked", locks_held(parts.desk));
  add("cache/unreadable_records", left.unreadable);
  add("cache/writes_left_waiting", parts.servers.waiting_now());
  add("lock_waits", parts.servers.lock_waits());
  add("reads_turned_away", parts.servers.reads_turned_away());
  if (cache.write == WriteChoice::back) report_risk(parts.at_risk, parts.world, result);
  add("cache/bypassed", parts.clients.bypassed());
  add("cache/preloaded_files", parts.preloaded.files);
  add("cache/preloaded_entries", parts.preloaded.entries);
  add("cache/left_out_files", parts.preloaded.left_out);
  add("cache/entries", parts.directory.entries());
  report_room(parts.directory, result);
  add("cache/record_updates", parts.servers.record_updates());
  add("cache/multi_path_writes", parts.servers.multi_path_writes());
  add("cache/implied_changes", parts.servers.implied_changes());
  add("cache/parked_writes", parts.servers.parked_writes());
  add("cache/kept_answers", parts.servers.kept_answers());
  report_faults(parts, protection, left, result);
  report_admissions(counted, result);
  result.summary.push_back(
      {"controller/reads_per_selection",
       static_cast<double>(counted.frequency_reads) /
           static_cast<double>(std::max<std::uint64_t>(counted.selections, 1))});
  add("controller/no_room", counted.no_room);
  add("controller/rows_reused_raised", counted.rows_reused_raised);
  add("controller/token_overflows", counted.token_overflows);
  report_tokens(parts.desk, parts.clients, result);
  result.summary.push_back(
      {"controller/stuck", parts.controller.is_busy() ? 1.0 : 0.0, Figure::Kind::flag});
}

void check_idle(const Parts& parts) {
  if (packets_were_lost(parts)) return;  // report() tells what they left behind
  const auto require = [](bool holds, const std::string& what) {
    if (!holds)
      throw sim::InvariantBroken(what + " when nothing is in flight and nothing was lost");
  };
  const std::uint64_t locks = locks_held(parts.desk);
  require(locks == 0, "lock counters add up to " + std::to_string(locks));
  require(parts.servers.waiting_now() == 0, "writes are kept back by servers");
  require(!parts.controller.is_busy(), "the controller waits for an answer");
  const Audit found = audit(parts.desk);
  require(found.unreadable == 0, "cached records are not readable");
  require(found.different == 0, "cached records are not what the servers hold");
  require(found.misplaced == 0, "the lookup tables are not what the controller has written");
}

}  // namespace recirc::model::fletch
