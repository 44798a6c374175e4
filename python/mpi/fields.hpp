#pragma once
// Made from equipoise/balancer/faces.toml by tools/make_faces.py: do not edit.
// clang-format off
// Requests, reports and errors between Python and C++.

#include <cstddef>
#include <optional>
#include <string>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "equipoise/balancer/options.hpp"
#include "equipoise/mpi/error.hpp"
#include "python/core/errors.hpp"

namespace equipoise::python {

using balancer::Policy;

/// What a rank asks for.
struct Request {
    std::optional<std::string> policy;
    double speed = 1;
    Tokens pinned = 0;
    std::optional<Tokens> items_max = {};
    std::optional<double> bytes_max = {};
    std::size_t weights_per_item = 1;
    double tolerance = 0;
    bool machines_first = false;
    std::optional<int> machine = {};
    std::optional<int> socket = {};
    std::optional<std::string> algorithm;
    std::size_t message_bytes_max = std::size_t{1} << 30U;
};

inline void bind_request(pybind11::module_& module) {
    pybind11::class_<Request>(module, "Request")
        .def(pybind11::init<>())
        .def_readwrite("policy", &Request::policy)
        .def_readwrite("speed", &Request::speed)
        .def_readwrite("pinned", &Request::pinned)
        .def_readwrite("items_max", &Request::items_max)
        .def_readwrite("bytes_max", &Request::bytes_max)
        .def_readwrite("weights_per_item", &Request::weights_per_item)
        .def_readwrite("tolerance", &Request::tolerance)
        .def_readwrite("machines_first", &Request::machines_first)
        .def_readwrite("machine", &Request::machine)
        .def_readwrite("socket", &Request::socket)
        .def_readwrite("algorithm", &Request::algorithm)
        .def_readwrite("message_bytes_max", &Request::message_bytes_max);
}

/// What can be taken from a request as it is.
inline void take(const Request& request, balancer::Options& options) {
    options.speed = request.speed;
    options.pinned = request.pinned;
    options.items_max = request.items_max;
    options.bytes_max = request.bytes_max;
    options.weights_per_item = request.weights_per_item;
    options.tolerance = request.tolerance;
    options.machines_first = request.machines_first;
    options.machine = request.machine;
    options.socket = request.socket;
    options.message_bytes_max = request.message_bytes_max;
}

/// The figures that apply.
template <class Convert>
pybind11::dict dict_of(const balancer::Report& report, const Convert& as_python) {
    pybind11::dict dict;
    dict["policy"] = as_python(report.policy);
    dict["ranks"] = as_python(report.ranks);
    dict["moved"] = as_python(report.moved);
    dict["minimum"] = as_python(report.minimum);
    dict["messages"] = as_python(report.messages);
    dict["rounds"] = as_python(report.rounds);
    if (report.policy == Policy::hierarchical || report.machines_first)
        dict["between_machines"] = as_python(report.between_machines);
    dict["before"] = as_python(report.before);
    dict["after"] = as_python(report.after);
    if (report.by_weight)
        dict["weight_before"] = as_python(report.weight_before);
    if (report.by_weight)
        dict["weight_after"] = as_python(report.weight_after);
    dict["seconds_planning"] = as_python(report.seconds_planning);
    dict["seconds_moving"] = as_python(report.seconds_moving);
    if (report.by_weight)
        dict["largest_before"] = as_python(report.largest_before);
    if (report.by_weight)
        dict["largest"] = as_python(report.largest);
    if (report.by_weight)
        dict["largest_at_least"] = as_python(report.largest_at_least);
    if (report.by_weight)
        dict["moved_at_least"] = as_python(report.moved_at_least);
    if (report.by_bytes)
        dict["bytes_moved"] = as_python(report.bytes_moved);
    if (report.by_bytes)
        dict["bytes_at_least"] = as_python(report.bytes_at_least);
    dict["weights_per_item"] = as_python(report.weights_per_item);
    dict["by_bytes"] = as_python(report.by_bytes);
    dict["machines_first"] = as_python(report.machines_first);
    dict["by_weight"] = as_python(report.by_weight);
    return dict;
}

/// The report that has the figures which `take` finds by their names.
template <class Take>
balancer::Report report_from(const Take& take) {
    balancer::Report report;
    take("policy", report.policy);
    take("ranks", report.ranks);
    take("moved", report.moved);
    take("minimum", report.minimum);
    take("messages", report.messages);
    take("rounds", report.rounds);
    take("between_machines", report.between_machines);
    take("before", report.before);
    take("after", report.after);
    take("weight_before", report.weight_before);
    take("weight_after", report.weight_after);
    take("seconds_planning", report.seconds_planning);
    take("seconds_moving", report.seconds_moving);
    take("largest_before", report.largest_before);
    take("largest", report.largest);
    take("largest_at_least", report.largest_at_least);
    take("moved_at_least", report.moved_at_least);
    take("bytes_moved", report.bytes_moved);
    take("bytes_at_least", report.bytes_at_least);
    take("weights_per_item", report.weights_per_item);
    take("by_bytes", report.by_bytes);
    take("machines_first", report.machines_first);
    take("by_weight", report.by_weight);
    return report;
}

/// Sets the error for what ranks have agreed on.
inline void set_error_of(mpi::Failure failure, const char* text) {
    switch (failure) {
        case mpi::Failure::input:
            return set_error("InputError", text);
        case mpi::Failure::differing:
            return set_error("InputError", text);
        case mpi::Failure::memory:
            return set_error(PyExc_MemoryError, text);
        case mpi::Failure::user_code:
            return set_error(PyExc_RuntimeError, text);
        case mpi::Failure::none:
            break;
    }
    set_error(PyExc_RuntimeError, text);
}

}  // namespace equipoise::python
