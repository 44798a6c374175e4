#include <cstdint>
#include <memory>
#include <string>

#include <pybind11/numpy.h>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

using RecordHandle = std::shared_ptr<const model::Record>;

RecordHandle run(const std::string& algorithm, const NetworkHandle& network,
                 const std::string& loads, std::uint64_t seed) {
    RecordHandle record;
    Work work;
    work.run([&] {
        const catalogue::Supervision supervision = {work.token(), {}};
        catalogue::RunOptions options;
        options.seed = seed;
        options.supervision = &supervision;
        const load::Loads tokens = catalogue::make_loads(loads, *network, seed);
        record = std::make_shared<const model::Record>(
            catalogue::run(algorithm, *network, tokens, options).record);
    });
    return record;
}

}  // namespace

void add_runs(py::module_& module) {
    py::class_<model::Record, std::shared_ptr<model::Record>>(module, "Record")
        .def_property_readonly("steps", [](const model::Record& r) { return r.costs.steps; })
        .def_property_readonly("discrepancy",
                               [](const model::Record& r) { return r.final_discrepancy; })
        .def_property_readonly("final_loads",
                               [](const model::Record& r) {
                                   return py::array_t<Tokens>(
                                       static_cast<py::ssize_t>(r.final_loads.size()),
                                       r.final_loads.data());
                               })
        .def("to_json", [](const model::Record& r) { return model::to_json(r); });
    module.def("run", [](const std::string& algorithm, const NetworkHandle& network,
                         const std::string& loads, std::uint64_t seed) {
        return std::const_pointer_cast<model::Record>(run(algorithm, network, loads, seed));
    });
}

}  // namespace equipoise::python
