#include "model/callosal/store_config.h"

namespace recirc::model::callosal {

using sim::config::assumed;
using sim::config::derived;
using sim::config::Visitor;

NvmeStore::NvmeStore()
    : StoreSpec{sim::microseconds(45), sim::microseconds(450), sim::gigabits_per_second(40), 128} {}

NetworkStore::NetworkStore()
    : StoreSpec{sim::microseconds(570), sim::milliseconds(1), sim::gigabits_per_second(25), 256} {}

const StoreSpec* spec_of(const StoreChoice& choice) {
  if (const auto* nvme = std::get_if<NvmeStore>(&choice)) return nvme;
  return std::get_if<NetworkStore>(&choice);
}

void describe(Visitor& /*v*/, NoStore& /*c*/) {}

void describe(Visitor& v, StoreSpec& c) {
  v.field("read", c.read,
          {.doc = "A page is here, less its time on the link.",
           .from = derived("nvme: MIND's slides, 45 us; network: Ceph 15.2, two replicas, 0.57 ms"),
           .max = sim::seconds(1),
           .example = "45us"});
  v.field("write", c.write,
          {.doc = "A page is durable, less its time on the link.",
           .from = derived("nvme: MIND's slides, 450 us; network: Ceph 15.2, two replicas, 1 ms"),
           .max = sim::seconds(1),
           .example = "450us"});
  v.field("bandwidth", c.bandwidth,
          {.doc = "Of its link, both ways together.",
           .from = derived("nvme: MIND's slides, 5 GB/s; network: that Ceph's 25 Gbps"),
           .min = sim::BitsPerSecond{1'000'000},
           .max = sim::gigabits_per_second(1'600),
           .example = "40Gbps"});
  v.field("depth", c.depth,
          {.doc = "Requests at a time; others wait.",
           .from = assumed("queues of drives and of block clients", "32..1024"),
           .min = 1,
           .max = 65'536});
}

}  // namespace recirc::model::callosal
