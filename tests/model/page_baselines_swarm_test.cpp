#include "catch.h"
#include "model/cephfs/cephfs.h"
#include "model/nfs/nfs.h"
#include "page_system_under_test.h"

using namespace recirc;
using model::ScriptedApp;
using workloads::FileId;
using workloads::PageFile;
using workloads::PageOp;
using workloads::PageOpKind;

namespace {

struct World {
  model::pages::NodesSettings nodes;
  ScriptedApp app;
  std::uint64_t calls = 0;
};

/// All kinds of calls, of a few threads on a few small files, as the seed has it. Nodes that have
/// not opened a file for writing only read it.
World world_of(std::uint64_t seed) {
  sim::CounterRng draw = sim::CounterRng{99}.at(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw.next() % n); };
  const model::pages::NodesSettings nodes{1 + below(4), 1 + below(3)};
  std::vector<PageFile> files(1 + below(3));
  for (PageFile& file : files) {
    file.pages = below(6);
    file.written = below(4) != 0;
    file.writers = below(2) != 0 ? ~0U : below(16);
  }
  const std::uint32_t workers = nodes.nodes * nodes.threads;
  World world{nodes, ScriptedApp(files, workers)};
  for (std::uint32_t worker = 0; worker < workers; ++worker) {
    sim::Time due{};
    for (std::uint32_t i = below(60); i > 0; --i) {
      PageOp op;
      op.first.file = FileId{below(static_cast<std::uint32_t>(files.size()))};
      const bool writes = files[op.first.file.value()].written_by(worker / nodes.threads);
      op.kind = writes && below(2) != 0 ? static_cast<PageOpKind>(below(6)) : PageOpKind::read;
      op.first.page = below(8);
      op.pages = 1 + below(3);
      op.whole = below(2) != 0;
      due += sim::microseconds(below(4) == 0 ? below(8'000'000) : below(500));
      if (below(2) != 0) op.earliest = due;
      world.app.add(worker, op);
      ++world.calls;
    }
  }
  return world;
}

}  // namespace

TEST_CASE(
    "Whatever threads call, every call of NFS and CephFS returns, and CephFS misses no write") {
  double stale_of_nfs = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    World for_cephfs = world_of(seed);
    model::cephfs::CephfsSettings small;
    small.object_pages = 4;
    small.placement_groups = 3;
    small.stores = 2;
    const model::ScriptedRun<model::cephfs::Cephfs, model::cephfs::CephfsSettings> cephfs(
        for_cephfs.app, for_cephfs.nodes, small);
    CHECK(cephfs.figure("ops_completed") == static_cast<double>(for_cephfs.calls));
    CHECK(cephfs.figure("stale_reads") == 0);

    World for_nfs = world_of(seed);
    model::nfs::NfsSettings short_requests;
    short_requests.largest_request = 2;
    const model::ScriptedRun<model::nfs::Nfs, model::nfs::NfsSettings> nfs(
        for_nfs.app, for_nfs.nodes, short_requests);
    CHECK(nfs.figure("ops_completed") == static_cast<double>(for_nfs.calls));
    if (for_nfs.nodes.nodes == 1) CHECK(nfs.figure("stale_reads") == 0);
    stale_of_nfs += nfs.figure("stale_reads");
  }
  CHECK(stale_of_nfs > 100);
}
