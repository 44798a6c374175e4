#include "python/core/module.hpp"

PYBIND11_MODULE(_core, module) {
    using namespace equipoise::python;
    module.doc() = "The C++ library behind the package equipoise; internal.";
    module.attr("version") = EQUIPOISE_VERSION;
    add_errors(module);
    add_networks(module);
    add_records(module);
    add_rules(module);
    add_programs(module);
    add_options(module);
    add_runs(module);
    add_plans(module);
    add_item_plans(module);
    add_reassignments(module);
    add_experts(module);
    add_studies(module);
    add_traces(module);
}
