#include "model/nfs/nfs.h"

#include "catch.h"
#include "page_system_under_test.h"
#include "sim/error.h"

using namespace recirc;
using model::call;
using model::ScriptedApp;
using workloads::FileId;
using workloads::PageFile;
using workloads::PageOp;
using Op = workloads::PageOpKind;
using Run = model::ScriptedRun<model::nfs::Nfs, model::nfs::NfsSettings>;
using Words = std::vector<std::uint64_t>;

namespace {

using sim::milliseconds;

/// One thread a node, and a file of four pages that `writers` have open for writing.
ScriptedApp two_nodes(std::uint32_t writers) {
  PageFile file;
  file.pages = 4;
  file.written = true;
  file.writers = writers;
  return {{file}, 2};
}

}  // namespace

TEST_CASE("What one NFS client has written another reads after close and open") {
  ScriptedApp app = two_nodes(3);
  app.add(1, call(Op::read));
  app.add(0, call(Op::write, 0, milliseconds(1), 7));
  app.add(1, call(Op::read, 0, milliseconds(2)));    // still in the writer's cache
  app.add(0, call(Op::reopen, 0, milliseconds(3)));  // now the server has it
  app.add(1, call(Op::read, 0, milliseconds(4)));    // and this client its old page
  app.add(1, call(Op::reopen, 0, milliseconds(5)));
  app.add(1, call(Op::read));
  app.add(1, call(Op::reopen));
  const Run run(app, {2, 1}, {});
  CHECK(app.words(1) == Words{0, 0, 0, 0, 7});
  CHECK(run.figure("stale_reads") == 2);
  CHECK(run.figure("nfs/writes") == 1);
  CHECK(run.figure("nfs/reads") == 2);
}

TEST_CASE("An NFS client that has opened a file twice for writing drops nothing at one open") {
  ScriptedApp app({PageFile{4, true}}, 4);
  app.add(2, call(Op::read));
  app.add(3, call(Op::read));  // has the file open, too
  app.add(0, call(Op::write, 0, {}, 7));
  app.add(0, call(Op::fsync));
  app.add(2, call(Op::reopen, 0, milliseconds(1)));
  app.add(2, call(Op::read));
  app.add(2, call(Op::reopen));
  const Run run(app, {2, 2}, {});
  CHECK(app.words(2) == Words{0, 0, 0});
}

TEST_CASE("A client's own writes are no reason to drop its pages when it opens a file again") {
  ScriptedApp app = two_nodes(3);
  app.add(0, call(Op::read, 1));
  app.add(0, call(Op::write, 0, {}, 7));
  app.add(0, call(Op::reopen));
  app.add(0, call(Op::read, 1));
  app.add(0, call(Op::read, 0));
  const Run run(app, {2, 1}, {});
  CHECK(run.figure("nfs/reads") == 1);
}

TEST_CASE("A reader asks whether the file has changed once its attributes are old") {
  ScriptedApp app = two_nodes(1);
  app.add(1, call(Op::read));
  app.add(0, call(Op::write, 0, milliseconds(1), 7));
  app.add(0, call(Op::fsync));
  app.add(1, call(Op::read, 0, milliseconds(2'990)));  // within three seconds: the old page
  app.add(1, call(Op::read, 0, milliseconds(3'010)));  // asks, and reads again
  app.add(1, call(Op::read, 0, milliseconds(6'000)));  // three more seconds, as it had changed
  app.add(1, call(Op::read, 0, milliseconds(6'020)));  // asks; not changed
  app.add(1, call(Op::read, 0, milliseconds(11'900)));
  app.add(1, call(Op::read, 0, milliseconds(12'100)));  // after twice as long
  const Run run(app, {2, 1}, {});
  CHECK(app.words(1) == Words{0, 0, 7, 7, 7, 7});
  CHECK(run.figure("nfs/attributes") == 3);
  CHECK(run.figure("stale_reads") == 1);
  CHECK(run.figure("staleness_max_us") == Approx(2'989'000).epsilon(0.01));
}

TEST_CASE("Changed pages that lie side by side are flushed by one WRITE, and made durable") {
  ScriptedApp app = two_nodes(3);
  for (const std::uint32_t page : {2U, 0U, 1U}) app.add(0, call(Op::write, page));
  app.add(0, call(Op::fsync));
  app.add(0, call(Op::fsync));  // nothing left
  const Run run(app, {2, 1}, {});
  CHECK(run.figure("nfs/writes") == 1);
  CHECK(run.figure("server_requests") == 2);  // and a COMMIT
  // Two round trips of 80 us, two requests of 16 us, two more pages, 50 us for the drive.
  CHECK(run.figure("operations/fsync/latency_mean_us") * 2 ==
        Approx(2 * 80 + 2 * 16 + 2 * 0.33 + 50 + 2 * 0.11).epsilon(0.02));
}

TEST_CASE("A part of a page is written into what the server has, a whole page is not read") {
  ScriptedApp app = two_nodes(3);
  app.add(0, call(Op::write, 0));
  PageOp part = call(Op::write, 1);
  part.whole = false;
  app.add(0, part);
  part.first.page = 9;  // behind the file's end: nothing is there
  app.add(0, part);
  const Run run(app, {2, 1}, {});
  CHECK(run.figure("nfs/reads") == 1);
}

TEST_CASE("An append asks the server for the file's size first") {
  ScriptedApp app = two_nodes(3);
  app.add(0, call(Op::append, 0, {}, 5));
  app.add(0, call(Op::read, 4));
  app.add(0, call(Op::fsync));
  app.add(1, call(Op::append, 0, milliseconds(1), 6));
  app.add(1, call(Op::read, 5));
  app.add(1, call(Op::fsync));
  const Run run(app, {2, 1}, {});
  CHECK(app.words(0) == Words{0, 5});
  CHECK(app.words(1) == Words{0, 6});
  CHECK(run.figure("nfs/attributes") == 2);
}

TEST_CASE("A truncate flushes, and takes pages from the server and this client") {
  ScriptedApp app = two_nodes(3);
  app.add(0, call(Op::write, 3, {}, 7));
  app.add(0, call(Op::truncate, 2));
  app.add(0, call(Op::truncate, 4));  // a hole
  app.add(0, call(Op::read, 3));
  app.add(0, call(Op::fsync));
  const Run run(app, {2, 1}, {});
  CHECK(app.words(0) == Words{0, 0, 0, 0});
  CHECK(run.figure("nfs/writes") == 1);
  CHECK(run.figure("nfs/reads") == 1);
  CHECK(run.figure("stale_reads") == 0);
}

TEST_CASE("The server's threads are what reads of many pages wait for") {
  ScriptedApp app({PageFile{4000, true}}, 16);
  for (std::uint32_t i = 0; i < 1600; ++i) app.add(i % 16, call(Op::read, i));
  model::nfs::NfsSettings settings;
  settings.server_threads = 1;
  const Run one(app, {2, 8}, settings);
  CHECK(one.figure("nfs/server_busy") > 0.9);
  CHECK(one.figure("throughput_ops_per_s") == Approx(1e6 / 16).epsilon(0.05));
}
