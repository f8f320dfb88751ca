#include "model/nfs/config.h"

namespace recirc::model::nfs {

using sim::config::assumed;
using sim::config::derived;
using sim::config::Visitor;

void describe(Visitor& v, NfsSettings& c) {
  v.field("round_trip", c.round_trip,
          {.doc = "From a client's request to the server's answer, without the server's own work.",
           .from = assumed("4 KiB READs over TCP at 100 Gbps", "60us..120us"),
           .max = sim::seconds(10),
           .example = "80us"});
  v.field("server_threads", c.server_threads,
          {.doc = "Threads of the server (nfsd).",
           .from = assumed("the paper does not say", "8..128"),
           .min = 1,
           .max = 4096});
  v.field("server_time", c.server_time,
          {.doc = "What a thread of the server takes for a request of 4 KiB.",
           .from = derived("1.0 M reads/s of 4 KiB for a client of two servers, 16 threads"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(1),
           .example = "16us"});
  v.field("semaphore_line_writes", c.semaphore_line_writes,
          {.doc = "Atomic operations of a read on the inode's semaphore, which it takes shared.",
           .from = derived("fs/nfs/file.c of Linux 4.15: down_read and up_read"),
           .max = 16});
}

}  // namespace recirc::model::nfs
