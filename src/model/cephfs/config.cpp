#include "model/cephfs/config.h"

namespace recirc::model::cephfs {

using sim::config::assumed;
using sim::config::derived;
using sim::config::Visitor;

void describe(Visitor& v, CephfsSettings& c) {
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
  v.field("stores", c.stores,
          {.doc = "Object stores (OSDs); objects go round them.",
           .from = derived("the same benchmark: four nodes with twelve each"),
           .min = 1,
           .max = 10'000});
  v.field("store_threads", c.store_threads,
          {.doc = "Requests for different objects that a store works on at once.",
           .from = derived("480,000 reads/s of 48 stores at 0.57 ms each"),
           .min = 1,
           .max = 1024});
  v.field("revoke", c.revoke,
          {.doc = "A client that opens a file which others have open waits this long until their "
                  "rights to cache are taken back.",
           .from = assumed("a round to the metadata server and to each holder", "500us..5ms"),
           .max = sim::seconds(60),
           .example = "1ms"});
  v.field("object_pages", c.object_pages,
          {.doc = "Pages of an object; calls for one object are carried out one after another.",
           .from = derived("Ceph's default of 4 MiB"),
           .min = 1,
           .max = 1'000'000});
}

}  // namespace recirc::model::cephfs
