#pragma once

#include <cstddef>
#include <queue>
#include <vector>

#include "sim/event.h"

namespace recirc::sim {

/// What the event queue is measured against: the standard library's binary heap.
class BinaryHeap {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] const Event& top() { return heap_.top(); }
  void push(const Event& event) { heap_.push(event); }
  void pop() { heap_.pop(); }

 private:
  struct FiresAfter {
    bool operator()(const Event& a, const Event& b) const { return fires_before(b, a); }
  };
  std::priority_queue<Event, std::vector<Event>, FiresAfter> heap_;
};

}  // namespace recirc::sim
