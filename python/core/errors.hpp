#pragma once
// The library's errors as those of the package.

#include <pybind11/pybind11.h>

#include "equipoise/base/printable.hpp"

namespace equipoise::python {

/// Sets the error of this name of equipoise.errors, with a text in one printable line.
inline void set_error(const char* name, const char* text) {
    namespace py = pybind11;
    const py::object kind = py::module_::import("equipoise.errors").attr(name);
    PyErr_SetObject(kind.ptr(), py::str(shortened(printable(text))).ptr());
}

}  // namespace equipoise::python
