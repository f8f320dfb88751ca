#include <string>

#include "catch.h"
#include "model/figure.h"
#include "model/page_simulation.h"
#include "sim/config.h"

using namespace recirc;
using model::PageConfig;

namespace {

model::ReplicationResult run(const std::string& system, const std::string& benchmark,
                             std::uint32_t nodes, std::uint32_t operations = 20'000) {
  const PageConfig config = model::read_page_config(sim::config::Document::parse(
      R"({"system": ")" + system + R"(", "workload": {"benchmark": )" + benchmark +
          R"(, "operations": )" + std::to_string(operations) +
          R"(}, "cluster": {"threads": 8, "nodes": )" + std::to_string(nodes) + "}}",
      "test"));
  model::RunControl control;
  return model::run_pages(config, 0, control);
}

double throughput(const std::string& system, const std::string& benchmark, std::uint32_t nodes,
                  std::uint32_t operations = 20'000) {
  return figure(run(system, '"' + benchmark + '"', nodes, operations), "throughput_ops_per_s");
}

const std::string shared = R"({"kind": "shared_pages", "pages": 4, "write_ratio": 0.2})";

}  // namespace

TEST_CASE("Clients of NFS do not hear of each other's writes, and read what is long over") {
  const auto result = run("nfs", shared, 2);
  CHECK(figure(result, "stale_reads") > 1000);
  CHECK(figure(result, "staleness_max_us") > 100);
  CHECK(figure(run("nfs", shared, 1), "stale_reads") == 0);  // one client, one cache
}

TEST_CASE("No read of CephFS misses a write") {
  CHECK(figure(run("cephfs", shared, 3), "stale_reads") == 0);
}

TEST_CASE("Each NFS client reads a page from the server once, and writes pages without it") {
  CHECK(figure(run("nfs", R"("drbh")", 4), "server_requests") == 4 * 1);
  CHECK(figure(run("nfs", R"("dwoh")", 4), "server_requests") == 0);
}

TEST_CASE("A page that an NFS client has asked for is there for all of its threads when it comes") {
  // Eight threads, 20,000 reads of 120 ns each; before that one READ of 80 + 16 us.
  CHECK(figure(run("nfs", R"("drbh")", 1), "latency_max_us") == Approx(96).epsilon(0.03));
}

TEST_CASE("Writers of one page do not slow each other down between clients of NFS") {
  const double one = throughput("nfs", "dwoh", 1);
  CHECK(one == Approx(1e9 / (500 + 750)).epsilon(0.01));
  CHECK(throughput("nfs", "dwoh", 4) == Approx(4 * one).epsilon(0.01));
}

TEST_CASE("Readers of NFS pass the inode's semaphore around even when it is shared") {
  CHECK(throughput("nfs", "drbm", 1) < 0.5 * throughput("callosal", "drbm", 1));
}

TEST_CASE("CephFS caches a file for one client and for nobody when two have it open to write") {
  const double alone = throughput("cephfs", "drbm", 1);
  CHECK(throughput("cephfs", "drbm", 2) < 0.1 * alone);
  // Private files stay cached once they have been read.
  CHECK(throughput("cephfs", "drbl", 2, 400'000) > 1.9 * throughput("cephfs", "drbl", 1, 200'000));
  CHECK(figure(run("cephfs", R"("drbm")", 3), "cephfs/revocations") == 1);
}

TEST_CASE("Synchronous writes of one page of CephFS wait for each other at its object") {
  CHECK(throughput("cephfs", "dwoh", 2) == Approx(1000).epsilon(0.05));
  // Pages 8 MiB apart are in objects of their own.
  CHECK(throughput("cephfs", "dwom", 2) == Approx(16 * 1000).epsilon(0.1));
}

TEST_CASE("Callosal's mixed readers and writers of one file are faster than NFS's") {
  CHECK(throughput("callosal", "drwom", 4) > 1.2 * throughput("nfs", "drwom", 4));
}
