#include "model/fletch/config.h"

#include <algorithm>
#include <functional>

namespace recirc::model::fletch {

using sim::config::assumed;
using sim::config::fitted;
using sim::config::LimitKind;
using sim::config::paper;
using sim::config::Visitor;

std::span<const sim::config::EnumName> names_of(LayoutChoice /*choice*/) {
  static constexpr sim::config::EnumName names[] = {
      {"paper", LayoutChoice::paper, "value arrays in eight egress stages"},
      {"prototype", LayoutChoice::prototype, "the released program's: value arrays in nine"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(AdmissionPolicy /*policy*/) {
  static constexpr sim::config::EnumName names[] = {
      {"off", AdmissionPolicy::off, "the cache keeps what it starts with; no sketch, no reports"},
      {"on", AdmissionPolicy::on, "the switch reports hot paths and the controller admits them"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(ReleaseChoice /*choice*/) {
  static constexpr sim::config::EnumName names[] = {
      {"per_level", ReleaseChoice::per_level, "each counter once its last level is resolved"},
      {"at_end", ReleaseChoice::at_end, "all of them once the read is resolved or refused"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(WriteChoice /*choice*/) {
  static constexpr sim::config::EnumName names[] = {
      {"through", WriteChoice::through, "by its server's answer"},
      {"back", WriteChoice::back,
       "chmod, chown and utime by the switch, before their server has them; for study"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(LockChoice /*choice*/) {
  static constexpr sim::config::EnumName names[] = {
      {"reader_preferring", LockChoice::reader_preferring,
       "reads raise a counter whoever waits; a write may starve"},
      {"write_pending", LockChoice::write_pending,
       "a waiting write keeps further reads from raising its counter"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(InvalidReads /*choice*/) {
  static constexpr sim::config::EnumName names[] = {
      {"release_on_response", InvalidReads::release_on_response,
       "the server's answer releases what the read holds"},
      {"release_in_switch", InvalidReads::release_in_switch,
       "the read gives it back in one more pass, then goes to the server"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(SingleLockKey /*choice*/) {
  static constexpr sim::config::EnumName names[] = {
      {"full_path", SingleLockKey::full_path, "the key of the path that is read or written"},
      {"level_1", SingleLockKey::level_1, "the key of its ancestor at level 1"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(Sequence /*sequence*/) {
  static constexpr sim::config::EnumName names[] = {
      {"when_needed", Sequence::when_needed, "`per_worker` where /faults has any, else `off`"},
      {"off", Sequence::off, "no numbers: the released base program"},
      {"per_worker", Sequence::per_worker, "a counter for each worker of each server"},
      {"per_server", Sequence::per_server,
       "a counter for each server, as the paper's text has it"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(SequenceCompare /*compare*/) {
  static constexpr sim::config::EnumName names[] = {
      {"equality", SequenceCompare::equality,
       "any other number than the expected one is a repetition: the released program's table"},
      {"strict", SequenceCompare::strict,
       "lower numbers are repetitions, in a circle of 256; higher ones are dropped"}};
  return names;
}

Protection protection_of(const CacheSettings& cache, const ControllerSettings& controller,
                         bool faults, std::uint32_t workers, sim::Duration ack_timeout) {
  Protection protection;
  protection.sequence = cache.sequence;
  if (cache.sequence == Sequence::when_needed) {
    protection.sequence = faults ? Sequence::per_worker : Sequence::off;
  }
  protection.workers = workers;
  protection.ack_timeout = ack_timeout;
  protection.reliable_messages = faults;
  protection.sweep = controller.sweep.policy == SweepPolicy::on ||
                     (controller.sweep.policy == SweepPolicy::when_needed && faults);
  return protection;
}

std::span<const sim::config::EnumName> names_of(UnknownToken /*choice*/) {
  static constexpr sim::config::EnumName names[] = {
      {"first", UnknownToken::first, "token 1: right as long as keys do not collide"},
      {"none", UnknownToken::none, "token 0: the request goes to the server, which tells"}};
  return names;
}

namespace {

void describe_keys(Visitor& v, CacheSettings& c) {
  v.field("key_bits", c.key_bits,
          {.doc = "Bits of a path's key: the first of its MD5. Fewer make paths share keys, which "
                  "tokens tell apart; see /client/unknown_token.",
           .from = paper("Fletch §III: the first 64 bits"),
           .min = 1,
           .max = 64});
}

void describe_locks(Visitor& v, CacheSettings& c) {
  v.field("write", c.write,
          {.doc = "When a write of a cached path is acknowledged. `back` counts what a crash would "
                  "lose; without /faults and retransmission only.",
           .from = paper("Fletch §III-A: write-through")});
  v.field(
      "lock_groups", c.lock_groups,
      {.doc = "The levels at which an array of lock counters begins: it covers the levels up to "
              "the next one, is indexed by the key of its first, and is raised and lowered once. "
              "At most eight, in order, from 1. System single_lock has one array for all.",
       .from = paper("Fletch §V-A: levels from 8 on share one; others may (§XII)"),
       .min = 1,
       .max = 9,
       .example = "[1, 2, 3, 4, 5, 6]"});
  v.field(
      "lock", c.lock,
      {.doc =
           "Whom a lock counter favours. With `write_pending`, a read that meets a waiting write "
           "gives back what it has raised and goes to its server.",
       .from = paper("Fletch §V-B; the remedy is its future work")});
  v.field("single_lock_key", c.single_lock_key,
          {.doc = "What indexes the one array of system single_lock.",
           .from = assumed("the paper maps \"a full path to the first lock counter array\"",
                           "both readings")});
  v.field("release", c.release,
          {.doc = "When a walking read gives its lock counters back. `at_end` keeps writers out of "
                  "the whole path until it is resolved.",
           .from = paper("Fletch §V-B")});
  v.field("invalid_reads", c.invalid_reads,
          {.doc = "Who gives back the counters of a read that has found a validation flag at zero.",
           .from = paper("Fletch §V-B: the server's response")});
}

void describe_sequence(Visitor& v, CacheSettings& c) {
  v.field(
      "sequence", c.sequence,
      {.doc = "Sequence numbers of the servers' answers that change counters or records; a counter "
              "has one answer without acknowledgement at a time.",
       .from = paper("Fletch §VI-A; the released program has one for each worker")});
  v.field("sequence_compare", c.sequence_compare,
          {.doc = "How the switch tells that such an answer is new; numbers have 8 bits.",
           .from = paper("Fletch prototype: a table of equal pairs; §VI-A: less than")});
}

}  // namespace

void describe(Visitor& v, CacheSettings& c) {
  v.count(
      "files", c.files,
      {.doc = "The hottest files that are in the cache, with their ancestors, when a run starts.",
       .from = paper("Fletch §IX-A: 5,000"),
       .max = 49'152});
  v.field(
      "share", c.share,
      {.doc = "Instead of `files`: the cache holds at most this share of the workload's distinct "
              "paths, ancestors counted, the hottest files first.",
       .min = 0.0,
       .max = 1.0,
       .example = "0.1"});
  v.count(
      "rows", c.rows,
      {.doc = "Rows of the value store, of 16 slots of 8 bytes; a file takes 5 slots of one row, "
              "a directory 3.",
       .from = paper("Fletch prototype: 10,000 of 10,384 are used"),
       .min = 1,
       .max = 10'384,
       .limit = LimitKind::metric});
  v.field(
      "layout", c.layout,
      {.doc = "Stages of tables and arrays: `paper` has the value arrays in eight egress stages, "
              "`prototype` is the released program's (nine).",
       .from = paper("Fletch §III-A and §VIII")});
  describe_keys(v, c);
  v.field(
      "threshold", c.threshold,
      {.doc = "Uncached reads of a path, as the Count-Min sketch counts them between two resets, "
              "that make it hot.",
       .from = paper("Fletch §IX-A: 10, and 20 for Fletch+"),
       .min = 1,
       .max = 65'535});
  describe_locks(v, c);
  describe_sequence(v, c);
}

void validate(const CacheSettings& c, sim::config::Issues& issues) {
  // An effective configuration gives both, with `files` as it is by default.
  if (c.share && (c.files != CacheSettings{}.files || issues.chosen("/files"))) {
    issues.add("/share", "the cache has either `files` or a `share`", "leave one of them out");
  }
  const auto& groups = c.lock_groups;
  const bool ascending =
      std::adjacent_find(groups.begin(), groups.end(), std::greater_equal<>()) == groups.end();
  if (groups.empty() || groups.size() > 8 || groups.front() != 1 || !ascending) {
    issues.add("/lock_groups", "is not a list of one to eight levels in order that begins with 1",
               "for example [1, 2, 3, 4, 5, 6, 7, 8]");
  }
}

std::span<const sim::config::EnumName> names_of(SweepPolicy /*policy*/) {
  static constexpr sim::config::EnumName names[] = {
      {"when_needed", SweepPolicy::when_needed, "where /faults has any"},
      {"off", SweepPolicy::off, "what lost messages leave behind stays"},
      {"on", SweepPolicy::on, "in any case"}};
  return names;
}

void describe(Visitor& v, SweepSettings& c) {
  v.field(
      "policy", c.policy,
      {.doc = "Whether the controller looks for lock counters and flags that lost messages left "
              "behind.",
       .from = paper("Fletch §VI-A")});
  v.field("interval", c.interval,
          {.doc = "From the end of one look to the beginning of the next.",
           .from = assumed("the paper says periodically", "10ms..10s"),
           .min = sim::microseconds(10),
           .max = sim::seconds(3600),
           .example = "500ms"});
  v.field("timeout", c.timeout,
          {.doc = "A raised counter that has not changed for this time is set to zero; a flag that "
                  "has been zero for it is repaired. Longer than any server's answer takes.",
           .from = assumed("the paper names none", "100ms..60s"),
           .min = sim::microseconds(10),
           .max = sim::seconds(3600),
           .example = "1s"});
}

namespace {

void describe_recovery(Visitor& v, ControllerSettings& c) {
  v.group("sweep", c.sweep, "The look for what lost messages left behind.");
  v.field("record_time", c.record_time,
          {.doc = "The controller's own work for one path of the active log that it sends to a "
                  "server that recovers.",
           .from = fitted("fletch.recovery.server: 0.1 ms a path (Fletch Fig. 16: 0.5 s for 5,000 "
                          "paths), less the round trip"),
           .max = sim::seconds(1),
           .example = "70us"});
  v.field(
      "log_read_time", c.log_read_time,
      {.doc = "Time to read one record of the controller's log.",
       .from = fitted("fletch.recovery.controller: 2 us a path (Fletch Fig. 16: 9.9 ms for 5,000 "
                      "paths)"),
       .max = sim::seconds(1),
       .example = "2us"});
  v.field(
      "persist", c.persist,
      {.doc = "`recirc run`, `recirc sweep` and Python's run() write the controller's log and "
              "its maps of tokens to SQLite files, one a replication (docs/experiments.md), and "
              "its recovery reads them there. Results are the same; elsewhere the log stays in "
              "memory."});
}

}  // namespace

void describe(Visitor& v, ControllerSettings& c) {
  v.field(
      "admission", c.admission,
      {.doc = "Whether hot paths are admitted while the run goes on. Evictions after a delete or "
              "a rename happen in any case.",
       .from = paper("Fletch §IX: off in the static runs")});
  v.field("reset_interval", c.reset_interval,
          {.doc = "The sketch and the hit counters are set to zero this often.",
           .from = paper("Fletch §IX-A: 2 s"),
           .min = sim::milliseconds(1),
           .max = sim::seconds(3600),
           .example = "2s"});
  v.field(
      "path_time", c.path_time,
      {.doc = "The controller's own work for one path that it admits, beside messages, fetch and "
              "the switch's control port.",
       .from =
           fitted("fletch.recovery.switch5k: 3 ms a path end to end (Fletch Fig. 16: 14.6 s for "
                  "5,000 paths), less the modelled parts"),
       .max = sim::seconds(1),
       .example = "1350us"});
  v.count("waiting_reports", c.waiting_reports,
          {.doc = "Hot paths that wait for admission; reports beyond are dropped and counted.",
           .from = assumed("the paper is silent", "100..100000"),
           .min = 1,
           .max = 1'000'000,
           .limit = LimitKind::metric});
  v.field("message_timeout", c.message_timeout,
          {.doc = "Where /faults has any, messages between controller and servers are sent again "
                  "when no receipt has come for this time.",
           .from = paper("Fletch prototype: 500 ms"),
           .min = sim::microseconds(10),
           .max = sim::seconds(100),
           .example = "500ms"});
  describe_recovery(v, c);
  v.field(
      "candidates", c.candidates,
      {.doc = "Paths whose hit counters are read to find victims, as a multiple of the paths to "
              "be admitted.",
       .from = paper("Fletch §IV-B: 2"),
       .min = 1.0,
       .max = 100.0});
  v.field(
      "grace", c.grace,
      {.doc = "From the removal of a path's lookup entry to the reuse of its row: longer than any "
              "packet stays in the switch; a full /switch/queue must take less.",
       .from = assumed("the longest walk takes about 20 us without queues", "100us..100ms"),
       .min = sim::microseconds(10),
       .max = sim::seconds(10),
       .example = "1ms"});
  v.count(
      "lock_reads", c.lock_reads,
      {.doc = "How often the controller looks at an evicted path's lock counter, one grace time "
              "apart, before it reuses the row although other paths keep the counter raised.",
       .from = assumed("counters are shared by paths with equal hash bits", "1..10000"),
       .min = 1,
       .max = 1'000'000,
       .limit = LimitKind::metric});
}

}  // namespace recirc::model::fletch
