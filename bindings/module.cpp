#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "app/progress.h"
#include "app/version.h"
#include "errors.h"
#include "model/page_systems.h"
#include "runs.h"
#include "workloads/file_ops.h"

// The compiled half of the package: documents go in and out as JSON text, written and read by the
// same code as the command line's, and recirc/*.py makes Python objects of them.
namespace recirc::bindings {
namespace {

namespace py = pybind11;
using Overrides = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> mix_names() {
  std::vector<std::string> names;
  for (const workloads::Mix& mix : workloads::mixes()) names.emplace_back(mix.name);
  return names;
}

std::vector<std::string> system_names() {
  const auto names = model::every_system_name();
  return {names.begin(), names.end()};
}

void define(py::module_& module) {
  translate_errors();
  module.def(
      "run",
      [](const std::string& source, bool is_path, const Overrides& overrides, unsigned jobs,
         const py::object& progress, const std::optional<std::string>& run_dir) {
        return run({source, is_path, overrides}, jobs, progress, run_dir);
      },
      py::arg("source"), py::arg("is_path"), py::arg("overrides"), py::arg("jobs"),
      py::arg("progress"), py::arg("run_dir"));
  module.def(
      "check",
      [](const std::string& source, bool is_path, const Overrides& overrides) {
        return check({source, is_path, overrides});
      },
      py::arg("source"), py::arg("is_path"), py::arg("overrides"));
  module.def("schema", &schema, py::arg("what"));
  module.def("gains", &gains, py::arg("ours"), py::arg("baseline"));
  module.def("result_text", &result_text, py::arg("document"));
  py::class_<app::RecentRate>(module, "RecentRate")
      .def(py::init<>())
      .def("at", &app::RecentRate::at, py::arg("done"), py::arg("seconds"));
  module.def(
      "progress_text",
      [](std::uint64_t done, std::uint64_t total, double rate) {
        return app::progress_text(done, total, rate, true);
      },
      py::arg("done"), py::arg("total"), py::arg("rate"));
  module.def("systems", &system_names);
  module.def("mixes", &mix_names);
  module.def("version", [] { return std::string(app::version()); });
  module.def("revision", [] { return std::string(app::revision()); });
}

}  // namespace
}  // namespace recirc::bindings

PYBIND11_MODULE(_recirc, module) { recirc::bindings::define(module); }
