#pragma once
// The parts of the extension module equipoise._core; each has a file of its own.

#include <pybind11/pybind11.h>

namespace equipoise::python {

namespace py = pybind11;

/// The library's errors as those of equipoise.errors.
void add_errors(py::module_& module);
void add_networks(py::module_& module);
void add_records(py::module_& module);
/// The facts about the options of runs that the package's Python code needs.
void add_options(py::module_& module);
void add_runs(py::module_& module);
void add_plans(py::module_& module);
/// Plans of items that move in waves.
void add_item_plans(py::module_& module);
/// Plans of items on machines under rules.
void add_reassignments(py::module_& module);
/// Copies of experts on GPUs.
void add_experts(py::module_& module);
void add_studies(py::module_& module);
void add_traces(py::module_& module);
/// Rules that the caller gives.
void add_rules(py::module_& module);
/// Node programs that the caller gives.
void add_programs(py::module_& module);

}  // namespace equipoise::python
