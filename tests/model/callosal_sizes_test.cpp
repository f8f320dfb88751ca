#include <map>
#include <set>
#include <vector>

#include "callosal_under_test.h"
#include "catch.h"

using namespace recirc;
using namespace recirc::model;
using workloads::FileId;
using workloads::PageOp;
using workloads::PageOpKind;

namespace {

constexpr sim::Duration late = sim::milliseconds(500);

PageOp page_op(PageOpKind kind, std::uint32_t page, std::uint32_t pages = 1,
               std::uint64_t word = 0) {
  PageOp op;
  op.kind = kind;
  op.first = {FileId{0}, page};
  op.pages = pages;
  op.word = word;
  return op;
}

PageOp at(sim::Duration time, PageOp op) {
  op.earliest = sim::Time{time};
  return op;
}

/// The worker's next calls, late, read so many pages one by one.
void read_all(ScriptedApp& app, std::uint32_t worker, std::uint32_t pages) {
  for (std::uint32_t page = 0; page < pages; ++page) {
    app.add(worker, at(late, page_op(PageOpKind::read, page)));
  }
  app.add(worker, page_op(PageOpKind::fsync, 0));
}

/// The last `pages` words that the worker has read.
std::vector<std::uint64_t> file_of(const ScriptedApp& app, std::uint32_t worker,
                                   std::uint32_t pages) {
  const auto& words = app.words(worker);
  return {words.end() - pages, words.end()};
}

struct Draw {
  sim::CounterRng rng;
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(rng.next() % n); }
};

CallosalSetup small_setup(Draw& draw) {
  CallosalSetup setup;
  setup.callosal.region_pages = 1U << draw.below(4);
  setup.callosal.cache_pages = draw.below(2) == 0 ? 0 : 4 + draw.below(8);
  setup.callosal.blades = 1U << draw.below(2);
  return setup;
}

}  // namespace

TEST_CASE("Appends of all nodes are dense and disjoint, and none lies inside another") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Draw draw{sim::CounterRng{7}.at(seed)};
    const pages::NodesSettings nodes{1 + draw.below(seed % 10 == 0 ? 16 : 4), 1 + draw.below(3)};
    ScriptedApp app({{draw.below(3), true}}, nodes.nodes * nodes.threads);
    const std::uint32_t at_first = app.files()[0].pages;
    std::uint32_t pages = at_first;
    std::map<std::uint64_t, std::uint32_t> length;
    for (std::uint32_t worker = 0; worker < nodes.nodes * nodes.threads; ++worker) {
      for (std::uint32_t i = draw.below(8); i > 0; --i) {
        const std::uint64_t word = length.size() + 1;
        length[word] = 1 + draw.below(4);
        pages += length[word];
        app.add(worker, at(sim::microseconds(draw.below(60)),
                           page_op(PageOpKind::append, 0, length[word], word)));
      }
    }
    read_all(app, 0, pages + 1);
    const ScriptedCallosal run(app, nodes, small_setup(draw));
    CHECK(run.figure("stale_reads") == 0);
    if (!length.empty()) CHECK(run.figure("appends/overlaps") == 0);
    if (!length.empty()) CHECK(run.figure("appends/gaps") == 0);
    const auto words = file_of(app, 0, pages + 1);
    CHECK(words.back() == 0);
    std::set<std::uint64_t> seen;
    for (std::uint32_t page = at_first; page < pages; page += length[words[page]]) {
      REQUIRE(length.count(words[page]) == 1);
      REQUIRE(seen.insert(words[page]).second);
      for (std::uint32_t i = 0; i < length[words[page]]; ++i) {
        REQUIRE(words[page + i] == words[page]);
      }
    }
    CHECK(seen.size() == length.size());
  }
}

TEST_CASE("Writes of several pages on two nodes may lie between one another, page by page") {
  int mixed = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Draw draw{sim::CounterRng{9}.at(seed)};
    ScriptedApp app({{2, true}}, 5);
    for (std::uint32_t worker = 0; worker < 5; ++worker) {
      for (std::uint32_t i = 0; i < 3; ++i) {
        const auto time = sim::nanoseconds(draw.below(60'000));
        // Readers of the second page have writers refused there, and others overtake them.
        app.add(worker, at(time, worker < 3 ? page_op(PageOpKind::write, 0, 2, worker * 10 + i)
                                            : page_op(PageOpKind::read, 1)));
      }
    }
    read_all(app, 0, 2);
    CallosalSetup setup;
    setup.callosal.region_pages = 1;
    const ScriptedCallosal run(app, {5, 1}, setup);
    CHECK(run.figure("stale_reads") == 0);
    const auto words = file_of(app, 0, 2);
    if (words[0] != words[1]) ++mixed;
  }
  CHECK(mixed > 0);
  CHECK(mixed < 40);
}

TEST_CASE("Holes and what was cut off read as zeroes, and beyond the end there is nothing") {
  ScriptedApp app({{2, true}}, 2);
  app.add(0, page_op(PageOpKind::write, 0, 2, 1));
  app.add(0, page_op(PageOpKind::write, 4, 1, 2));  // a hole of two pages
  app.add(0, page_op(PageOpKind::truncate, 1));
  app.add(0, page_op(PageOpKind::truncate, 5));
  app.add(0, page_op(PageOpKind::write, 3, 1, 3));
  app.add(0, page_op(PageOpKind::append, 0, 1, 4));
  app.add(0, page_op(PageOpKind::fsync, 0));
  app.add(0, page_op(PageOpKind::reopen, 0));
  read_all(app, 1, 7);
  const ScriptedCallosal run(app, {2, 1}, {});
  CHECK(file_of(app, 1, 7) == std::vector<std::uint64_t>{1, 0, 0, 3, 0, 4, 0});
  CHECK(run.figure("stale_reads") == 0);
}

TEST_CASE("Writes below the end ask for no inode, and one append takes it from all nodes") {
  PageConfig config = callosal_config("\"dwom\"", 2'000);
  CHECK(figure(run_callosal(config), "directory/writes_asked") == 8);
  CHECK(figure(run_callosal(config), "directory/invalidations") == 0);

  ScriptedApp app({{1, true}}, 4);
  app.add(2, page_op(PageOpKind::append, 0));
  app.add(2, page_op(PageOpKind::append, 0));
  const ScriptedCallosal run(app, {4, 1}, {});
  CHECK(run.figure("directory/writes_asked") == 3);
  CHECK(run.figure("directory/invalidations") == 3);
}

TEST_CASE("Private files that grow or shrink are their nodes' own") {
  for (const char* benchmark : {"\"dwal\"", "\"dwtl\""}) {
    const auto result = run_callosal(callosal_config(benchmark, 4'000));
    CHECK(figure(result, "ops_completed") == 4'000);
    CHECK(figure(result, "directory/refusals") == 0);
    CHECK(figure(result, "directory/invalidations") == 8 * 3);  // of inodes that all had at first
  }
}

TEST_CASE("Whatever threads call, every call of Callosal returns and no read misses a change") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Draw draw{sim::CounterRng{8}.at(seed)};
    const pages::NodesSettings nodes{1 + draw.below(4), 1 + draw.below(3)};
    ScriptedApp app({{draw.below(6), true}, {draw.below(6), true}}, nodes.nodes * nodes.threads);
    double calls = 0;
    for (std::uint32_t worker = 0; worker < nodes.nodes * nodes.threads; ++worker) {
      for (std::uint32_t i = draw.below(40); i > 0; --i) {
        PageOp op = page_op(static_cast<PageOpKind>(draw.below(2) == 0 ? 0 : draw.below(6)),
                            draw.below(8), 1 + draw.below(3), 1 + draw.below(1000));
        op.first.file = FileId{draw.below(2)};
        if (draw.below(2) == 0) op.earliest = sim::Time{sim::microseconds(draw.below(800))};
        app.add(worker, op);
        ++calls;
      }
    }
    app.add(0, at(late, page_op(PageOpKind::truncate, 0)));
    app.add(0, page_op(PageOpKind::truncate, 12));
    read_all(app, 0, 12);
    const ScriptedCallosal run(app, nodes, small_setup(draw));
    CHECK(run.figure("ops_completed") == calls + 15);
    CHECK(run.figure("swmr/violations") == 0);
    CHECK(run.figure("stale_reads") == 0);
    CHECK(file_of(app, 0, 12) == std::vector<std::uint64_t>(12, 0));
  }
}

TEST_CASE("A time of change that is exact has nodes take the inode from one another") {
  const auto throughput = [](const char* benchmark, std::optional<sim::Duration> mtime) {
    PageConfig config = callosal_config(benchmark, 4'000);
    config.callosal.mtime = mtime;
    const auto result = run_callosal(config);
    CHECK(figure(result, "stale_reads") == 0);
    return figure(result, "throughput_ops_per_s");
  };
  const double without = throughput("\"dwom\"", std::nullopt);
  CHECK(throughput("\"dwom\"", sim::Duration{}) < without / 10);
  CHECK(throughput("\"dwom\"", sim::milliseconds(4)) == without);  // the run is over before a tick
  CHECK(throughput("\"dwom\"", sim::microseconds(100)) < without);
  // Of private files they have to take it once, from those who had it at first.
  CHECK(throughput("\"dwol\"", sim::Duration{}) ==
        Approx(throughput("\"dwol\"", {})).epsilon(0.15));
}
