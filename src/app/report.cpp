#include "app/report.h"

#include <array>

#include "app/numbers.h"
#include "app/table.h"

namespace recirc::app {
namespace {

using model::experiment::Estimate;
using model::experiment::Gain;

/// A row of the table: which figure, under which heading, how it is written.
struct Row {
  const char* name;
  const char* heading;
  const char* column;  ///< the heading where space is dear
  const char* unit;
  double scale;
  int digits;
  bool grouped;
};

constexpr std::array rows{
    Row{"throughput_ops_per_s", "throughput", "kops/s", "kops/s", 1e-3, 1, false},
    Row{"latency_mean_us", "latency mean", "mean us", "us", 1, 1, false},
    Row{"latency_p50_us", "latency p50", "p50 us", "us", 1, 1, false},
    Row{"latency_p95_us", "latency p95", "p95 us", "us", 1, 1, false},
    Row{"latency_p99_us", "latency p99", "p99 us", "us", 1, 1, false},
    Row{"switch_hit_ratio", "switch hits", "hits %", "%", 100, 2, false},
    Row{"recirculations_per_op", "recirculations", "recirc/op", "/op", 1, 3, false},
    Row{"server_share_max", "hottest server", "hottest %", "%", 100, 2, false},
    Row{"client_time_lost", "clients in time-outs", "lost %", "%", 100, 2, false},
    Row{"ops_completed", "requests completed", "completed", "", 1, 0, true},
    Row{"ops_failed", "requests failed", "failed", "", 1, 0, true},
};
constexpr std::size_t gain_row = 1;  // the gain stands below the throughput

/// Without a completed operation there is no rate, latency or share: their 0 would look measured.
bool nothing_completed(const ReportEntry& entry) {
  const Estimate* completed = find(entry.estimates, "ops_completed");
  return completed != nullptr && completed->interval.mean == 0;
}

std::string cell(const ReportEntry& entry, const Row& row) {
  const Estimate* estimate = find(entry.estimates, row.name);
  if (estimate == nullptr || (!row.grouped && nothing_completed(entry))) return "-";
  const double mean = estimate->interval.mean * row.scale;
  if (row.grouped) return app::grouped(mean);
  std::string text = fixed(mean, row.digits);
  if (const auto half_width = estimate->interval.half_width) {
    // What rounding leaves of equal observations is no spread.
    constexpr double rounding = 1e-12;
    const double shown = *half_width * row.scale;
    text += " ± " + fixed(shown < rounding * std::abs(mean) ? 0 : shown, row.digits);
  }
  return text;
}

std::string gain_cell(const ReportEntry& entry) {
  for (const Gain& gain : entry.gains) {
    if (gain.name != rows[0].name) continue;
    std::string text = (gain.interval.mean >= 0 ? "+" : "") + fixed(gain.interval.mean * 100, 1);
    if (const auto half_width = gain.interval.half_width) {
      text += " ± " + fixed(*half_width * 100, 1);
    }
    return text;
  }
  return "-";
}

/// What a figure that is not 0 means for the reader.
struct Note {
  const char* figure;
  const char* sentence;
  bool with_value;
};

constexpr std::array all_notes{
    Note{"client_limited",
         "no store was busy 95 % of the time before the destructive operations, so the throughput "
         "is not that of saturated servers: ",
         false},
    Note{"ops_failed",
         "operations ended without an answer; latencies and throughput are those of the others, up "
         "to the last completion, while the clients of these waited for their time-outs: ",
         true},
    Note{"switch/drops_queue_full", "the switch dropped packets, a queue was full: ", true},
    Note{"switch/drops_recirculation_limit",
         "the switch dropped packets at /switch/max_recirculations: ", true},
    Note{"server/requests_dropped",
         "servers dropped requests, more waited than /server/receive_queue: ", true},
    Note{"locks_leaked", "locks were leaked in the switch: ", true},
    Note{"stale_reads", "reads returned something older than an acknowledged write: ", true},
    Note{"analytic/throughput_ops_per_s",
         "operations a second by a small model that queues and simulates nothing: ", true},
    Note{"no_progress", "ended at /workload/time_limit, no operation was completed: ", false},
    Note{"ops_excess", "open arrivals beyond what may be in flight were not issued: ", true},
    Note{"cache/left_out_files", "hot files found no room in the cache at the start: ", true},
};

double value_of(const ReportEntry& entry, const char* name) {
  const Estimate* estimate = find(entry.estimates, name);
  return estimate == nullptr ? 0 : estimate->interval.mean;
}

/// Admission went on until the end without an eviction for room: the run shows the cache filling.
bool cache_never_filled(const ReportEntry& entry) {
  return value_of(entry, "controller/admissions") > 0 &&
         value_of(entry, "controller/evictions") ==
             value_of(entry, "controller/evictions_of_gone") &&
         value_of(entry, "controller/no_room") == 0 &&
         value_of(entry, "controller/colder_newcomers") == 0;
}

/// Clients have repeated themselves more than they were answered.
bool repeats_itself(const ReportEntry& entry) {
  return value_of(entry, "client/retransmissions") > value_of(entry, "ops_completed");
}

std::string name_list(std::span<const ReportEntry> entries, const char* figure, bool with_value) {
  std::string list;
  constexpr std::size_t most = 8;
  std::size_t count = 0;
  for (const ReportEntry& entry : entries) {
    const double value = value_of(entry, figure);
    if (value == 0) continue;
    if (++count > most) continue;
    list += (list.empty() ? "" : ", ") + entry.label;
    if (with_value) list += " (" + short_number(value) + ")";
  }
  if (count > most) list += " and " + std::to_string(count - most) + " more";
  return list;
}

}  // namespace

std::string figure_table(std::span<const ReportEntry> entries, const std::string& baseline) {
  std::vector<std::string> header{"", ""};
  for (const ReportEntry& entry : entries) header.push_back(entry.label);
  Table table(std::move(header));
  table.left(2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == gain_row && !baseline.empty()) {
      std::vector<std::string> gains{"gain over " + baseline, "%"};
      for (const ReportEntry& entry : entries) gains.push_back(gain_cell(entry));
      table.add(std::move(gains));
    }
    std::vector<std::string> row{rows[i].heading, rows[i].unit};
    for (const ReportEntry& entry : entries) {
      row.push_back(cell(entry, rows[i]));
    }
    table.add(std::move(row));
  }
  std::vector<std::string> replications{"replications", ""};
  for (const ReportEntry& entry : entries) {
    // Alone, a server has no throughput of the cluster to show, and yet was run.
    const Estimate* estimate = find(entry.estimates, rows[0].name);
    if (estimate == nullptr && !entry.estimates.empty()) estimate = &entry.estimates.front();
    replications.push_back(estimate == nullptr ? "-"
                                               : std::to_string(estimate->interval.observations));
  }
  table.add(std::move(replications));
  return table.text();
}

std::string sweep_table(std::span<const ReportEntry> entries,
                        std::span<const std::string> parameter_names, bool with_gain) {
  std::vector<std::string> header(parameter_names.begin(), parameter_names.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == gain_row && with_gain) header.emplace_back("gain %");
    header.emplace_back(rows[i].column);
  }
  Table table(std::move(header));
  table.left(parameter_names.size());
  for (const ReportEntry& entry : entries) {
    std::vector<std::string> row = entry.parameters;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == gain_row && with_gain) row.push_back(gain_cell(entry));
      row.push_back(cell(entry, rows[i]));
    }
    table.add(std::move(row));
  }
  return table.text();
}

std::string notes(std::span<const ReportEntry> entries) {
  std::string text;
  for (const Note& note : all_notes) {
    const std::string names = name_list(entries, note.figure, note.with_value);
    if (!names.empty()) text += "note: " + (note.sentence + names) + "\n";
  }
  std::string nothing;
  for (const ReportEntry& entry : entries) {
    if (nothing_completed(entry)) nothing += (nothing.empty() ? "" : ", ") + entry.label;
  }
  if (!nothing.empty()) text += "note: not one operation was completed: " + nothing + "\n";
  std::string repeating;
  for (const ReportEntry& entry : entries) {
    if (repeats_itself(entry)) repeating += (repeating.empty() ? "" : ", ") + entry.label;
  }
  if (!repeating.empty()) {
    text +=
        "note: requests were sent again more often than answered, so servers answer repetitions "
        "(/client/retransmit/timeout, /faults): " +
        repeating + "\n";
  }
  std::string never_full;
  for (const ReportEntry& entry : entries) {
    if (!cache_never_filled(entry)) continue;
    never_full += (never_full.empty() ? "" : ", ") + entry.label;
  }
  if (!never_full.empty()) {
    text += "note: paths were admitted, but none had to make room; a longer run may differ: " +
            never_full + "\n";
  }
  return text;
}

}  // namespace recirc::app
