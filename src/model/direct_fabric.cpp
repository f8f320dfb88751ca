#include "model/direct_fabric.h"

namespace recirc::model {

DirectFabric::DirectFabric(sim::Scheduler& scheduler, std::size_t endpoints,
                           sim::BitsPerSecond rate, sim::Duration latency)
    : scheduler_(scheduler),
      latency_(latency),
      endpoints_(endpoints, nullptr),
      links_(endpoints, Link{rate}) {}

void DirectFabric::send(const Message& message) {
  const Link::Passage passage = links_[message.from.value()].send(message.length, scheduler_.now());
  const std::uint32_t slot = on_the_way_.take();
  on_the_way_[slot] = message;
  on_the_way_[slot].parts.queues += passage.waited;
  scheduler_.at(passage.last_bit + latency_, *this, Kind::deliver, slot);
}

void DirectFabric::handle(const sim::Event& event) {
  const Message message = on_the_way_[event.arg];
  on_the_way_.give_back(event.arg);
  endpoints_[message.to.value()]->receive(message);
}

}  // namespace recirc::model
