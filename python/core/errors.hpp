#pragma once
// The library's errors as errors of the package.

#include <pybind11/pybind11.h>

#include "equipoise/base/printable.hpp"

namespace equipoise::python {

/// Sets an error of Python with a text in one printable line, as the command line prints it.
inline void set_error(PyObject* kind, const char* text) {
    PyErr_SetObject(kind, pybind11::str(shortened(printable(text))).ptr());
}
/// The same with the error of this name of equipoise.errors.
inline void set_error(const char* name, const char* text) {
    set_error(pybind11::module_::import("equipoise.errors").attr(name).ptr(), text);
}

}  // namespace equipoise::python
