#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/config.h"
#include "sim/rng.h"
#include "workloads/page_ops.h"
#include "workloads/trace/page_trace.h"
#include "workloads/transition.h"

namespace recirc::workloads {

// fxmark's data benchmarks as choices of a configuration: D for data, R or W, B(lock read),
// O(verwrite), A(ppend) or T(runcate), and how much is shared: Low, Medium, High.
struct Drbl {
  static constexpr std::string_view kind = "drbl";
  static constexpr std::string_view kind_doc = "Each worker reads page 0 of a file of its own.";
};
struct Drbm {
  static constexpr std::string_view kind = "drbm";
  static constexpr std::string_view kind_doc =
      "Each worker reads a page of its own, 8 MiB from the next worker's, of one file.";
};
struct Drbh {
  static constexpr std::string_view kind = "drbh";
  static constexpr std::string_view kind_doc = "All workers read one page.";
};
struct Dwol {
  static constexpr std::string_view kind = "dwol";
  static constexpr std::string_view kind_doc =
      "Each worker overwrites page 0 of a file of its own.";
};
struct Dwom {
  static constexpr std::string_view kind = "dwom";
  static constexpr std::string_view kind_doc =
      "Each worker overwrites a page of its own, 8 MiB from the next worker's, of one file.";
};
struct Dwoh {
  static constexpr std::string_view kind = "dwoh";
  static constexpr std::string_view kind_doc = "All workers overwrite one page.";
};
struct Dwal {
  static constexpr std::string_view kind = "dwal";
  static constexpr std::string_view kind_doc = "Each worker appends pages to a file of its own.";
};
struct Dwtl {
  static constexpr std::string_view kind = "dwtl";
  static constexpr std::string_view kind_doc =
      "Each worker cuts the last page off a file of its own.";
  std::uint32_t pages = 256;
};
struct Drwom {
  static constexpr std::string_view kind = "drwom";
  static constexpr std::string_view kind_doc =
      "Like dwom, but so large a share of the calls writes and the others read.";
  double write_ratio = 0.3;
};
/// MIND's own benchmark: random pages of one file.
struct SharedPages {
  static constexpr std::string_view kind = "shared_pages";
  static constexpr std::string_view kind_doc =
      "All workers read and write random pages of one file (MIND's benchmark).";
  std::uint32_t pages = 1024;
  double write_ratio = 0.25;
};
struct QueueBenchmark {
  static constexpr std::string_view kind = "queue";
  static constexpr std::string_view kind_doc =
      "Queues in files: a worker of the first half puts items in, one of the second takes them "
      "out (Callosal §6.4).";
  std::uint32_t slots = 64;
  std::uint32_t slot_bytes = 64;
  bool batch = true;
  bool reopen = true;
};
struct KeyValueBenchmark {
  static constexpr std::string_view kind = "key_value";
  static constexpr std::string_view kind_doc =
      "A store in one file: workers write keys of their own and read those of all (Callosal §6.5).";
  std::uint64_t keys = 10'000;
  std::uint32_t value_bytes = 1024;
  double write_ratio = 0.01;
  double zipf = 0;
};
/// How long a page takes from one state to another.
struct TransitionBenchmark {
  static constexpr std::string_view kind = "transition";
  static constexpr std::string_view kind_doc =
      "The last node reads or writes pages that others have in a given state, one at a time "
      "(MIND's test of latencies).";
  Before from = Before::invalid;
  Asked to = Asked::read;
  std::uint32_t sharers = 1;
  std::uint32_t pages = 200;
};
/// A user's own calls.
struct TraceBenchmark {
  static constexpr std::string_view kind = "trace";
  static constexpr std::string_view kind_doc =
      "Calls of a file: time,node,thread,op,file,offset,length as CSV, or others' logs "
      "(docs/traces.md).";
  std::string file;
  trace::PageTraceFormat format = trace::PageTraceFormat::csv;
  bool recorded_times = true;
};
using PageBenchmark =
    std::variant<Drbl, Drbm, Drbh, Dwol, Dwom, Dwoh, Dwal, Dwtl, Drwom, SharedPages, QueueBenchmark,
                 KeyValueBenchmark, TransitionBenchmark, TraceBenchmark>;

/// `/workload` of the systems that cache pages.
struct PageWorkload {
  static constexpr std::uint64_t default_operations = 1'000'000;

  PageBenchmark benchmark;
  std::optional<std::uint64_t> operations;
  std::uint64_t warm_up = 0;
  std::optional<sim::Duration> duration;
  sim::Duration time_limit = sim::seconds(1);
};

void describe(sim::config::Visitor& v, Drbl& c);
void describe(sim::config::Visitor& v, Drbm& c);
void describe(sim::config::Visitor& v, Drbh& c);
void describe(sim::config::Visitor& v, Dwol& c);
void describe(sim::config::Visitor& v, Dwom& c);
void describe(sim::config::Visitor& v, Dwoh& c);
void describe(sim::config::Visitor& v, Dwal& c);
void describe(sim::config::Visitor& v, Dwtl& c);
void describe(sim::config::Visitor& v, Drwom& c);
void describe(sim::config::Visitor& v, SharedPages& c);
void describe(sim::config::Visitor& v, QueueBenchmark& c);
void describe(sim::config::Visitor& v, KeyValueBenchmark& c);
void describe(sim::config::Visitor& v, TransitionBenchmark& c);
void describe(sim::config::Visitor& v, TraceBenchmark& c);
void describe(sim::config::Visitor& v, PageWorkload& c);

/// Calls that count, after which a run ends. `trace`: null without one.
std::uint64_t operations_of(const PageWorkload& workload, const trace::PageTrace* trace);

/// The application that runs on the crew's threads.
std::unique_ptr<PageApp> make_page_app(const PageWorkload& workload, const PageCrew& crew,
                                       const sim::RngFactory& rng,
                                       std::shared_ptr<const trace::PageTrace> trace);

}  // namespace recirc::workloads
