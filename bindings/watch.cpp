#include "watch.h"

#include <chrono>
#include <future>

namespace recirc::bindings {
namespace {

namespace py = pybind11;

constexpr std::chrono::milliseconds period{50};  // a Ctrl-C is noticed within this time

bool finished_soon(const std::future<std::string>& answer) {
  const py::gil_scoped_release release;
  return answer.wait_for(period) == std::future_status::ready;
}

void tell(const py::object& progress, const Watched& watched) {
  if (!progress.is_none()) progress(watched.control.operations.load(), watched.total.load());
}

}  // namespace

std::string watch(const py::object& progress, const std::function<std::string(Watched&)>& work) {
  Watched watched;
  std::future<std::string> answer =
      std::async(std::launch::async, [&watched, &work] { return work(watched); });
  try {
    while (!finished_soon(answer)) {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      tell(progress, watched);
    }
  } catch (...) {
    watched.control.interrupt = true;
    {
      const py::gil_scoped_release release;
      answer.wait();
    }
    throw;
  }
  std::string text = answer.get();
  tell(progress, watched);
  return text;
}

}  // namespace recirc::bindings
