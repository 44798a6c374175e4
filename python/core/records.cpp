#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "equipoise/catalogue/registry/sheets.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/report/page/html.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/plot.hpp"
#include "equipoise/report/runs/frames.hpp"
#include "equipoise/report/runs/run_json.hpp"
#include "equipoise/report/runs/summary.hpp"
#include "equipoise/report/runs/words.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"
#include "python/core/requests.hpp"

namespace equipoise::python {

namespace {

using model::Record;
using RecordHandle = std::shared_ptr<Record>;

/// The steps and rows of loads, in units, of up to this many moments.
std::pair<std::vector<Step>, py::array_t<Tokens>> frames_of(const Record& record,
                                                            std::size_t most) {
    std::vector<Step> steps;
    std::vector<Tokens> loads;
    report::visit_frames(record, report::events_of(record), most,
                         [&](Step step, std::span<const Tokens> now) {
                             steps.push_back(step);
                             loads.insert(loads.end(), now.begin(), now.end());
                         });
    const auto rows = static_cast<py::ssize_t>(steps.size());
    return {steps,
            py::array_t<Tokens>({rows, static_cast<py::ssize_t>(record.node_count)}, loads.data())};
}

/// Steps, discrepancies, potentials, and the number of tokens that have crossed links until then,
/// which only full records know.
py::tuple history_of(const Record& record, std::size_t most) {
    const std::vector<report::Event> events = report::events_of(record);
    const report::Curve curve = report::curve_of(record, events, most);
    std::vector<double> moved(curve.steps.size(), std::nan(""));
    if (!events.empty() || record.costs.exchanges == 0) {
        std::size_t next = 0;
        double sum = 0;
        for (std::size_t i = 0; i < moved.size(); ++i) {
            for (; next < events.size() && events[next].step < curve.steps[i]; ++next)
                if (events[next].from != no_node && events[next].to != no_node)
                    sum += static_cast<double>(events[next].tokens);
            moved[i] = sum;
        }
    } else if (!moved.empty()) {
        moved.front() = 0;
        moved.back() = static_cast<double>(record.costs.exchanges);
    }
    return py::make_tuple(array_of(curve.steps), array_of(curve.discrepancies),
                          array_of(curve.potentials), array_of(moved));
}

py::dict guarantee_of(const Record& record) {
    py::dict guarantee;
    if (record.guarantee.source.empty()) return guarantee;
    guarantee["source"] = record.guarantee.source;
    if (record.guarantee.discrepancy) guarantee["discrepancy"] = *record.guarantee.discrepancy;
    if (record.guarantee.steps) guarantee["steps"] = *record.guarantee.steps;
    return guarantee;
}

py::dict optimum_of(const Record& record) {
    py::dict optimum;
    if (!record.optimum) return optimum;
    optimum["exchanges"] = record.optimum->exchanges;
    if (record.optimum->steps) optimum["steps"] = *record.optimum->steps;
    return optimum;
}

std::vector<Record> copies_of(const std::vector<RecordHandle>& handles) {
    std::vector<Record> records;
    for (const RecordHandle& handle : handles)
        records.push_back(*handle);
    return records;
}

template <class Get>
void add_figure(py::class_<Record, RecordHandle>& of, const char* name, const Get& get) {
    of.def_property_readonly(name, get);
}

void add_figures(py::class_<Record, RecordHandle>& of) {
    add_figure(of, "algorithm", [](const Record& r) { return r.algorithm; });
    add_figure(of, "parameters", [](const Record& r) { return r.parameters; });
    add_figure(of, "model", [](const Record& r) { return r.model; });
    add_figure(of, "seed", [](const Record& r) { return r.seed; });
    add_figure(of, "steps", [](const Record& r) { return r.costs.steps; });
    add_figure(of, "rounds", [](const Record& r) { return r.costs.rounds; });
    add_figure(of, "exchanges", [](const Record& r) { return r.costs.exchanges; });
    add_figure(of, "messages", [](const Record& r) { return r.costs.messages; });
    add_figure(of, "initial_discrepancy", [](const Record& r) { return r.initial_discrepancy; });
    add_figure(of, "discrepancy", [](const Record& r) { return r.final_discrepancy; });
    add_figure(of, "level_since", [](const Record& r) { return r.level_since; });
    add_figure(of, "local_imbalance", [](const Record& r) { return r.local_imbalance; });
    add_figure(of, "load_scale", [](const Record& r) { return r.load_scale; });
    add_figure(of, "reached", [](const Record& r) { return r.reached; });
    add_figure(of, "stopped_because", [](const Record& r) { return r.stopped_because; });
    add_figure(of, "seconds", [](const Record& r) { return r.seconds; });
    add_figure(of, "level", [](const Record& r) { return model::to_string(r.level); });
    add_figure(of, "guarantee", &guarantee_of);
    add_figure(of, "optimum", &optimum_of);
    add_figure(of, "kept", [](const Record& r) { return report::promise_kept(r); });
    add_figure(of, "initial_loads", [](const Record& r) { return array_of(r.initial_loads); });
    add_figure(of, "final_loads", [](const Record& r) { return array_of(r.final_loads); });
}

}  // namespace

void add_records(py::module_& module) {
    module.attr("run_colours") =
        std::vector<std::string>(report::look::colours.begin(), report::look::colours.end());
    py::class_<Record, RecordHandle> record(module, "Record");
    add_figures(record);
    record.def("frames", &frames_of)
        .def("history", &history_of)
        .def("text",
             [](const Record& r) {
                 return report::run_text(
                     r, {.plain = true,
                         .with_seconds = true,
                         .usual_parameters = catalogue::usual_parameters(r.algorithm)});
             })
        .def("figures", [](const Record& r) { return report::run_json(r); })
        .def("to_json", &model::to_json)
        .def("write", &model::write_record);
    module.def("read_record", [](const std::string& path) {
        return std::make_shared<Record>(model::read_record(path));
    });
    module.def("record_from_json", [](const std::string& text) {
        return std::make_shared<Record>(model::record_from_json(text, "record"));
    });
    module.def("network_of", [](const Record& of) {
        return NetworkHandle{std::make_shared<const network::AnyNetwork>(model::network_of(of))};
    });
    module.def("page", [](const std::vector<RecordHandle>& records) {
        return report::render_html(copies_of(records));
    });
    module.def("write_page", [](const std::vector<RecordHandle>& records, const std::string& path) {
        report::write_html(copies_of(records), path);
    });
}

}  // namespace equipoise::python
