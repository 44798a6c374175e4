#pragma once
// Running any algorithm, built in or written in Python, on input from Python.

#include <cstddef>
#include <memory>
#include <string>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/model/run/record.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"

namespace equipoise::python {

/// Sets how much the records of `runs` runs hold: what was asked for or, by default, what the page
/// shows, reduced to a summary on networks of more than a million nodes.
void set_record_level(catalogue::RunOptions& options, const std::string& level, NodeId nodes,
                      std::size_t runs);

/// The record of a run. `options` are those of `run_request`; an empty `level` is none; `progress`
/// is None or a function (ProgressRelay).
[[nodiscard]] std::shared_ptr<model::Record> run_algorithm(
    const catalogue::Algorithm& algorithm, const NetworkHandle& network, const py::object& loads,
    const py::dict& options, const std::string& level, const py::object& progress);

}  // namespace equipoise::python
