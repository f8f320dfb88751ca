#include "model/cluster_config.h"

namespace recirc::model {

using sim::config::assumed;
using sim::config::paper;
using sim::config::Visitor;

void describe(Visitor& v, RingSettings& c) {
  v.field("vnodes", c.vnodes,
          {.doc = "Virtual nodes of each server on the consistent-hash ring.",
           .from = paper("Fletch prototype: 100 a server, MD5"),
           .min = 1,
           .max = 10'000});
  v.field("seed", c.seed,
          {.doc = "Seed of the virtual nodes' places; apart from the run's seed.",
           .from = assumed("the names of the prototype's nodes are not used", "any")});
}

void describe(Visitor& v, ClusterSettings& c) {
  v.count("servers", c.servers,
          {.doc = "Metadata servers.",
           .from = paper("Fletch §IX-A: 16 and 128 simulated servers"),
           .min = 1,
           .max = 4096});
  v.count(
      "clients", c.clients,
      {.doc = "Clients in all; without it, 128 in each part of a rotation, and 16 for every server "
              "in a joint run: 128 clients cannot keep 128 servers busy.",
       .from = assumed("the paper's 128 clients per pair of servers belong to its rotation",
                       "8..64 a server"),
       .min = 1,
       .max = 4'000'000});
  v.field("client_machines", c.client_machines,
          {.doc = "Machines that the clients share, each with one link to the switch.",
           .from = paper("Fletch §IX-A"),
           .min = 1,
           .max = 16});
  v.field("server_machines", c.server_machines,
          {.doc = "Machines that the servers share, each with one link to the switch.",
           .from = paper("Fletch §IX-A: two physical machines"),
           .min = 1,
           .max = 14});
  v.group("ring", c.ring, "The ring that gives each path its server.");
}

void describe(Visitor& v, NetworkSettings& c) {
  v.field("client_rate", c.client_rate,
          {.doc = "Rate of a client machine's link.",
           .from = paper("Fletch prototype: 40G ports"),
           .min = sim::BitsPerSecond{1'000'000},
           .max = sim::gigabits_per_second(1600),
           .example = "40Gbps"});
  v.field("server_rate", c.server_rate,
          {.doc = "Rate of a server machine's link.",
           .from = paper("Fletch prototype: 40G ports"),
           .min = sim::BitsPerSecond{1'000'000},
           .max = sim::gigabits_per_second(1600),
           .example = "40Gbps"});
  v.field(
      "host_delay", c.host_delay,
      {.doc = "Time of a message in a machine's NIC, kernel and process, each way and each end.",
       .from = assumed("10 to 20 us one way with both kernels", "3us..10us"),
       .max = sim::seconds(1),
       .example = "7us"});
  v.field("propagation", c.propagation,
          {.doc = "Time of a bit on a link.",
           .from = assumed("10 m of cable", "5ns..500ns"),
           .max = sim::seconds(1),
           .example = "50ns"});
  v.field(
      "mtu", c.mtu,
      {.doc = "Longest frame that may go through a switch's cache; a longer request goes to its "
              "server uncached and is counted.",
       .from = assumed("standard Ethernet", "1500B..9000B"),
       .min = sim::Bytes{256},
       .max = sim::Bytes{65'536},
       .example = "1500B",
       .limit = sim::config::LimitKind::metric});
}

}  // namespace recirc::model
