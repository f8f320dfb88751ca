#include "model/nfs/config.h"

namespace recirc::model::nfs {

using sim::config::assumed;
using sim::config::derived;
using sim::config::measured;
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
  v.field("page_time", c.page_time,
          {.doc = "For each further page of one request.",
           .from = derived("4 KiB at 100 Gbps"),
           .max = sim::seconds(1),
           .example = "330ns"});
  v.field(
      "commit", c.commit,
      {.doc = "What a thread of the server takes to make written pages, or a new size, durable.",
       .from = assumed("a flush of an NVMe drive", "10us..5ms"),
       .max = sim::seconds(10),
       .example = "50us"});
  v.field("largest_request", c.largest_request,
          {.doc = "Pages that a READ or WRITE moves at most (rsize, wsize).",
           .from = derived("Linux 4.15: 1 MiB"),
           .min = 1,
           .max = 1024});
  v.field(
      "attributes_min", c.attributes_min,
      {.doc = "A client that has a file open for reading only asks the server after this long "
              "whether it has changed (acregmin); twice as long after each time when it has not.",
       .from = derived("Linux 4.15's default"),
       .max = sim::seconds(86'400),
       .example = "3s"});
  v.field("attributes_max", c.attributes_max,
          {.doc = "The longest such time (acregmax).",
           .from = derived("Linux 4.15's default"),
           .max = sim::seconds(86'400),
           .example = "60s"});
  v.field("append", c.append,
          {.doc = "A call that appends a page to the cache, besides what it asks the server.",
           .from = measured("write of 4 KiB at the end of a file, tmpfs, Linux 6.18: 2.1 us"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(1),
           .example = "2.1us"});
  v.field("semaphore_line_writes", c.semaphore_line_writes,
          {.doc = "Atomic operations of a read on the inode's semaphore, which it takes shared.",
           .from = derived("fs/nfs/file.c of Linux 4.15: down_read and up_read"),
           .max = 16});
}

void validate(const NfsSettings& c, sim::config::Issues& issues) {
  if (c.attributes_min > c.attributes_max) {
    issues.add("/attributes_min", "is longer than the longest such time, attributes_max");
  }
}

}  // namespace recirc::model::nfs
