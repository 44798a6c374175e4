#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/runner/requirements.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "python/core/algorithm.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"
#include "python/core/progress.hpp"
#include "python/core/requests.hpp"
#include "python/core/running.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

void set_record_level(catalogue::RunOptions& options, const std::string& level, NodeId nodes,
                      std::size_t runs) {
    constexpr NodeId kept_nodes_max = 1'000'000;
    if (options.record_level == model::RecordLevel::full) {
        if (!level.empty() && level != model::to_string(model::RecordLevel::full))
            throw InputError("record_level: expected \"full\" with extremes or recovery, found \"" +
                             level + '"');
    } else if (!level.empty()) {
        options.record_level = model::record_level_from_word(level);
    } else if (nodes <= kept_nodes_max) {
        catalogue::keep_for_page(options, nodes, runs);
    }
}

std::shared_ptr<model::Record> run_algorithm(const catalogue::Algorithm& algorithm,
                                             const NetworkHandle& network, const py::object& loads,
                                             const py::dict& options, const std::string& level,
                                             const py::object& progress) {
    const catalogue::TextOr<load::Loads> given = loads_from(loads);
    catalogue::expect_loads_given(given);
    const catalogue::RunRequest request = run_request(options);
    if (request.tree.given()) catalogue::expect_takes_tree(algorithm);
    std::shared_ptr<model::Record> record;
    ProgressRelay relay(progress);
    Work work;
    work.look = [&] { relay.look(); };
    work.run([&] {
        catalogue::RunOptions run_options = catalogue::run_options(request, *network);
        set_record_level(run_options, level, network->node_count(), 1);
        const catalogue::NetworkFacts facts(*network, catalogue::structures_of(request, *network));
        const load::Loads tokens = catalogue::loads_of(given, *network, request.options.seed);
        const catalogue::Supervision supervision = {work.token(), relay.callback(algorithm.name)};
        run_options.supervision = &supervision;
        record = std::make_shared<model::Record>(
            catalogue::run(algorithm, facts, tokens, run_options).record);
        if (request.optimum)
            catalogue::BestPossible(*network, tokens, run_options.speeds)
                .note_in(*record, algorithm);
    });
    return record;
}

namespace {

/// `rule`: the rule of the run if its caller gave it, otherwise None.
py::tuple replay(const model::Record& before, int threads, const py::object& rule) {
    const AlgorithmHandle given = rule.is_none() ? nullptr : algorithm_of(rule);
    catalogue::Replay result;
    Work work;
    work.run([&] {
        const catalogue::Supervision supervision = {work.token(), {}};
        catalogue::RunOptions options;
        options.threads = threads;
        options.supervision = &supervision;
        result = given == nullptr ? catalogue::replay(before, options)
                                  : catalogue::replay(before, *given, options);
    });
    return py::make_tuple(result.same, result.detail,
                          std::make_shared<model::Record>(std::move(result.outcome.record)));
}

}  // namespace

void add_runs(py::module_& module) {
    module.def("run", [](const py::object& algorithm, const NetworkHandle& network,
                         const py::object& loads, const py::dict& options, const std::string& level,
                         const py::object& progress) {
        return run_algorithm(*algorithm_of(algorithm), network, loads, options, level, progress);
    });
    module.def("replay", &replay);
}

}  // namespace equipoise::python
