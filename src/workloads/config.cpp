#include "workloads/config.h"

namespace recirc::workloads {

using sim::config::assumed;
using sim::config::Issues;
using sim::config::LimitKind;
using sim::config::paper;
using sim::config::Visitor;

namespace {

/// Runs beyond this cannot be expressed in picoseconds (106 days), with room for their answers.
constexpr double longest_run_s = 100.0 * 86'400;

constexpr const char* prototype_tree =
    "Fletch prototype: branching 4, directory levels 0 to 8, 366 files each";

}  // namespace

void describe(Visitor& v, ClosedArrival& c) {
  v.field("think_time", c.think_time,
          {.doc = "Time from an answer to the client's next request.",
           .from = paper("Fletch §IX-A: saturating clients"),
           .max = sim::seconds(86'400),
           .example = "10us"});
}

void describe(Visitor& v, PacedArrival& c) {
  v.field("delay", c.delay,
          {.doc = "Least time from a client's request to its next one.",
           .from = paper("Fletch Exp#4: 18,425 to 1,842 us"),
           .max = sim::seconds(86'400),
           .example = "1842us"});
}

void describe(Visitor& v, OpenArrival& c) {
  v.field("process", c.process,
          {.doc = "Law of the gaps between requests.",
           .from = assumed("many independent users", "poisson or periodic")});
  v.field("rate", c.rate,
          {.doc = "Requests per second, all clients together.", .min = 1.0, .max = 1e12});
  v.count("max_in_flight", c.max_in_flight,
          {.doc = "A request that would be in flight beside this many others is not sent but "
                  "counted.",
           .min = 1,
           .max = 10'000'000,
           .limit = LimitKind::metric});
}

void describe(Visitor& v, RecordedArrival& c) {
  v.field("speed", c.speed,
          {.doc = "How many times faster than recorded the trace is replayed.",
           .min = 1e-6,
           .max = 1e6});
  v.count("max_in_flight", c.max_in_flight,
          {.doc = "A request that would be in flight beside this many others is not sent but "
                  "counted.",
           .min = 1,
           .max = 10'000'000,
           .limit = LimitKind::metric});
}

void describe(Visitor& /*v*/, StaticPopularity& /*c*/) {}

void describe(Visitor& v, CachedPathsPopularity& c) {
  v.field("depth", c.depth,
          {.doc = "Depth of the paths, files and directories, the root's being 0.",
           .from = paper("Fletch §IX-B: the recirculation count rounded up, less 2"),
           .min = 1,
           .max = max_depth});
  v.count("files", c.files,
          {.doc = "Of how many of the hottest files, with their ancestors, the paths are taken. "
                  "Reads miss where /cache/files is less.",
           .from = paper("Fletch §IX-A: the 5,000 hottest are cached"),
           .min = 1,
           .max = 10'000'000});
}

void describe(Visitor& v, HotInPopularity& c) {
  v.field("period", c.period,
          {.doc = "Simulated time from one change to the next; the first is one period in.",
           .from = paper("Fletch prototype: every 10 to 20 s"),
           .min = sim::milliseconds(1),
           .max = sim::seconds(86'400),
           .example = "10s"});
  v.count("count", c.count,
          {.doc = "The coldest files that become the hottest at a change.",
           .from = paper("Fletch prototype: 100 to 200 files"),
           .min = 1,
           .max = 4'000'000'000,
           .example = "200"});
}

void describe(Visitor& v, TreeSettings& c) {
  v.field("branching", c.branching,
          {.doc = "Subdirectories of each directory above the last level.",
           .from = paper(prototype_tree),
           .min = 1,
           .max = 1 << 20});
  v.field(
      "levels", c.levels,
      {.doc = "Deepest level of directories, the root being level 0; files lie up to one deeper.",
       .from = paper(prototype_tree),
       .max = max_depth - 1});
  v.field("longest_path", c.longest_path,
          {.doc = "Length in bytes of the deepest files' paths; names are padded to reach it.",
           .from = paper("Fletch prototype's path names"),
           .min = 3,
           .max = 4096});
}

void describe(Visitor& v, TraceSettings& c) {
  v.field(
      "file", c.file,
      {.doc = "The log, plain or gzip. A relative path is looked for beside the file that names it "
              "and in the folders above, then where the program is run and above.",
       .min_size = 1,
       .max_size = 4096,
       .required = true});
  v.field("format", c.format, {.doc = "What the log's lines look like."});
  v.field("strict", c.strict,
          {.doc = "Unknown commands, broken lines and times out of order are errors."});
}

void describe(Visitor& v, WorkloadConfig& c) {
  v.field("mix", c.mix,
          {.doc = "Shares of the operations; rename, delete and rmdir come at the end.",
           .from = paper("Fletch §IX-A")});
  v.count("requests", c.requests,
          {.doc = "Requests of a run. Without it: 3,000,000 of a mix (the paper runs 32 million), "
                  "one pass of a trace.",
           .min = 1,
           .max = std::uint64_t{1} << 40,
           .example = "32M"});
  v.field("duration", c.duration,
          {.doc = "Clients send nothing after this simulated time. Without /workload/requests the "
                  "run then has no other end, and the operations that come last never come.",
           .min = sim::microseconds(1),
           .max = sim::seconds(90 * 86'400),
           .example = "60s"});
  v.count("files", c.files,
          {.doc = "Files of the tree; depths do not depend on it.",
           .from = paper("Fletch prototype: 32 million asked for, 366 in each of 87,381 made"),
           .min = 1,
           .max = 4'000'000'000,
           .example = "31981446"});
  v.field("directory_writes", c.directory_writes,
          {.doc = "Share of a mix's chmods, chowns and renames that act on the file's directory "
                  "instead, with all that is below it.",
           .from = assumed("the paper renames files only and does not tell of chmods", "0..0.1"),
           .min = 0.0,
           .max = 1.0});
  v.field("zipf", c.zipf,
          {.doc = "Exponent of the files' popularity; 0 is uniform.",
           .from = paper("Fletch §IX-A"),
           .min = 0.0,
           .max = 100.0});
  v.field("popularity", c.popularity,
          {.doc = "Whether it changes during the run.", .from = paper("Fletch Exp#8")});
  v.field("placement", c.placement,
          {.doc = "Which files are the popular ones.", .from = paper("Fletch Exp#5")});
  v.field("placement_seed", c.placement_seed,
          {.doc = "Seed of the shuffled placement; apart from the run's seed.",
           .from = assumed("the prototype's shuffle is not reproduced", "any")});
  v.field("layout", c.layout,
          {.doc = "Which files are popular and which server owns them, over the replications.",
           .from = assumed("throughput claims use per_replication", "fixed or per_replication")});
  v.group("tree", c.tree, "The directories.");
  v.field("trace", c.trace, {.doc = "A recorded log to replay instead of a mix."});
  v.field("arrival", c.arrival,
          {.doc = "When requests are sent.", .from = paper("Fletch §IX-A: closed loop")});
}

namespace {

/// A trace brings its own paths and operations. Fields at their defaults are fine in an effective
/// configuration only, which lists them all and must be readable.
void validate_trace(const WorkloadConfig& c, Issues& issues) {
  const WorkloadConfig defaults;
  const auto meaningless = [&](bool changed, const char* field) {
    if (!changed && !issues.chosen(field)) return;
    issues.add(field, "has no meaning beside /workload/trace", "leave out one of the two");
  };
  meaningless(c.mix.index() != defaults.mix.index(), "/mix");
  meaningless(c.files != defaults.files, "/files");
  meaningless(c.zipf != defaults.zipf, "/zipf");
  meaningless(c.popularity.index() != defaults.popularity.index(), "/popularity");
  meaningless(c.placement != defaults.placement, "/placement");
  meaningless(c.placement_seed != defaults.placement_seed, "/placement_seed");
  meaningless(c.tree != defaults.tree, "/tree");
}

}  // namespace

void validate(const WorkloadConfig& c, Issues& issues) {
  if (c.trace) {
    validate_trace(c, issues);
  } else {
    for (const sim::Issue& issue : problems_of(c.shape())) {
      issues.add(issue.pointer, issue.message, issue.suggestion);
    }
    const auto* hot_in = std::get_if<HotInPopularity>(&c.popularity);
    if (hot_in != nullptr && hot_in->count > c.files) {
      issues.add("/popularity/count", "is more than the files there are");
    }
    if (std::holds_alternative<RecordedArrival>(c.arrival)) {
      issues.add("/arrival", "recorded times need a trace", "give /workload/trace/file");
    }
  }
  if (c.layout == Layout::per_replication && c.placement_seed != WorkloadConfig{}.placement_seed) {
    issues.add("/placement_seed", "is not used: /workload/layout is per_replication",
               "leave out one of the two");
  }
  if (const auto* open = std::get_if<OpenArrival>(&c.arrival)) {
    const auto requests =
        static_cast<double>(c.requests.value_or(WorkloadConfig::default_requests));
    if (!c.duration && requests / open->rate > longest_run_s) {
      issues.add("/arrival/rate", "at this rate the requests take more than 100 days");
    }
  }
}

}  // namespace recirc::workloads
