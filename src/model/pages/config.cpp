#include "model/pages/config.h"

namespace recirc::model::pages {

using sim::config::assumed;
using sim::config::fitted;
using sim::config::measured;
using sim::config::paper;
using sim::config::Visitor;

void describe(Visitor& v, NodesSettings& c) {
  v.field("nodes", c.nodes,
          {.doc = "Compute nodes.",
           .from = paper("Callosal §6: four servers; MIND's directory knows 16"),
           .min = 1,
           .max = 16});
  v.field("threads", c.threads,
          {.doc = "Threads of a node that call the file system, each on a core of its own.",
           .from = assumed("the paper gives no number; MIND's nodes have 12 cores, two of them for "
                           "invalidations and evictions",
                           "1..64"),
           .min = 1,
           .max = 1024});
}

void describe(Visitor& v, NodeSettings& c) {
  v.field("read_hit", c.read_hit,
          {.doc = "A call that reads a page in the page cache, nobody else about.",
           .from = measured("pread of 4 KiB, tmpfs and ext4, Linux 6.18"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(1),
           .example = "340ns"});
  v.field("write_hit", c.write_hit,
          {.doc = "A call that overwrites a page in the page cache, nobody else about.",
           .from = measured("pwrite of 4 KiB, ext4, Linux 6.18: 494 to 524 ns"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(1),
           .example = "500ns"});
  v.field("system_call", c.system_call,
          {.doc = "A call that finds nothing to do.",
           .from = measured("getppid, and fsync on tmpfs, Linux 6.18: 107 to 113 ns"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(1),
           .example = "110ns"});
  v.field("reopen", c.reopen,
          {.doc = "A file is closed and opened, without what a file system does besides.",
           .from = measured("close and open, Linux 6.18: 1.6 to 1.7 us"),
           .min = sim::nanoseconds(1),
           .max = sim::seconds(1),
           .example = "1.65us"});
  v.field("lock_handoff", c.lock_handoff,
          {.doc = "From a lock's release to the start of the thread that waited for it.",
           .from = fitted("callosal.dwoh.nfs: 1.25 us a contended write, of which 0.5 us are the "
                          "write (contended semaphores of Linux)",
                          "400ns..800ns"),
           .max = sim::seconds(1),
           .example = "750ns"});
  v.field("line_transfer", c.line_transfer,
          {.doc = "A core takes a cache line that another core has written; one at a time.",
           .from = assumed("one or two sockets", "20ns..150ns"),
           .max = sim::microseconds(100),
           .example = "60ns"});
}

}  // namespace recirc::model::pages
