#pragma once

#include <cstddef>
#include <vector>

#include "sim/event.h"

namespace recirc::sim {

/// A 4-ary heap of events. Models here keep fewer than a few thousand events pending, where the
/// whole heap stays in the first-level cache and a node's four children share two lines.
class QuadHeap {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] const Event& top() const { return heap_.front(); }
  void reserve(std::size_t n) { heap_.reserve(n); }

  void push(const Event& event) {
    std::size_t hole = heap_.size();
    heap_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!fires_before(event, heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = event;
  }

  void pop() {
    const Event last = heap_.back();
    heap_.pop_back();
    const std::size_t n = heap_.size();
    if (n == 0) return;
    std::size_t hole = 0;
    while (true) {
      const std::size_t first = hole * arity + 1;
      if (first >= n) break;
      const std::size_t child = earliest_child(first, n);
      if (!fires_before(heap_[child], last)) break;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = last;
  }

 private:
  static constexpr std::size_t arity = 4;

  [[nodiscard]] std::size_t earliest_child(std::size_t first, std::size_t n) const {
    const std::size_t end = first + arity < n ? first + arity : n;
    std::size_t best = first;
    for (std::size_t c = first + 1; c < end; ++c) {
      best = fires_before(heap_[c], heap_[best]) ? c : best;
    }
    return best;
  }

  std::vector<Event> heap_;
};

/// The queue that the scheduler uses: any type with QuadHeap's interface may stand here.
using EventQueue = QuadHeap;

}  // namespace recirc::sim
