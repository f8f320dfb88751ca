#include "model/metrics_catalogue.h"

#include <array>

namespace recirc::model {
namespace {

using Kind = Figure::Kind;

constexpr Metric count(std::string_view name, std::string_view doc) {
  return {name, "", Kind::count, doc};
}
constexpr Metric micro(std::string_view name, std::string_view doc) {
  return {name, "us", Kind::real, doc};
}
constexpr Metric ratio(std::string_view name, std::string_view doc) {
  return {name, "", Kind::real, doc};
}

constexpr std::array all_metrics{
    Metric{"throughput_ops_per_s", "1/s", Kind::real,
           "Operations completed, divided by the time from the first issue to the last completion; "
           "the destructive tail is in it and nothing is cut off as warm-up."},
    micro("latency_mean_us", "Mean latency of completed operations, from issue to answer."),
    micro("latency_p50_us", "Median latency."),
    micro("latency_p95_us", "95th percentile of the latency."),
    micro("latency_p99_us", "99th percentile of the latency."),
    micro("latency_p999_us", "99.9th percentile of the latency."),
    micro("latency_max_us", "Longest latency."),
    ratio("switch_hit_ratio",
          "Reads answered by the switch, refusals included, divided by reads issued."),
    count("ops_issued", "Operations that clients began."),
    count("ops_completed", "Operations that ended with an answer, a refusal included."),
    micro("staleness_max_us",
          "Longest time from the end of a page's write to the beginning of a read that missed it."),
    count("order_violations",
          "Reads of a page that returned something older than the last of its writes that was over "
          "before they began, in the order in which writes took effect."),
    count("torn_reads", "Reads of a page that returned parts of two versions of it."),
    count("appends/overlaps", "Appends that begin in another one."),
    count("appends/gaps", "Appends before which pages are missing."),
    count("appends/out_of_order", "Appends before one that was over when they began."),
    count("linearizable/pages", "Pages whose calls /verify/linearizable has looked at."),
    count("linearizable/violations", "Of them, those whose answers no order of calls explains."),
    count("linearizable/undecided", "Of them, those whose search took too many steps."),
    count("swmr/violations",
          "Times that a node got a page that another one could write, or got it "
          "to write while another one had it."),
    micro("swmr/longest_us", "Longest time that a page was in such hands."),
    count("faults/repairs", "Regions that the control plane took from all nodes."),
    count("faults/pages_reverted",
          "Pages that were lost with a node and are what memory had of them."),
    Metric{"recovery/node_s", "s", Kind::real,
           "From a node's restart until the directory knew of it no more, mean over its crashes."},
    count("faults/late_answers", "Answers to requests that nodes had given up by then."),
    count("directory/regions", "Entries of the directory in the switch."),
    count("directory/region_pages", "Pages of each."),
    count("directory/reads_asked", "Requests of nodes to read a page that they had not."),
    count("directory/writes_asked", "Requests of nodes to write a page that was not theirs."),
    count("directory/refusals", "Of them, those that had to be made again (NACK)."),
    count("directory/invalidations", "Messages to nodes to give up a region."),
    count("directory/falsely_invalidated",
          "Cached pages given up because another page of their region was wanted."),
    count("directory/regions_max", "Most entries at a time."),
    count("directory/epochs", "Times that the control plane looked at false invalidations."),
    count("directory/splits", "Regions that it made two."),
    count("directory/joins", "Pairs of regions that it made one."),
    count("directory/changes_given_up",
          "Changes of regions that it wanted and could not make: somebody was about to get one."),
    count("hand_off/count", "Pages that came from the node that could write them."),
    micro("hand_off/refused_us", "Of such a hand-off: from the first request to the last one."),
    micro("hand_off/to_owner_us", "From the last request to the owner's knowing of it."),
    micro("hand_off/at_owner_us",
          "From then on until the owner has sent the page: it waits for whoever uses it, and for "
          "the node's handler."),
    micro("hand_off/page_us", "From then on until the page has come."),
    micro("hand_off/grant_us", "From then on until the directory has said that it may be used."),
    micro("hand_off/kept_us", "From then on until the node sends the page to the next one."),
    count("cephfs/calls_at_stores", "Calls that no client could answer: at the object stores."),
    count("cephfs/revocations", "Opens that took others' rights to cache back."),
    count("cephfs/metadata_requests", "Requests to the metadata server: sizes asked for or set."),
    Metric{"cephfs/stores_busy", "", Kind::real,
           "Share of the time that the stores' threads worked."},
    Metric{"cephfs/metadata_server_busy", "", Kind::real,
           "Share of the time that the metadata server worked."},
    count("nfs/reads", "READs that NFS clients sent: for pages that they did not have."),
    count("nfs/writes", "WRITEs that they sent: at fsync, truncate and close."),
    count("nfs/attributes", "Times that they asked for a file's size and whether it had changed."),
    Metric{"nfs/server_busy", "", Kind::real,
           "Share of the time that the server's threads worked."},
    Metric{"analytic/throughput_ops_per_s", "1/s", Kind::real,
           "Callosal's throughput by a model of its own, to hold against the simulation: dwoh and "
           "a key-value store with uniform keys."},
    count("version_retries", "Reads that found the page changed after copying it."),
    ratio("version_retries_per_read", "Of all reads of pages, those of the warm-up included."),
    count("store/reads", "Pages that memory blades read from the block store behind them."),
    count("store/writes", "Pages that memory blades wrote to it."),
    count(
        "unsynced/most",
        "Most changed pages at a time that were not in the store: what losing all power then "
        "would have lost. One that a node has changed again since it went to memory counts twice."),
    count("unsynced/at_nodes", "Of those at the end, pages that were at nodes."),
    count("unsynced/in_memory", "Of those at the end, pages that were in memory blades."),
    count("unsynced/writes_held_back",
          "Writes that had to wait because their node had too many such pages."),
    count("page_cache/evictions", "Pages that nodes dropped to make room."),
    count("page_cache/evicted_changed", "Of them, those that had to be sent to memory."),
    count("page_cache/waits_for_room", "Times that a thread had to wait until a page was dropped."),
    count("calls_not_counted",
          "Calls of applications over page caches that are no operations of theirs: polls."),
    Metric{"no_progress", "", Kind::flag,
           "A run of page calls ended because no operation had been completed for "
           "/workload/time_limit."},
    count("ops_failed", "Operations that ended without an answer."),
    count("ops_denied", "Operations whose permission check failed."),
    count("stale_reads",
          "Reads that returned metadata older than the last write acknowledged before they were "
          "issued, of the path or of a directory above it, or that passed a directory which kept "
          "their user out since before then; 0 unless a rule of the protocol is switched off. "
          "System netcache is the "
          "exception: it knows paths only, so a write of a directory leaves what is cached below "
          "it as it was, and reads of that are counted here."),
    micro("time/wire_us", "Mean time of an operation on links and in the switch's pipes."),
    micro("time/queues_us", "Mean time waiting for ports, workers and the store."),
    micro("time/recirculation_us", "Mean time in passes of the switch after the first."),
    micro("time/lock_wait_us", "Mean time of passes that only wait for a lock counter."),
    micro("time/service_us", "Mean time in service at a server's workers and store."),
    micro("time/resending_us",
          "Mean time from an operation's issue to the transmission that was answered; only where "
          "one was sent again."),
    count("operations/*/count", "Completed operations of this kind."),
    micro("operations/*/latency_mean_us", "Their mean latency."),
    micro("operations/*/latency_p50_us", "Their median latency."),
    micro("operations/*/latency_p95_us", "95th percentile of their latency."),
    micro("operations/*/latency_p99_us", "99th percentile of their latency."),
    count("outcomes/*/count", "Completed operations that ended this way."),
    micro("outcomes/*/latency_mean_us", "Their mean latency."),
    micro("outcomes/*/latency_p50_us", "Their median latency."),
    micro("outcomes/*/latency_p95_us", "95th percentile of their latency."),
    micro("outcomes/*/latency_p99_us", "99th percentile of their latency."),
    ratio("recirculations_per_op",
          "Frames on recirculation and cable ports, requests and responses, divided by operations "
          "completed."),
    count("switch/recirculated_frames", "Frames on recirculation ports."),
    count("switch/cable_frames", "Frames on the cable between two pipes."),
    count("switch/mirrored_frames", "Copies that the switch made."),
    count("switch/ingress_passes", "Passes through an ingress pipeline."),
    count("switch/drops_queue_full", "Packets dropped because a queue was full."),
    count("switch/drops_recirculation_limit", "Packets dropped at /switch/max_recirculations."),
    ratio("server_share_max", "Requests at the busiest server, divided by those at all servers."),
    count("server_requests", "Requests that servers received."),
    count("ops_on_missing_paths", "Operations on a path that was gone, renames into one included."),
    count("creates_of_existing_paths", "Creates and mkdirs of a path that was there."),
    count("rmdirs_of_full_directories", "rmdirs of a directory that was not empty."),
    count("locks_leaked",
          "Sum of the lock counters when nothing is in flight any more; packets that were dropped "
          "leave theirs raised."),
    count("lock_waits",
          "Writes that came to their server after waiting for lock counters; not those that the "
          "switch dropped at /switch/max_recirculations."),
    count("reads_turned_away",
          "Reads of cached paths that found a write waiting for a counter and went to the server."),
    count("writes_acknowledged_early", "Writes that the switch acknowledged, /cache/write: back."),
    count("writes_refused_late", "Of them, those that their servers then refused."),
    count("writes_lost", "Of them, those that never came to their servers."),
    count("writes_at_risk_max",
          "Most writes at a time that clients had heard of and servers had not carried out: what a "
          "crash would have lost."),
    ratio("writes_at_risk_mean", "The same, as a mean over the run."),
    count("unpermitted_answers",
          "Answers of a cache without path awareness to readers whom a directory above, or the "
          "record, would have refused."),
    count("cache/different_records",
          "Valid items that are not what their servers hold when nothing is in flight any more: "
          "a directory above has changed."),
    count("cache/bypassed", "Requests sent past the cache: path too deep or frame too long."),
    count("cache/preloaded_files", "Files that the run started with in the cache."),
    count("cache/preloaded_entries", "Entries that this took, ancestors included."),
    count("cache/left_out_files", "Hot files for which there was no room at the start."),
    count("cache/entries", "Entries at the end."),
    count("cache/rows_used", "Rows of the value arrays in use at the end."),
    count("cache/slots_used", "Slots of these rows in use at the end."),
    count("cache/slots_fragmented",
          "Free slots at the end of rows that have fewer than a directory's record takes."),
    count(
        "cache/further_copies",
        "Entries at the end beyond one a path: where servers are on several pipes, directories are "
        "in each that holds anything below them."),
    count("cache/multi_path_writes",
          "Writes that changed cached paths beside their own: descendants, or a destination."),
    count("cache/implied_changes", "Changes of cached paths by another path's write."),
    count("cache/record_updates", "Values and flags that responses of writes brought up to date."),
    count("cache/parked_writes", "Writes that a server kept back while their path was admitted."),
    count("cache/kept_answers",
          "Answers to writes that a server kept back until the switch had acknowledged the one "
          "before."),
    count("cache/answers_sent_again",
          "Numbered answers that servers sent again because no acknowledgement came "
          "(/cache/sequence)."),
    count("cache/answers_repeated",
          "Numbered answers that the switch had seen before: acknowledged, and nothing else."),
    count("cache/unreadable_records",
          "Cached records whose flag is zero when nothing is in flight any more: a dropped answer "
          "or control message left them so, and their reads go to the server."),
    count("cache/writes_left_waiting",
          "Writes that servers keep back when nothing is in flight any more, for a message that "
          "was dropped."),
    count("client_cache/hits",
          "Directories above requested paths that clients had in their caches; the root, which "
          "everybody knows, is not counted here and below."),
    count("client_cache/misses", "Those that they had not, or no more."),
    count("client_cache/expired", "Misses of cached directories whose lease had ended."),
    count("client_cache/whole_paths", "Operations whose directories were all in the cache."),
    count("client_cache/insertions", "Directories that entered a client's cache."),
    count("client_cache/evictions", "Directories that left one for want of room."),
    count("client_cache/entries", "Directories in all caches at the end."),
    count("client_cache/bytes", "Bytes of all caches in use at the end."),
    count("client_cache/lookups",
          "Uncached directories that the requested path's own server looked up; a request that the "
          "switch answers has none."),
    count("client_cache/lookup_requests",
          "Requests for an uncached directory that clients sent before an operation."),
    count("client_cache/validation_failures",
          "Requests turned away because their client went by an old version of a directory."),
    count("client_cache/without_cache",
          "Operations turned away so often that they were asked without the cache."),
    count("client_cache/outdated_permissions",
          "Operations let through by a directory's version older than the last write of it "
          "acknowledged before they were issued; 0 unless a rule of the protocol is switched off."),
    count("client_cache/announcements",
          "Writes to directories, which others than their writer must know of."),
    count("client_cache/delayed_writes",
          "Of them, those whose answer waited for other servers or for leases."),
    micro("client_cache/write_delay_mean_us", "How long it waited, in the mean."),
    count("client_cache/writes_left_waiting",
          "Writes to directories that wait for other servers or leases when all operations have "
          "ended: their clients have given up."),
    count("controller/admissions", "Paths admitted, ancestors included."),
    micro("controller/admission_mean_us", "Mean time to admit a path, from its fetch on."),
    count("controller/evictions", "Entries evicted, for whatever reason."),
    count("controller/evictions_of_gone",
          "Entries evicted because their path was deleted or renamed."),
    count("controller/reports", "Hot paths that the switch reported."),
    count("controller/repeated_reports",
          "Reports of a path that is cached or waits for it already."),
    count("controller/dropped_reports", "Reports dropped because too many were waiting."),
    count("controller/missing_paths", "Reported paths that did not exist any more."),
    ratio("controller/reads_per_selection",
          "Frequencies that the controller read to choose whom to evict, divided by its choices."),
    count("controller/colder_newcomers",
          "Reported paths not admitted: all candidates for eviction were hotter."),
    count("controller/no_room", "Paths not admitted: evictions freed no fitting row."),
    count("controller/rows_reused_raised",
          "Rows used again although their lock counter stayed raised."),
    count("controller/token_overflows", "Paths not cached: all tokens of their key are taken."),
    count("tokens/paths", "Paths that ever were in the cache: each has a token for good."),
    count("tokens/collisions", "Of them, those that came to a key that another one had."),
    count("tokens/sharing_pairs", "Pairs of them with the same key."),
    ratio("tokens/birthday_pairs", "The same as chance has it: n (n - 1) / 2 pairs, 2^-bits each."),
    count("tokens/switch_bytes", "9 bytes for each cached path: key and token."),
    count("tokens/controller_bytes",
          "10 bytes for each path that ever was in the cache: hash-token and path-token map, "
          "without the paths themselves."),
    count("tokens/servers_bytes",
          "A byte for each path in each server's map: what it holds of the cache, and the "
          "directories above."),
    count("tokens/clients_bytes",
          "A byte for each entry in each client's map that has not expired; 0 where clients do not "
          "keep maps, as all tokens they need are 1."),
    count("tokens/learned", "Tokens that clients heard from servers."),
    count("tokens/expired", "Of them, those that were forgotten after /client/token_expiry."),
    count("controller/counters_reset",
          "Lock counters that the controller's sweep found stale and set to zero."),
    count("controller/refreshes",
          "Records whose flag the sweep found at zero for long, and asked a server for."),
    count("cache/outdated_records",
          "Readable records that are not what their server holds when nothing is in flight."),
    Metric{"recovery/server_s", "s", Kind::real,
           "From a server's restart until it takes requests again, mean (/faults/crashes)."},
    Metric{"recovery/controller_s", "s", Kind::real,
           "From the controller's restart until it knows the cache again, mean."},
    Metric{"recovery/switch_s", "s", Kind::real,
           "From the switch's restart until its cache is what the log implies, mean."},
    count("recovery/changes_cut_short",
          "Changes of cached paths, by a write of another path, that were on their way when their "
          "server crashed."),
    count("cache/misplaced_records",
          "Cached paths that the lookup tables do not lead to their records when nothing is in "
          "flight."),
    count("controller/messages_sent_again",
          "Messages between controller and servers that were sent again."),
    Metric{"controller/stuck", "", Kind::flag,
           "A message to or from the controller was dropped: it admits and evicts nothing more."},
    Metric{"client_time_lost", "", Kind::real,
           "Share of the clients' time that went into waiting for answers that never came: they "
           "are missing from the load, and latencies are those of the others; 0 for arrivals that "
           "do not wait for clients."},
    Metric{"client_limited", "", Kind::flag,
           "The busiest store was busy for less than 95 % of the non-destructive phase: the "
           "clients that were not in time-outs did not saturate it."},
    count("rotation/parts", "Simulations of a rotation or solo run: their counts add up."),
    Metric{"rotation/unscaled_ops_per_s", "1/s", Kind::real,
           "A rotation's throughput without scaling each part up to the best one."},
    Metric{"rotation/bottleneck_best_ops_per_s", "1/s", Kind::real,
           "The largest rate of any server in a rotation, which all parts are scaled to."},
    Metric{"rotation/bottleneck_hits_ops_per_s", "1/s", Kind::real,
           "The switch's answers for paths of the busiest server: the estimate leaves them out."},
    count("rotation/bottleneck_overtaken",
          "Parts of a rotation in which the other server answered more than the busiest one."),
    Metric{"saturation/rate_ops_per_s", "1/s", Kind::real,
           "The highest rate that a search for saturation found sustained."},
    Metric{"saturation/lost_rate_ops_per_s", "1/s", Kind::real,
           "The lowest rate that it found not to be."},
    count("saturation/trials", "Rates that it tried."),
    count("ops_excess", "Open arrivals beyond what may be in flight; they were not issued."),
    count("late_answers", "Answers that came after their client had given up."),
    count("client/retransmissions", "Requests that clients sent again (/client/retransmit)."),
    count("client/repeated_answers",
          "Answers to operations that another answer had completed; clients ignore them."),
    count("server/requests_dropped", "Requests that found /server/receive_queue waiting."),
    count("server/repeated_writes",
          "Writes that came to a server again, and were not carried out."),
    count("server/old_writes", "Of them, those whose client had sent newer ones since."),
    count("server/applied_again",
          "Writes that changed something more than once; 0 unless /server/dedupe is off."),
    count("server/refused_again",
          "Writes carried out whose repetition was refused; 0 unless /server/dedupe is off."),
    count("server/writes_undone",
          "Of those applied again, the ones over another write; 0 unless /server/dedupe is off."),
    count("faults/messages_lost", "Messages that links lost (/faults)."),
    count("faults/messages_duplicated", "Messages that links delivered twice."),
    count("faults/messages_held", "Messages that links held so that later ones overtook them."),
    count("events", "Events that the engine handled."),
};

constexpr std::array<std::string_view, 6> of_phases{"throughput_ops_per_s", "ops_completed",
                                                    "latency_mean_us",      "latency_p50_us",
                                                    "latency_p95_us",       "latency_p99_us"};

/// Does `figure` match `pattern`, where '*' is one part?
bool matches(std::string_view pattern, std::string_view figure) {
  while (!pattern.empty() && !figure.empty()) {
    if (pattern.front() == '*') {
      const std::size_t slash = figure.find('/');
      if (slash == 0) return false;
      figure.remove_prefix(slash == std::string_view::npos ? figure.size() : slash);
      pattern.remove_prefix(1);
    } else {
      if (pattern.front() != figure.front()) return false;
      pattern.remove_prefix(1);
      figure.remove_prefix(1);
    }
  }
  return pattern.empty() && figure.empty();
}

}  // namespace

std::span<const Metric> metrics() { return all_metrics; }

std::span<const std::string_view> phase_metrics() { return of_phases; }

const Metric* find_metric(std::string_view figure) {
  for (const Metric& metric : all_metrics) {
    if (matches(metric.name, figure)) return &metric;
  }
  return nullptr;
}

std::string_view name(Figure::Kind kind) {
  switch (kind) {
    case Kind::count:
      return "count";
    case Kind::flag:
      return "flag";
    case Kind::real:
      break;
  }
  return "real";
}

}  // namespace recirc::model
