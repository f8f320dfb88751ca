#include "errors.h"

#include <pybind11/pybind11.h>

#include <exception>

#include "app/usage_error.h"
#include "sim/error.h"

namespace recirc::bindings {
namespace {

namespace py = pybind11;

template <class... Arguments>
void raise(const char* type, Arguments&&... arguments) {
  const py::object exception_type = py::module_::import("recirc.errors").attr(type);
  const py::object exception = exception_type(std::forward<Arguments>(arguments)...);
  PyErr_SetObject(exception_type.ptr(), exception.ptr());
}

void raise_config_error(const sim::ConfigError& error) {
  py::list issues;
  for (const sim::Issue& issue : error.issues()) {
    issues.append(py::make_tuple(issue.pointer, issue.message, issue.suggestion));
  }
  raise("ConfigError", error.what(), issues);
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const sim::ConfigError& error) {
    raise_config_error(error);
  } catch (const sim::InputOutputError& error) {
    raise("InputOutputError", error.what());
  } catch (const sim::ConstraintViolation& error) {
    const auto& where = error.where();
    raise("ConstraintViolation", error.what(), where.program, where.array, where.stage, where.pass,
          where.packet);
  } catch (const sim::InvariantBroken& error) {
    raise("InvariantBroken", error.what());
  } catch (const app::UsageError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const sim::Interrupted& error) {
    PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  }
}

}  // namespace

void translate_errors() { py::register_local_exception_translator(&translate); }

}  // namespace recirc::bindings
