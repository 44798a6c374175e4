#pragma once
// A plan on a communicator of mpi4py, and what its parts become in Python.

#include <stdexcept>
#include <string>

#include <pybind11/pybind11.h>

#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"

namespace equipoise::python {

/// A plan, and its communicator, which must live as long.
struct PlanOnComm {
    pybind11::object comm;
    balancer::Plan plan;
};

/// An error that occurred in Python before the call; empty: none.
inline engine::LocalFailure failure_of(const std::string& problem, bool no_memory = false) {
    using Kind = engine::LocalFailure::Kind;
    engine::LocalFailure failure;
    if (!problem.empty()) failure.note(no_memory ? Kind::memory : Kind::input, problem);
    return failure;
}

struct AsPython {
    template <class Figure>
    const Figure& operator()(const Figure& figure) const {
        return figure;
    }
    std::string operator()(balancer::Policy policy) const { return std::string(to_string(policy)); }
    template <class Number>
    pybind11::dict operator()(const balancer::Spread<Number>& spread) const {
        pybind11::dict dict;
        dict["least"] = spread.least;
        dict["most"] = spread.most;
        dict["average"] = spread.average;
        return dict;
    }
};

/// Calls what Python defines, and turns its errors into texts, which can be sent to other ranks.
template <class Act>
void with_text(const Act& act) {
    namespace py = pybind11;
    try {
        act();
    } catch (const py::error_already_set& error) {
        const std::string kind = py::str(error.type().attr("__name__"));
        const std::string text = py::str(error.value());
        throw std::runtime_error(kind + ": " + text);
    }
}

}  // namespace equipoise::python
