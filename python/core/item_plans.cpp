#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "equipoise/catalogue/studies/waves.hpp"
#include "equipoise/report/answers/waves.hpp"
#include "python/core/module.hpp"
#include "python/core/requests.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

using catalogue::PlannedItems;

catalogue::WavesRequest waves_request(const py::dict& options) {
    using Names = std::vector<std::string>;
    catalogue::WavesRequest request;
    request.sizes = option<std::string>(options, "sizes", "");
    request.loads = option<std::string>(options, "loads", "");
    request.log_dirs = option<std::string>(options, "log_dirs", "");
    request.nodes = option<Names>(options, "nodes", {});
    request.drain = option<Names>(options, "drain", {});
    request.pinned = option<Names>(options, "pinned", {});
    request.target = option<std::string>(options, "target", "floor-ceil");
    if (options.contains("tolerance")) request.tolerance = options["tolerance"].cast<double>();
    request.rates = option<std::string>(options, "rates", "");
    request.capacities = option<std::string>(options, "capacities", "");
    if (options.contains("at_once")) request.at_once = options["at_once"].cast<std::uint64_t>();
    request.resume = option<std::string>(options, "resume", "");
    request.texts = option<std::map<std::string, std::string>>(options, "texts", {});
    return request;
}

std::shared_ptr<PlannedItems> plan_items(const py::dict& options) {
    const catalogue::WavesRequest request = waves_request(options);
    const auto made = std::make_shared<PlannedItems>();
    Work().run([&] { *made = catalogue::plan_items(request); });
    return made;
}

/// Returns whether the schedule is valid, the figures and the text.
py::tuple check_items(const std::string& schedule, const py::dict& options) {
    const catalogue::WavesRequest request = waves_request(options);
    catalogue::JudgedItems judged;
    Work().run([&] { judged = catalogue::judge_items(request, schedule); });
    return py::make_tuple(judged.words.fault.empty(),
                          report::judged_json(judged.words, judged.verdict),
                          report::judged_text(judged.words, judged.verdict));
}

}  // namespace

void add_item_plans(py::module_& module) {
    py::class_<PlannedItems, std::shared_ptr<PlannedItems>>(module, "ItemPlan")
        .def("text",
             [](const PlannedItems& made, bool explain) {
                 return report::waves_text(made, "the list `schedule`", explain);
             })
        .def("explain", &report::explain_waves)
        .def("to_json", &report::waves_json)
        .def("notes", [](const PlannedItems& made) { return made.instance.notes; })
        .def("write_schedule", [](const PlannedItems& made, const std::string& path) {
            report::write_waves(path, made);
        });
    module.def("plan_items", &plan_items);
    module.def("check_items", &check_items);
}

}  // namespace equipoise::python
