#include "equipoise/catalogue/registry/common/polynomial_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/theory/polynomial_scheme.hpp"

namespace equipoise::catalogue {

analysis::SchemeStart scheme_start(const Task& task) {
    constexpr double rounded_up = 1 + 1e-9;
    const network::AnyNetwork& network = task.facts.network();
    double squares = 0;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const double degree = network.degree(node);
        squares += degree * degree;
    }
    const double n = network.node_count();
    analysis::SchemeStart start;
    try {
        start.distance = std::sqrt(static_cast<double>(load::potential(task.loads)) / n);
    } catch (const OverflowError&) {
        start.distance = std::sqrt(n) * static_cast<double>(load::discrepancy(task.loads));
    }
    start.distance *= rounded_up;
    for (const Tokens load : task.loads)
        start.load_max = std::max(start.load_max, static_cast<double>(load) * rounded_up);
    start.degree_norm = std::sqrt(squares) * rounded_up;
    start.degree_max = network.degree_max();
    return start;
}

model::Guarantee imitation_promise(const Task& task, double spread, Step rounds,
                                   const char* theorems) {
    const network::AnyNetwork& network = task.facts.network();
    std::pair<Port, Port> most;  // the largest degree first
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const Port degree = network.degree(node);
        if (degree > most.first)
            most = {degree, most.first};
        else
            most.second = std::max(most.second, degree);
    }
    return {theory::imitated_discrepancy(most.first, most.second, spread), rounds,
            std::string("polynomial schemes (docs/results), Theorems ") + theorems};
}

engine::RoundOutcome play_scheme(const Task& task, const engine::RoundOptions& options,
                                 model::Notes& notes, Step rounds, const Play& play) {
    engine::RoundOutcome outcome = play(options);
    note_least_load(task, outcome, notes);
    notes.constants["rounds"] = std::to_string(rounds);
    return outcome;
}

}  // namespace equipoise::catalogue
