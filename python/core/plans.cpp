#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "equipoise/base/timed_stop.hpp"
#include "equipoise/catalogue/studies/plan.hpp"
#include "equipoise/catalogue/studies/windows.hpp"
#include "equipoise/optimum/windows/windows.hpp"
#include "equipoise/report/answers/plan.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"
#include "python/core/requests.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

/// A plan, and the network that it is for.
struct PlanHandle {
    NetworkHandle network;
    catalogue::PlannedInstance made;
    bool levels_all = true;
    std::uint64_t memory_bytes = 0;
    std::optional<double> seconds_most;

    [[nodiscard]] std::string text(bool explain) const {
        const bool large = made.plan.flow.has_value();
        return report::plan_text(
            made.plan, made.problem, *network,
            {.target = made.target,
             .is_mean = levels_all,
             .schedule = made.plan.schedule_written || large ? "the array `schedule`" : "",
             .explain = explain,
             .windows = large ? "the array `windows`" : ""});
    }
};

catalogue::PlanRequest plan_request(const py::object& loads, const py::dict& options) {
    catalogue::PlanRequest request;
    request.loads = loads_from(loads);
    request.seed = option<std::uint64_t>(options, "seed", 0);
    if (options.contains("target")) request.target = loads_from(options["target"]);
    request.capacities = loads_from(option(options, "capacities"));
    if (const auto delays = loads_from(option(options, "link_delays")); delays.value) {
        request.link_delays.value.emplace(delays.value->begin(), delays.value->end());
    } else {
        request.link_delays.text = delays.text;
    }
    request.pinned = option<std::vector<std::string>>(options, "pinned", {});
    request.ports = option<std::string>(options, "ports", "1");
    request.in_flight = option<std::uint64_t>(options, "in_flight", 0);
    request.seconds = option<std::uint64_t>(options, "seconds", 600);
    if (options.contains("memory"))
        request.memory_mib = option<std::uint64_t>(options, "memory", 0);
    request.fewest_exchanges = option(options, "fewest_exchanges", false);
    return request;
}

std::shared_ptr<PlanHandle> plan(const NetworkHandle& network, const py::object& loads,
                                 const py::dict& options) {
    const catalogue::PlanRequest request = plan_request(loads, options);
    const auto handle = std::make_shared<PlanHandle>();
    handle->network = network;
    handle->levels_all = request.levels_all();
    handle->memory_bytes = request.memory_bytes();
    handle->seconds_most = request.seconds_most();
    Work work;
    work.run([&] { handle->made = catalogue::plan(request, *network, work.token()); });
    return handle;
}

py::array_t<std::int64_t> schedule_of(const PlanHandle& handle) {
    const optimum::Schedule& moves = handle.made.plan.schedule;
    py::array_t<std::int64_t> schedule({static_cast<py::ssize_t>(moves.size()), py::ssize_t{3}});
    std::int64_t* at = schedule.mutable_data();
    for (const auto& [step, from, to] : moves) {
        *at++ = static_cast<std::int64_t>(step);
        *at++ = from;
        *at++ = to;
    }
    return schedule;
}

/// The windows that prove the plan: one row for each.
py::array_t<std::int64_t> windows_of(const PlanHandle& handle) {
    const optimum::Plan& plan = handle.made.plan;
    const optimum::FlowOverTime flow =
        plan.flow ? *plan.flow : optimum::flow_of(plan.schedule, plan.at_most.value_or(0));
    py::array_t<std::int64_t> windows(
        {static_cast<py::ssize_t>(flow.windows.size()), py::ssize_t{5}});
    std::int64_t* at = windows.mutable_data();
    for (const optimum::Window& window : flow.windows) {
        *at++ = window.from;
        *at++ = window.to;
        *at++ = static_cast<std::int64_t>(window.first);
        *at++ = static_cast<std::int64_t>(window.steps);
        *at++ = window.tokens;
    }
    return windows;
}

}  // namespace

void add_plans(py::module_& module) {
    py::class_<PlanHandle, std::shared_ptr<PlanHandle>>(module, "Plan")
        .def_property_readonly("bound", [](const PlanHandle& p) { return p.made.plan.bound; })
        .def_property_readonly("at_least", [](const PlanHandle& p) { return p.made.plan.at_least; })
        .def_property_readonly("at_most", [](const PlanHandle& p) { return p.made.plan.at_most; })
        .def_property_readonly("exact", [](const PlanHandle& p) { return p.made.plan.exact(); })
        .def_property_readonly("schedule_written",
                               [](const PlanHandle& p) { return p.made.plan.schedule_written; })
        .def_property_readonly(
            "has_windows",
            [](const PlanHandle& p) { return p.made.plan.flow || p.made.plan.schedule_written; })
        .def_property_readonly("windows", &windows_of)
        .def("write_windows",
             [](const PlanHandle& p, const std::string& path) {
                 catalogue::write_windows(path, p.made, *p.network);
             })
        .def("write_out_schedule",
             [](PlanHandle& p) {
                 Work work;
                 const TimedStop end(work.token(), TimeLimit(p.seconds_most).after(1));
                 work.run([&] { catalogue::write_out_schedule(p.made, p.memory_bytes, end); });
             })
        .def_property_readonly("exchanges",
                               [](const PlanHandle& p) { return p.made.plan.exchanges; })
        .def_property_readonly("moves", [](const PlanHandle& p) { return p.made.plan.moves; })
        .def_property_readonly("schedule", &schedule_of)
        .def("text", &PlanHandle::text)
        .def("explain",
             [](const PlanHandle& p) {
                 return report::explain(p.made.plan, p.made.problem, *p.network);
             })
        .def("to_json",
             [](const PlanHandle& p) {
                 return report::plan_json(p.made.plan, p.made.problem, *p.network, p.made.target);
             })
        .def("write_schedule", [](const PlanHandle& p, const std::string& path) {
            report::write_schedule_csv(path, p.made.plan, *p.network);
        });
    module.def("plan", &plan);
}

}  // namespace equipoise::python
