#include "cases.h"
#include "radix_heap.h"
#include "reference/sim/binary_heap.h"
#include "sim/event_queue.h"

namespace recirc::bench {
namespace {

template <class Queue>
Measurement hold_bare(std::uint64_t pending, std::uint64_t events) {
  Queue queue;
  Delays delays;
  std::uint64_t order = 0;
  sim::Event event;
  for (; order < pending; ++order) {
    event.at = sim::Time{delays.next()};
    event.order = order;
    queue.push(event);
  }
  const auto step = [&] {
    event = queue.top();
    queue.pop();
    event.at += delays.next();
    event.order = order++;
    queue.push(event);
  };
  for (std::uint64_t i = 0; i < 2 * pending; ++i) step();
  return measure(events, [&] {
    for (std::uint64_t i = 0; i < events; ++i) step();
  });
}

}  // namespace

Measurement bare_engine_queue(std::uint64_t pending, std::uint64_t events) {
  return hold_bare<sim::EventQueue>(pending, events);
}
Measurement bare_binary_heap(std::uint64_t pending, std::uint64_t events) {
  return hold_bare<sim::BinaryHeap>(pending, events);
}
Measurement bare_radix_heap(std::uint64_t pending, std::uint64_t events) {
  return hold_bare<RadixHeap>(pending, events);
}

}  // namespace recirc::bench
