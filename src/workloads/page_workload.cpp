#include "workloads/page_workload.h"

#include <utility>

#include "workloads/fxmark.h"
#include "workloads/key_value.h"
#include "workloads/page_queue.h"
#include "workloads/page_replay.h"
#include "workloads/random_pages.h"
#include "workloads/truncation.h"

namespace recirc::workloads {

using sim::config::assumed;
using sim::config::paper;
using sim::config::Visitor;

void describe(Visitor& /*v*/, Drbl& /*c*/) {}
void describe(Visitor& /*v*/, Drbm& /*c*/) {}
void describe(Visitor& /*v*/, Drbh& /*c*/) {}
void describe(Visitor& /*v*/, Dwol& /*c*/) {}
void describe(Visitor& /*v*/, Dwom& /*c*/) {}
void describe(Visitor& /*v*/, Dwoh& /*c*/) {}
void describe(Visitor& /*v*/, Dwal& /*c*/) {}

void describe(Visitor& v, Dwtl& c) {
  v.field(
      "pages", c.pages,
      {.doc = "Pages of a file; when all are gone, a call that does not count gives it its size "
              "back.",
       .from = assumed("fxmark begins with files that last for a run", "1..1000000"),
       .min = 1,
       .max = 1'000'000});
}

void describe(Visitor& v, Drwom& c) {
  v.field("write_ratio", c.write_ratio,
          {.doc = "Share of the calls that write.",
           .from = paper("Callosal Fig. 10: 5 to 30 %"),
           .min = 0.0,
           .max = 1.0});
}

void describe(Visitor& v, SharedPages& c) {
  v.count("pages", c.pages,
          {.doc = "Pages of the file.",
           .from = sim::config::derived("MIND's test program: 204,800 at most"),
           .min = 1,
           .max = 10'000'000});
  v.field("write_ratio", c.write_ratio,
          {.doc = "Share of the calls that write.",
           .from = sim::config::derived("MIND's test program: 0 to 100 %"),
           .min = 0.0,
           .max = 1.0});
}

void describe(Visitor& v, QueueBenchmark& c) {
  v.count("slots", c.slots,
          {.doc = "Items that a queue holds.",
           .from = assumed("the paper varies the buffer's size", "1..4096"),
           .min = 1,
           .max = 1'000'000});
  v.count("slot_bytes", c.slot_bytes,
          {.doc = "Bytes of an item. Several lie in a page, or one begins with a page.",
           .from = assumed("the paper does not say: a cache line", "8..65536"),
           .min = 1,
           .max = 1U << 20U});
  v.field(
      "batch", c.batch,
      {.doc = "A side fills all slots that it knows to be free, or takes all items that it knows "
              "of, before it says so; else it says so after each item."});
  v.field("reopen", c.reopen,
          {.doc = "On systems that need it to show what other nodes have written (nfs), whoever "
                  "finds a queue full or empty opens the file anew before looking again."});
}

void describe(Visitor& v, KeyValueBenchmark& c) {
  v.count("keys", c.keys,
          {.doc = "Keys of the store.",
           .from = assumed("the paper does not say", "1000..1000000"),
           .min = 1,
           .max = 1'000'000'000});
  v.count("value_bytes", c.value_bytes,
          {.doc = "Bytes of a value, which lies within a page.",
           .from = assumed("the paper does not say", "64..4096"),
           .min = 1,
           .max = 4096});
  v.field("write_ratio", c.write_ratio,
          {.doc = "Share of the calls that write.",
           .from = paper("Callosal §6.5: 1 %"),
           .min = 0.0,
           .max = 1.0});
  v.field("zipf", c.zipf,
          {.doc = "Exponent of the keys' popularity; 0: all alike.",
           .from = paper("Callosal §6.5: uniform"),
           .min = 0.0,
           .max = 10.0});
}

void describe(Visitor& v, TransitionBenchmark& c) {
  v.field("from", c.from, {.doc = "How the pages are before."});
  v.field("to", c.to, {.doc = "What the last node does with them."});
  v.field("sharers", c.sharers,
          {.doc = "Nodes that have read a page before, with from: shared. Fewer than there are.",
           .min = 1,
           .max = 15});
  v.count("pages", c.pages,
          {.doc = "Pages that are asked for, one every 10 ms, 2 MiB apart.",
           .from = sim::config::derived("MIND's test program: up to 1,024"),
           .min = 1,
           .max = 10'000});
}

void describe(Visitor& v, TraceBenchmark& c) {
  v.field("file", c.file, {.doc = "The trace, plain or gzip.", .required = true});
  v.field("format", c.format, {.doc = "What the trace is written in."});
  v.field(
      "recorded_times", c.recorded_times,
      {.doc = "No call is made before its recorded time; else each as soon as the one before it "
              "of its thread has returned."});
}

void describe(Visitor& v, PageWorkload& c) {
  v.field("benchmark", c.benchmark, {.doc = "What the workers do.", .required = true});
  v.count(
      "operations", c.operations,
      {.doc = "Calls of all workers together, after which the run ends. Without it: 1,000,000, all "
              "of a trace.",
       .min = 1,
       .max = 100'000'000'000});
  v.count("warm_up", c.warm_up,
          {.doc = "So many calls come first and do not count: caches fill. Reads among them are "
                  "checked like others.",
           .max = 100'000'000'000});
  v.field("duration", c.duration,
          {.doc = "The run ends at this time instead; calls under way are still completed.",
           .min = sim::microseconds(1),
           .max = sim::seconds(86'400),
           .example = "1s"});
  v.field("time_limit", c.time_limit,
          {.doc = "The run ends when no operation that counts has returned for this long, and says "
                  "so (no_progress): who looks at a page that stays stale would look for ever.",
           .from = assumed("far longer than any operation takes", "100ms..100s"),
           .min = sim::microseconds(1),
           .max = sim::seconds(86'400),
           .example = "1s",
           .limit = sim::config::LimitKind::metric});
}

std::uint64_t operations_of(const PageWorkload& workload, const trace::PageTrace* trace) {
  if (workload.operations) return *workload.operations;
  return trace != nullptr ? trace->calls.size() : PageWorkload::default_operations;
}

std::unique_ptr<PageApp> make_page_app(const PageWorkload& workload, const PageCrew& crew,
                                       const sim::RngFactory& rng,
                                       std::shared_ptr<const trace::PageTrace> trace) {
  struct Maker {
    const PageCrew& crew;
    sim::CounterRng rng;
    std::shared_ptr<const trace::PageTrace> trace;
    using App = std::unique_ptr<PageApp>;
    [[nodiscard]] App make(Sharing sharing, PageOpKind kind, double writes) const {
      return std::make_unique<Fxmark>(FxmarkLoop{sharing, kind, writes}, crew.workers(), rng);
    }
    App operator()(const Drbl&) const { return make(Sharing::low, PageOpKind::read, 0); }
    App operator()(const Drbm&) const { return make(Sharing::medium, PageOpKind::read, 0); }
    App operator()(const Drbh&) const { return make(Sharing::high, PageOpKind::read, 0); }
    App operator()(const Dwol&) const { return make(Sharing::low, PageOpKind::write, 1); }
    App operator()(const Dwom&) const { return make(Sharing::medium, PageOpKind::write, 1); }
    App operator()(const Dwoh&) const { return make(Sharing::high, PageOpKind::write, 1); }
    App operator()(const Dwal&) const { return make(Sharing::low, PageOpKind::append, 1); }
    App operator()(const Dwtl& c) const {
      return std::make_unique<Truncation>(c.pages, crew.workers());
    }
    App operator()(const Drwom& c) const {
      return make(Sharing::medium, PageOpKind::write, c.write_ratio);
    }
    App operator()(const SharedPages& c) const {
      return std::make_unique<RandomPages>(c.pages, c.write_ratio, crew.workers(), rng);
    }
    App operator()(const QueueBenchmark& c) const {
      PageCrew own = crew;
      own.must_reopen = crew.must_reopen && c.reopen;
      return std::make_unique<PageQueue>(QueueShape{c.slots, c.slot_bytes, c.batch}, own);
    }
    App operator()(const KeyValueBenchmark& c) const {
      return std::make_unique<KeyValue>(KeyValueShape{c.keys, c.value_bytes, c.write_ratio, c.zipf},
                                        crew.workers(), rng);
    }
    App operator()(const TransitionBenchmark& c) const {
      return std::make_unique<Transition>(TransitionShape{c.from, c.to, c.sharers, c.pages}, crew);
    }
    App operator()(const TraceBenchmark& c) const {
      return std::make_unique<PageReplay>(trace, c.recorded_times, crew);
    }
  };
  return std::visit(Maker{crew, rng.stream("pages"), std::move(trace)}, workload.benchmark);
}

}  // namespace recirc::workloads
