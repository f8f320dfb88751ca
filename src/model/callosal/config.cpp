#include "model/callosal/config.h"

#include <bit>

#include "pipeline/programs/directory/layout.h"

namespace recirc::model::callosal {

using sim::config::assumed;
using sim::config::derived;
using sim::config::paper;
using sim::config::Visitor;

namespace {

constexpr sim::Duration longest = sim::seconds(1);

/// What a node's kernel takes.
void describe_node(Visitor& v, CallosalSettings& c) {
  v.field("version_check", c.version_check,
          {.doc = "A read looks, after copying, whether the page has changed meanwhile.",
           .from = assumed("two loads", "5ns..50ns"),
           .max = longest,
           .example = "20ns"});
  v.field("post", c.post,
          {.doc = "A node's kernel before a request to the directory leaves.",
           .from = assumed("with /callosal/host_delay, so that a page from memory takes the 9 us "
                           "that MIND is quoted with",
                           "1us..4us"),
           .max = longest,
           .example = "1us"});
  v.field("install", c.install,
          {.doc = "A node's kernel after the page has come.",
           .from = assumed("allocation and 0.5 us for a page-table entry (MIND's kernel)",
                           "500ns..3us"),
           .max = longest,
           .example = "1us"});
  v.field("pick_up", c.pick_up,
          {.doc = "From an invalidation's arrival to the start of a node's one handler thread.",
           .from = assumed("busy polling; MIND's thread sleeps 10 us after 10,000 empty polls",
                           "100ns..10us"),
           .max = longest,
           .example = "500ns"});
  v.field("serve", c.serve,
          {.doc = "The handler's work for each cached page of a region, and that of the evicting "
                  "thread for a page.",
           .from = assumed("write-protect, flush the TLB, send the page", "1us..5us"),
           .max = longest,
           .example = "3us"});
  v.field("cache_pages", c.cache_pages,
          {.doc = "Pages that a node has memory for; 0: always enough. More than /cluster/threads.",
           .from = assumed("that the workloads fit, as in the paper; MIND's nodes have 131,072",
                           "0, or 64..131072"),
           .max = 1U << 30U});
  v.field("evict_above", c.evict_above,
          {.doc = "A node drops pages, those used longest ago first, while more than so many per "
                  "cent of /callosal/cache_pages are in use.",
           .from = derived("MIND's kernel"),
           .min = 1,
           .max = 100});
  v.field(
      "local_batch", c.local_batch,
      {.doc =
           "Threads that wait for a page already which an invalidation of their own changes lets "
           "use it before it is honoured.",
       .from = assumed("the paper does not say", "1..8"),
       .min = 1,
       .max = 1'000'000});
}

void describe_transport(Visitor& v, CallosalSettings& c) {
  v.field("transport", c.transport,
          {.doc = "What becomes of messages that a link loses.",
           .from = derived("MIND: RDMA over a lossless network, one request outstanding a queue "
                           "pair")});
  v.field("resend_after", c.resend_after,
          {.doc = "With go_back_n, from a message's loss to its next transmission.",
           .from = assumed("4.096 us times a power of two, as the card is set", "16us..67ms"),
           .min = sim::microseconds(1),
           .max = sim::seconds(10),
           .example = "500us"});
  v.group("faults", c.faults, "What goes wrong in a run.");
  v.field("repair_time_out", c.repair_time_out,
          {.doc = "Where faults are, a node that has wanted a page for this long has the control "
                  "plane take the page's region from all nodes; 0: nothing is repaired.",
           .from = assumed("MIND's kernel waits 2 s for an acknowledgement", "100ms..10s"),
           .max = sim::seconds(1'000),
           .example = "2s"});
}

void describe_blades(Visitor& v, CallosalSettings& c) {
  v.field("blades", c.blades,
          {.doc = "Memory blades; files, and the regions of 2 MiB of each, go round them.",
           .from = derived("MIND's evaluation: one"),
           .min = 1,
           .max = 8});
  v.field("blade_read", c.blade_read,
          {.doc = "From a request's arrival at a memory blade to the page's leaving it, when its "
                  "network card does nothing else.",
           .from = assumed("RDMA reads of 4 KiB take 3.5 to 5 us in all", "500ns..3us"),
           .max = longest,
           .example = "1.2us"});
  v.field(
      "blade_bandwidth", c.blade_bandwidth,
      {.doc = "The pages that a memory blade's network card reads, together: several at a time, "
              "so that this and not /callosal/blade_read bounds their rate.",
       .from = derived("MIND's evaluation: ConnectX-5, 100 Gbps"),
       .min = sim::BitsPerSecond{1'000'000},
       .max = sim::gigabits_per_second(1'600),
       .example = "100Gbps"});
}

/// What lies behind memory.
void describe_store(Visitor& v, CallosalSettings& c) {
  v.field("store", c.store, {.doc = "The block store behind the memory blades."});
  v.field(
      "write_back", c.write_back,
      {.doc = "Changed pages go to the store: when a thread calls fsync, and while a node has too "
              "many.",
       .from = paper("Callosal §5.5: the prototype has no complete write-back")});
  v.field("dirty_background", c.dirty_background,
          {.doc = "A node writes back while it has changed more pages than this and not sent them "
                  "to memory.",
           .from = derived("Linux: 10 % of memory; MIND's nodes have 131,072 pages"),
           .max = 1U << 30U});
  v.field("dirty_limit", c.dirty_limit,
          {.doc = "A write returns only when its node has no more unsynced pages than this.",
           .from = derived("Linux: 20 % of memory"),
           .max = 1U << 30U});
  v.field("initial_pages", c.initial_pages,
          {.doc = "Where the pages are that files have when a run begins; all are zero.",
           .from = paper("Callosal §5.2: initially zeroed file pages")});
}

/// What the switch does.
void describe_directory(Visitor& v, CallosalSettings& c) {
  v.field("grant", c.grant,
          {.doc = "When a writer may go on.",
           .from = paper("Callosal §4.3: a read after a write must see it")});
  v.field("conflict", c.conflict,
          {.doc = "What becomes of a request for a region that others still have to give up.",
           .from = derived("MIND's; the paper does not say what Callosal does")});
  v.field("inode_locks", c.inode_locks,
          {.doc = "Writers of one file wait for each other on their node; false: threads share "
                  "memory and no file (MIND alone), and sizes do not change.",
           .from = paper("Callosal §4.2")});
  v.field("region_pages", c.region_pages,
          {.doc = "Pages of 4 KiB that one directory entry covers: a power of two.",
           .from = paper("MIND: 4 KiB to 2 MiB, 16 KiB at first"),
           .min = 1,
           .max = 512});
  v.field("splitting", c.splitting,
          {.doc = "Whether regions are split and joined while a run lasts."});
  v.count("directory_entries", c.directory_entries,
          {.doc = "Regions that there may be: entries of the directory.",
           .from = derived("MIND's target, of 30,624 in the registers"),
           .min = 16,
           .max = pipeline::programs::directory::most_entries});
}

}  // namespace

void describe(Visitor& v, CallosalSettings& c) {
  describe_directory(v, c);
  describe_node(v, c);
  v.field("back_off", c.back_off,
          {.doc = "A node asks again this long after a refusal, twice as long after the second, "
                  "and so on.",
           .from = derived("MIND's kernel: 50 us, up to four times"),
           .max = longest,
           .example = "50us"});
  v.field("longest_back_off", c.longest_back_off,
          {.doc = "How many times /callosal/back_off at most.",
           .from = derived("MIND's kernel"),
           .min = 1,
           .max = 1'000});
  v.field("back_off_jitter", c.back_off_jitter,
          {.doc = "A back-off is longer than that by less than this, drawn evenly.",
           .from = assumed("MIND's kernel waits fixed times, which interrupts and the help that a "
                           "waiting thread gives its node's handler blur; some hand-offs of a page "
                           "are needed so that nodes cannot stay in step",
                           "10us..200us"),
           .max = longest,
           .example = "50us"});
  v.field(
      "mtime", c.mtime,
      {.doc = "Files' times of change are kept coherent, in their inodes, as coarsely as this: a "
              "write makes a new time known when the old one is of an earlier multiple of it; 0: "
              "each write does. Linux: a tick, 4 ms. Null: nodes do not tell one another.",
       .from = paper("Callosal §4.5: not included in the prototype"),
       .max = sim::seconds(4),
       .example = "4ms"});
  describe_blades(v, c);
  describe_store(v, c);
  v.field("host_delay", c.host_delay,
          {.doc = "Network card and wire between a machine and the switch, one way.",
           .from = assumed("RDMA over 100 Gbps; see /callosal/post", "400ns..2us"),
           .max = longest,
           .example = "600ns"});
  describe_transport(v, c);
}

void validate(const CallosalSettings& c, sim::config::Issues& issues) {
  if (c.initial_pages == InitialPages::absent && spec_of(c.store) == nullptr) {
    issues.add("/initial_pages", "are in a store, and there is none", "set /callosal/store");
  }
  if (c.write_back && spec_of(c.store) == nullptr) {
    issues.add("/write_back", "needs a store", "set /callosal/store");
  }
  if (c.dirty_limit < c.dirty_background) {
    issues.add("/dirty_limit", "is less than what starts a node's writing back",
               "at least /callosal/dirty_background");
  }
  if (!std::has_single_bit(c.blades)) issues.add("/blades", "is no power of two", "1, 2, 4 or 8");
  if (!std::has_single_bit(c.region_pages)) {
    issues.add("/region_pages", "is no power of two", "1, 2, 4, ... 512");
  }
  if (c.write_back && !c.faults.crashes.empty()) {
    issues.add("/faults/crashes", "are not modelled together with /callosal/write_back");
  }
  const bool repairs = c.faults.lost_claims > 0 || c.faults.lost_fin_acks > 0;
  if (c.grant == pipeline::programs::directory::GrantPolicy::early &&
      (repairs || !c.faults.crashes.empty())) {
    issues.add("/grant",
               "cannot be early where regions are repaired: who has been granted a page "
               "early may still have to hear of an invalidation",
               "wait_all");
  }
  const bool loses = c.faults.node_links.loss > 0 || c.faults.blade_links.loss > 0;
  if (loses && c.transport == TransportKind::lossless) {
    issues.add("/transport", "is of links that lose nothing, and /callosal/faults has them lose",
               "go_back_n");
  }
}

}  // namespace recirc::model::callosal
