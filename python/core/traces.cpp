#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/trace.hpp"
#include "equipoise/report/answers/load_trace.hpp"
#include "equipoise/report/page/load_trace_page.hpp"
#include "python/core/module.hpp"
#include "python/core/requests.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

/// Loads by phase and rank.
py::array_t<double> loads_of(const report::LoadTrace& levels,
                             std::vector<double> report::PhaseLevels::*loads) {
    py::array_t<double> array(
        {static_cast<py::ssize_t>(levels.phases.size()), static_cast<py::ssize_t>(levels.ranks)});
    double* at = array.mutable_data();
    for (const report::PhaseLevels& phase : levels.phases)
        for (const double load : phase.*loads)
            *at++ = load;
    return array;
}

py::tuple trace(const std::vector<std::string>& paths, const py::dict& options) {
    catalogue::TraceRequest request;
    request.paths = paths;
    request.policy = option<std::string>(options, "policy", "weighted");
    request.tolerance = option(options, "tolerance", 0.0);
    request.times = option<std::string>(options, "times", "");
    request.advise = option(options, "advise", false);
    request.cost = option(options, "cost", 0.0);
    request.output = option<std::string>(options, "output", "");
    const auto html = option<std::string>(options, "html", "");
    report::LoadTrace levels;
    Work work;
    request.check = [token = work.token()] {
        if (token.stop_requested()) throw InputError("trace: interrupted; nothing was written");
    };
    work.run([&] {
        levels = catalogue::study_trace(request);
        if (!html.empty()) report::write_load_trace_page(levels, html);
    });
    return py::make_tuple(report::load_trace_json(levels), report::load_trace_text(levels),
                          loads_of(levels, &report::PhaseLevels::before),
                          loads_of(levels, &report::PhaseLevels::after));
}

}  // namespace

void add_traces(py::module_& module) {
    module.def("trace", &trace);
}

}  // namespace equipoise::python
