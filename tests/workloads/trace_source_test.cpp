#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "catch.h"
#include "sim/error.h"
#include "trace_files.h"
#include "workloads/trace_source.h"

using namespace recirc;
using namespace recirc::workloads;
using namespace recirc::workloads::trace;
using namespace recirc::workloads::trace::testing;

namespace {

std::shared_ptr<const Trace> load_text(std::string_view text) {
  const TraceFile file{text};
  return load(file.path());
}

}  // namespace

TEST_CASE("Reads follow what their path is, as the whole trace tells") {
  const auto trace = load_text(audit(0, "getfileinfo", "/d") + audit(1, "getfileinfo", "/d/f") +
                               audit(2, "listStatus", "/d/f") + audit(3, "listStatus", "/d") +
                               audit(4, "open", "/d/f") + audit(5, "delete", "/d"));
  const TraceSource source{trace};
  REQUIRE(source.size() == 6);
  CHECK(source.at(0).kind == OpKind::statdir);
  CHECK(source.at(1).kind == OpKind::stat);
  CHECK(source.at(2).kind == OpKind::stat);
  CHECK(source.at(3).kind == OpKind::readdir);
  CHECK(source.at(4).kind == OpKind::open);
  CHECK(source.at(5).kind == OpKind::remove);
  CHECK(source.tree().path(source.at(1).path) == "/d/f");
  CHECK(source.phases().size() == 1);
  CHECK(source.phases()[0].count == 6);
}

TEST_CASE("Denied requests and destinations are kept") {
  const auto trace = load_text(audit(0, "open", "/secret", "null", false) +
                               audit(1, "rename", "/a", "/b") + audit(2, "create", "/c"));
  const TraceSource source{trace};
  CHECK(!source.at(0).allowed);
  CHECK(source.at(0).destination.is_none());
  CHECK(source.at(1).allowed);
  CHECK(source.tree().path(source.at(1).destination) == "/b");
  CHECK(source.tree().exists_at_start(source.at(0).path));
  CHECK(source.tree().exists_at_start(source.at(1).path));
  CHECK(!source.tree().exists_at_start(source.at(1).destination));
  CHECK(!source.tree().exists_at_start(source.at(2).path));
  CHECK(trace->summary.denied == 1);
}

TEST_CASE("A trace is repeated to a length, its time going on by one mean gap a pass") {
  const auto trace =
      load_text(audit(0, "open", "/a") + audit(1, "open", "/b") + audit(4, "open", "/a"));
  const TraceSource source{trace, 8};
  CHECK(source.size() == 8);
  CHECK(source.at(7).index == 7);
  CHECK(source.at(7).path == source.at(1).path);
  const auto seconds = [](const TraceSource& s, std::uint64_t i) {
    return s.recorded_time(i)->count() / 1'000'000'000'000;
  };
  CHECK(seconds(source, 0) == 0);
  CHECK(seconds(source, 2) == 4);
  CHECK(seconds(source, 3) == 6);
  CHECK(seconds(source, 7) == 13);
  const TraceSource fast{trace, 8, 10};
  CHECK(fast.recorded_time(2) == sim::milliseconds(400));
  const TraceSource slow{trace, 8, 0.5};
  CHECK(slow.recorded_time(2) == sim::seconds(8));
  const TraceSource short_run{trace, 2};
  CHECK(short_run.size() == 2);
}

TEST_CASE("Recorded times beyond simulated time are an error only where they are used") {
  const auto trace = load_text("0,open,/a\n8000000,open,/a\n");
  const TraceSource one{trace};
  CHECK_NOTHROW(one.require_recorded_times());
  const TraceSource repeated{trace, 1000};
  CHECK_THROWS_AS(repeated.require_recorded_times(), sim::InputOutputError);
  CHECK(repeated.recorded_time(999) == sim::Duration::max());
  CHECK_NOTHROW(TraceSource(trace, 1000, 1000.0).require_recorded_times());
}

TEST_CASE("The hottest files come first, ties in order of appearance") {
  std::string text = audit(0, "open", "/d/cold") + audit(0, "create", "/d/new");
  for (int i = 1; i < 4; ++i) text += audit(i, "open", "/d/hot") + audit(i, "listStatus", "/d");
  for (int i = 4; i < 9; ++i) text += audit(i, "open", "/d/new");
  text += audit(9, "open", "/d/late");
  const TraceSource source{load_text(text)};
  const auto hottest = source.hottest(10);
  REQUIRE(hottest.size() == 3);  // no directory, and nothing that is not there at the start
  CHECK(source.tree().path(hottest[0]) == "/d/hot");
  CHECK(source.tree().path(hottest[1]) == "/d/cold");
  CHECK(source.tree().path(hottest[2]) == "/d/late");
  CHECK(source.hottest(1).size() == 1);
  CHECK(source.hottest(0).empty());
}

TEST_CASE("An empty trace cannot be replayed, nor a trace at an impossible speed") {
  CHECK_THROWS_AS(TraceSource(load_text("")), sim::InputOutputError);
  const auto trace = load_text(audit(0, "open", "/a"));
  for (const double speed : {0.0, -1.0, 1e9}) {
    CHECK_THROWS_AS(TraceSource(trace, 0, speed), sim::ConfigError);
  }
  CHECK(TraceSource(trace, 3).recorded_time(2) == sim::milliseconds(2));
}

TEST_CASE("The shipped log reads as documented, plain and packed") {
  const std::filesystem::path file =
      std::filesystem::path{RECIRC_ROOT} / "configs/traces/hdfs_audit_synthetic.log";
  const auto trace = load(file);
  const TraceSummary& summary = trace->summary;
  CHECK(summary.format == Format::hdfs_audit);
  CHECK(summary.lines == 3032);
  const auto count = [&](Problem kind) { return summary.problems.of(kind).count; };
  // A request with an odd time is used all the same; one line is empty.
  const std::uint64_t used = count(Problem::bad_time) + count(Problem::out_of_order);
  CHECK(summary.operations + summary.problems.errors() - used + count(Problem::ignored_command) ==
        summary.lines - 1);
  CHECK(summary.denied > 20);
  for (std::size_t i = 0; i < problem_count; ++i) {
    const auto kind = static_cast<Problem>(i);
    INFO(name(kind));
    const bool possible = kind != Problem::long_line && kind != Problem::damaged_file;
    CHECK((count(kind) > 0) == possible);
  }
  CHECK_THROWS_AS(load(file, Format::automatic, true), sim::InputOutputError);

  std::ifstream in{file, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
  const TraceFile packed{gzip(bytes)};
  TraceSummary again = summarise(packed.path());
  again.file = summary.file;
  CHECK(text(again) == text(summary));

  // A second pass meets what the first left; an operation's path is always one of the tree.
  const TraceSource source{trace, 200'000};
  CHECK(source.hottest(100).size() == 100);
  CHECK(source.at(199'999).path.value() < source.tree().size());
}
