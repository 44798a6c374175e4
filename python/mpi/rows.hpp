#pragma once
// Rows of arrays that move within their memory.

#include <pybind11/pybind11.h>

namespace equipoise::python {

void bind_rows(pybind11::module_& module);

}  // namespace equipoise::python
