#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "model/run.h"

namespace recirc::bindings {

/// What the thread that works and the thread that waits for it share.
struct Watched {
  model::RunControl control;
  std::atomic<std::uint64_t> total{0};  ///< operations in all; 0 while it is not known
};

/// Does `work` on a thread of its own, without the GIL, and waits for it: other Python threads go
/// on. A few times a second it gives Python's signal handlers a chance and calls `progress` (None
/// or a function of operations done and in all). When one of these raises, the work is interrupted,
/// and what was raised goes on once it has ended. What `work` throws is thrown here.
std::string watch(const pybind11::object& progress,
                  const std::function<std::string(Watched&)>& work);

}  // namespace recirc::bindings
