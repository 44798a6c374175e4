#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/catalogue/studies/experts_steps.hpp"
#include "equipoise/report/answers/experts_steps.hpp"
#include "equipoise/report/page/experts_page.hpp"
#include "python/core/module.hpp"
#include "python/core/requests.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

using report::ExpertsAnswer;
using report::ExpertsSteps;

catalogue::ExpertsRequest experts_request(const py::dict& options) {
    catalogue::ExpertsRequest request;
    request.loads = option<std::string>(options, "loads", "");
    request.placement = option<std::string>(options, "placement", "");
    request.gpus = option(options, "gpus", request.gpus);
    request.slots = option(options, "slots", request.slots);
    request.hosts = option(options, "hosts", request.hosts);
    request.groups = option(options, "groups", request.groups);
    request.bound = option(options, "bound", request.bound);
    request.at_most = option<std::string>(options, "at_most", "");
    request.at_once = option(options, "at_once", request.at_once);
    request.effort = option(options, "effort", request.effort);
    request.seed = option(options, "seed", request.seed);
    request.threads = option(options, "threads", request.threads);
    request.each_step = option(options, "each_step", false);
    request.texts = option<std::map<std::string, std::string>>(options, "texts", {});
    if (options.contains("present"))
        request.present = options["present"].cast<experts::Placement>();
    return request;
}

/// A JSON list of rows, which servers know by no form: as SGLang's, which names no layers either.
experts::Placement placement_of_rows(const std::string& text) {
    experts::Placement placement = experts::read_placement(text, "placement");
    placement.form = experts::Form::sglang;
    return placement;
}

/// What is there once the plan is carried out: the rows that its file has. SGLang's has all; in the
/// others, layers without experts have none.
template <class Answer>
experts::Placement placement_after(const Answer& answer) {
    experts::Placement placement = answer.planned;
    if (placement.form == experts::Form::sglang) return placement;
    placement.dense.clear();
    placement.layers.clear();
    placement.slots.clear();
    for (const std::size_t row : experts::rows_with_experts(answer.planned)) {
        placement.layers.push_back(answer.planned.layers[row]);
        placement.slots.push_back(answer.planned.slots[row]);
    }
    return placement;
}

/// Numbers by row, all rows as long.
py::array_t<std::int64_t> table_of(std::size_t rows, std::size_t columns,
                                   const std::vector<std::int64_t>& numbers) {
    py::array_t<std::int64_t> array(
        {static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)});
    std::copy(numbers.begin(), numbers.end(), array.mutable_data());
    return array;
}

template <class Answer>
py::array_t<std::int64_t> placement_of(const Answer& answer) {
    std::vector<std::int64_t> numbers;
    for (const std::vector<replication::ItemId>& row : answer.planned.slots)
        numbers.insert(numbers.end(), row.begin(), row.end());
    return table_of(answer.planned.slots.size(), answer.planned.slots.front().size(), numbers);
}

void add_transfer(std::vector<std::int64_t>& numbers, std::uint64_t layer,
                  const replication::Transfer& transfer) {
    for (const std::uint64_t number :
         {layer, std::uint64_t{transfer.wave}, std::uint64_t{transfer.item},
          std::uint64_t{transfer.from}, std::uint64_t{transfer.to}})
        numbers.push_back(static_cast<std::int64_t>(number));
}

/// By transfer: layer, wave, expert, from, to.
py::array_t<std::int64_t> transfers_of(const ExpertsAnswer& answer) {
    std::vector<std::int64_t> numbers;
    for (const report::ExpertsLayer& layer : answer.layers)
        for (const replication::Transfer& transfer : layer.plan.transfers.list)
            add_transfer(numbers, layer.number, transfer);
    constexpr std::size_t columns = 5;
    return table_of(numbers.size() / columns, columns, numbers);
}

/// By transfer: step, layer, wave, expert, from, to.
py::array_t<std::int64_t> transfers_of(const ExpertsSteps& answer) {
    std::vector<std::int64_t> numbers;
    for (const report::ExpertsStep& step : answer.steps)
        for (const auto& [layer, transfer] : step.transfers) {
            numbers.push_back(static_cast<std::int64_t>(step.number));
            add_transfer(numbers, layer, transfer);
        }
    constexpr std::size_t columns = 6;
    return table_of(numbers.size() / columns, columns, numbers);
}

template <class Answer>
void write_experts(const Answer& answer, const std::string& what, const std::string& path,
                   const std::string& form) {
    if (what == "csv") {
        write_file(path, report::experts_csv(answer));
    } else if (what == "page") {
        write_file(path, report::experts_page(answer));
    } else if (what == "transfers") {
        write_file(path, report::transfers_csv(answer));
    } else {
        write_file(path, experts::placement_text(answer.planned, form.empty()
                                                                     ? answer.planned.form
                                                                     : experts::form_named(form)));
    }
}

template <class Answer>
std::shared_ptr<Answer> planned(const py::dict& options,
                                Answer (*plan)(const catalogue::ExpertsRequest&,
                                               const catalogue::ExpertsControl&)) {
    const catalogue::ExpertsRequest request = experts_request(options);
    const auto answer = std::make_shared<Answer>();
    Work work;
    work.run([&] { *answer = plan(request, {work.token(), {}}); });
    return answer;
}

template <class Answer>
void add_answer(py::module_& module, const char* name) {
    py::class_<Answer, std::shared_ptr<Answer>>(module, name)
        .def("text", [](const Answer& answer) { return report::experts_text(answer, {}, true); })
        .def("to_json", [](const Answer& answer) { return report::experts_json(answer); })
        .def("layers",
             [](const Answer& answer) {
                 return array_of(std::vector<std::int64_t>(answer.planned.layers.begin(),
                                                           answer.planned.layers.end()));
             })
        .def("placement", &placement_of<Answer>)
        .def("after", &placement_after<Answer>)
        .def("transfers", [](const Answer& answer) { return transfers_of(answer); })
        .def("write", &write_experts<Answer>);
}

}  // namespace

void add_experts(py::module_& module) {
    const py::class_<experts::Placement> placement(module, "ExpertsPlacement");
    module.def("placement_of_rows", &placement_of_rows);
    add_answer<ExpertsAnswer>(module, "Experts");
    add_answer<ExpertsSteps>(module, "ExpertsSteps");
    module.def("experts", [](const py::dict& options) {
        return planned(options, &catalogue::answer_experts);
    });
    module.def("experts_each_step", [](py::dict options) {
        options["each_step"] = true;
        return planned(options, &catalogue::answer_experts_steps);
    });
}

}  // namespace equipoise::python
