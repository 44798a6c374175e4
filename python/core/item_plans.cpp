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

/// A plan, and the items that it is for.
struct ItemPlanHandle {
    catalogue::PlannedItems made;

    [[nodiscard]] report::WavesWords words(bool explain) const {
        const catalogue::ItemsInstance& instance = made.instance;
        return {instance.origin,  instance.target,       instance.tolerance,
                instance.drained, instance.resumed,      instance.resumed_waves,
                partitions(),     "the list `schedule`", explain};
    }
    /// Null unless the items are Kafka's.
    [[nodiscard]] const load::PartitionWaves* partitions() const {
        return made.partitions ? &*made.partitions : nullptr;
    }
    [[nodiscard]] std::string text(bool explain) const {
        return report::waves_text(made.instance.items, made.instance.problem, made.plan,
                                  words(explain));
    }
    [[nodiscard]] std::string to_json() const {
        return report::waves_json(made.instance.items, made.instance.problem, made.plan,
                                  words(false));
    }
    void write(const std::string& path) const {
        if (path.ends_with(".json")) {
            report::write_waves_partitions(path, made.instance.items, made.plan, partitions());
        } else {
            report::write_waves_csv(path, made.instance.items, made.plan);
        }
    }
};

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

std::shared_ptr<ItemPlanHandle> plan_items(const py::dict& options) {
    const catalogue::WavesRequest request = waves_request(options);
    const auto handle = std::make_shared<ItemPlanHandle>();
    Work().run([&] { handle->made = catalogue::plan_items(request); });
    return handle;
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
    py::class_<ItemPlanHandle, std::shared_ptr<ItemPlanHandle>>(module, "ItemPlan")
        .def("text", &ItemPlanHandle::text)
        .def("explain",
             [](const ItemPlanHandle& p) {
                 return report::explain_waves(p.made.instance.items, p.made.instance.problem,
                                              p.made.plan.wave_bound, p.partitions());
             })
        .def("to_json", &ItemPlanHandle::to_json)
        .def("notes", [](const ItemPlanHandle& p) { return p.made.instance.notes; })
        .def("write_schedule", &ItemPlanHandle::write);
    module.def("plan_items", &plan_items);
    module.def("check_items", &check_items);
}

}  // namespace equipoise::python
