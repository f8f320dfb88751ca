#include "model/cephfs/config.h"

namespace recirc::model::cephfs {

using sim::config::assumed;
using sim::config::derived;
using sim::config::measured;
using sim::config::Visitor;

namespace {

void describe_stores(Visitor& v, CephfsSettings& c) {
  const auto bench =
      derived("a public benchmark of Ceph 15.2 on SATA SSDs: one client, one request");
  v.field("read", c.read,
          {.doc = "A synchronous read of a page from its object, nobody else about.",
           .from = bench,
           .min = sim::nanoseconds(1),
           .max = sim::seconds(10),
           .example = "570us"});
  v.field("write", c.write,
          {.doc = "A synchronous write of a page, until it is committed.",
           .from = bench,
           .min = sim::nanoseconds(1),
           .max = sim::seconds(10),
           .example = "1ms"});
  v.field("page_time", c.page_time,
          {.doc = "For each further page of one object.",
           .from = derived("4 KiB at 25 Gbps, as in the same benchmark"),
           .max = sim::seconds(1),
           .example = "1.31us"});
  v.field("stores", c.stores,
          {.doc = "Object stores (OSDs); placement groups go round them.",
           .from = derived("the same benchmark: four nodes with twelve each"),
           .min = 1,
           .max = 10'000});
  v.field("store_threads", c.store_threads,
          {.doc = "Placement groups that a store works for at once.",
           .from = derived("480,000 reads/s of 48 stores at 0.57 ms each"),
           .min = 1,
           .max = 1024});
  v.field("placement_groups", c.placement_groups,
          {.doc = "Objects are spread over them; calls for one group are carried out one after "
                  "another.",
           .from = derived("about 100 a store with two replicas"),
           .min = 1,
           .max = 1'000'000});
  v.field(
      "write_gap", c.write_gap,
      {.doc = "All stores together begin a write at most this often: replicas and journals take "
              "their share.",
       .from = derived("the same benchmark: 100,000 writes/s"),
       .max = sim::seconds(1),
       .example = "10us"});
  v.field("object_pages", c.object_pages,
          {.doc = "Pages of an object.",
           .from = derived("Ceph's default of 4 MiB"),
           .min = 1,
           .max = 1'000'000});
}

}  // namespace

void describe(Visitor& v, CephfsSettings& c) {
  describe_stores(v, c);
  v.field("revoke", c.revoke,
          {.doc = "Rights to cache are taken back from all who have them: this long, besides what "
                  "they must still write.",
           .from = assumed("a round to the metadata server and to each holder", "500us..5ms"),
           .max = sim::seconds(60),
           .example = "1ms"});
  v.field("mds_round_trip", c.mds_round_trip,
          {.doc = "From a client's request to the metadata server's answer, without its work.",
           .from = assumed("a log line upstream has 0.44 ms for a request", "100us..1ms"),
           .max = sim::seconds(10),
           .example = "340us"});
  v.field("mds_time", c.mds_time,
          {.doc = "What the metadata server, which does one thing at a time, takes for a request.",
           .from = assumed("5,000 to 20,000 requests/s", "50us..200us"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(10),
           .example = "100us"});
  v.field("append", c.append,
          {.doc = "A call that appends a page to the cache.",
           .from = measured("write of 4 KiB at the end of a file, tmpfs, Linux 6.18: 2.1 us"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(1),
           .example = "2.1us"});
}

}  // namespace recirc::model::cephfs
