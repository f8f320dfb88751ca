#include "model/cephfs/cephfs.h"

#include <algorithm>

#include "catch.h"
#include "page_system_under_test.h"

using namespace recirc;
using model::call;
using model::ScriptedApp;
using workloads::FileId;
using workloads::PageFile;
using workloads::PageOp;
using Op = workloads::PageOpKind;
using Settings = model::cephfs::CephfsSettings;
using Run = model::ScriptedRun<model::cephfs::Cephfs, Settings>;
using Words = std::vector<std::uint64_t>;
using sim::milliseconds;

TEST_CASE("A client that is alone with a file of CephFS reads a page once, and buffers writes") {
  ScriptedApp app({PageFile{4, true}}, 1);
  for (int i = 0; i < 10; ++i) app.add(0, call(Op::read));
  for (int i = 0; i < 10; ++i) app.add(0, call(Op::write, 1));
  const Run run(app, {1, 1}, {});
  CHECK(run.figure("cephfs/calls_at_stores") == 0);
  CHECK(run.figure("operations/read/latency_mean_us") ==
        Approx((570 + 10 * 0.34) / 10).epsilon(0.01));
  CHECK(run.figure("operations/write/latency_mean_us") == Approx(0.5).epsilon(0.01));
}

TEST_CASE("Clients that only read a file of CephFS all cache it") {
  ScriptedApp app({PageFile{4, false}}, 2);
  for (const std::uint32_t worker : {0U, 1U}) {
    for (int i = 0; i < 10; ++i) app.add(worker, call(Op::read));
  }
  const Run run(app, {2, 1}, {});
  CHECK(run.figure("cephfs/calls_at_stores") == 0);
  CHECK(run.figure("cephfs/revocations") == 0);
}

TEST_CASE(
    "A second client takes a loner's rights when the loner has written what it had buffered") {
  ScriptedApp app({PageFile{4, true}}, 2);
  app.add(0, call(Op::write, 0, {}, 7));
  app.add(0, call(Op::read, 0, milliseconds(10)));
  app.add(1, call(Op::read, 0, milliseconds(5)));
  app.add(1, call(Op::reopen));
  const Run run(app, {2, 1}, {});
  CHECK(app.words(1) == Words{7});
  CHECK(run.figure("cephfs/revocations") == 1);
  CHECK(run.figure("cephfs/calls_at_stores") == 2);  // also the former loner's
  // Revoked, 1 ms; the page is written, 1 ms; and read.
  CHECK(run.figure("latency_max_us") == Approx(1000 + 1000 + 570).epsilon(0.01));
}

TEST_CASE("A read waits for a write of its placement group, and not for others") {
  const auto longest = [](std::uint32_t groups) {
    ScriptedApp app({PageFile{4096, true}}, 2);
    app.add(0, call(Op::read));
    app.add(1, call(Op::fsync));  // opens it
    app.add(0, call(Op::write, 0, milliseconds(10)));
    app.add(1, call(Op::read, 2048, milliseconds(10)));
    Settings settings;
    settings.placement_groups = groups;
    return Run(app, {2, 1}, settings).figure("latency_max_us");
  };
  CHECK(longest(1) == Approx(1000 + 570).epsilon(0.01));
  CHECK(longest(2048) < 1200);
}

TEST_CASE("Synchronous calls that reach over objects go to each of them") {
  ScriptedApp app({PageFile{4096, true}}, 2);
  app.add(1, call(Op::read));
  PageOp wide = call(Op::read, 1020, milliseconds(10));
  wide.pages = 8;
  app.add(0, wide);
  const Run run(app, {2, 1}, {});
  CHECK(run.figure("latency_max_us") == Approx(1000 + 2 * (570 + 3 * 1.31)).epsilon(0.01));
}

TEST_CASE("The cluster begins a hundred thousand writes a second at most") {
  constexpr std::uint32_t threads = 256;
  ScriptedApp app({PageFile{threads * 2048, true}}, 2 * threads);
  for (std::uint32_t call_number = 0; call_number < 20; ++call_number) {
    for (std::uint32_t worker = 0; worker < 2 * threads; ++worker) {
      app.add(worker, call(Op::write, worker * 1024));
    }
  }
  Settings settings;
  settings.stores = 1000;
  settings.placement_groups = 1'000'000;
  CHECK(Run(app, {2, threads}, settings).figure("throughput_ops_per_s") ==
        Approx(1e5).epsilon(0.05));
}

TEST_CASE(
    "Appends of several clients ask the metadata server for the size, and follow each other") {
  ScriptedApp app({PageFile{0, true}}, 4);
  for (std::uint32_t worker = 0; worker < 4; ++worker) {
    app.add(worker, call(Op::append, 0, milliseconds(worker == 3 ? 10 : 0), worker + 1));
  }
  for (std::uint32_t page = 0; page < 4; ++page)
    app.add(0, call(Op::read, page, milliseconds(100)));
  app.add(0, call(Op::fsync));
  const Run run(app, {2, 2}, {});
  Words words(app.words(0).begin() + 1, app.words(0).end());
  std::ranges::sort(words);
  CHECK(words == Words{1, 2, 3, 4});
  CHECK(run.figure("cephfs/metadata_requests") >= 2);
}

TEST_CASE("A loner's fsync writes each object's pages together, and tells the metadata server") {
  ScriptedApp app({PageFile{4096, true}}, 1);
  for (const std::uint32_t page : {0U, 2000U, 1U}) app.add(0, call(Op::write, page));
  app.add(0, call(Op::fsync));
  app.add(0, call(Op::fsync));  // nothing left
  const Run run(app, {1, 1}, {});
  CHECK(run.figure("cephfs/metadata_requests") == 1);
  CHECK(run.figure("operations/fsync/latency_mean_us") * 2 ==
        Approx(1000 + 1.31 + 440).epsilon(0.02));
}

TEST_CASE("A truncate goes to the metadata server, which has a capacity") {
  ScriptedApp app({PageFile{4, true}}, 1);
  app.add(0, call(Op::write, 3, {}, 7));
  app.add(0, call(Op::truncate, 2));
  app.add(0, call(Op::truncate, 4));
  app.add(0, call(Op::read, 3));
  app.add(0, call(Op::read, 0));
  const Run run(app, {1, 1}, {});
  CHECK(app.words(0) == Words{0, 0, 0, 0});
  CHECK(run.figure("cephfs/metadata_requests") == 2);
  CHECK(run.figure("stale_reads") == 0);

  constexpr std::uint32_t threads = 64;
  std::vector<PageFile> files(threads, PageFile{100, true});
  ScriptedApp cutters(files, threads);
  for (std::uint32_t worker = 0; worker < threads; ++worker) {
    for (std::uint32_t i = 0; i < 20; ++i) {
      PageOp cut = call(Op::truncate, 99 - i);
      cut.first.file = FileId{worker};
      cutters.add(worker, cut);
    }
  }
  const Run busy(cutters, {1, threads}, {});
  CHECK(busy.figure("throughput_ops_per_s") == Approx(10'000).epsilon(0.05));
  CHECK(busy.figure("cephfs/metadata_server_busy") > 0.95);
}
