#pragma once

#include "sim/binary_heap.h"

namespace recirc::sim {

/// Stands before src/sim/event_queue.h when the reference is built.
using EventQueue = BinaryHeap;

}  // namespace recirc::sim
