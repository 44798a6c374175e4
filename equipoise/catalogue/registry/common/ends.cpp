#include "equipoise/catalogue/registry/common/ends.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue {

namespace {

/// Links that a run may visit only to make sure that it is over: seconds, not minutes.
constexpr std::uint64_t proof_budget = 2'000'000'000;

}  // namespace

Step steps_of_one_tour(const Task& task) {
    return std::max<Step>(1, Step{task.facts.colour_count()} * task.loads.size());
}

Step steps_affordable(const Task& task) {
    const Step colours = std::max<Step>(1, task.facts.colour_count());
    return std::max(steps_of_one_tour(task),
                    proof_budget / links_visited(task.facts.network().link_count() / colours));
}

DefaultStop stop_when_stable(const Task& task) {
    const Step window = std::max<Step>(1, task.facts.stability_window());
    DefaultStop stop;
    stop.rule.own_termination = false;
    stop.window_is_proof = window <= steps_affordable(task);
    stop.rule.stable_steps = stop.window_is_proof ? window : steps_of_one_tour(task);
    return stop;
}

DefaultStop stop_when_quiet(Step steps) {
    DefaultStop stop;
    stop.rule.own_termination = false;
    stop.rule.quiet_steps = steps;
    return stop;
}

DefaultStop stop_at_discrepancy(Tokens discrepancy) {
    DefaultStop stop;
    stop.rule.own_termination = false;
    stop.rule.discrepancy = discrepancy;
    return stop;
}

DefaultStop stop_after_quiet_round(const Task& task) {
    return stop_when_quiet(std::max<Step>(1, task.facts.colour_count()));
}

DefaultStop stop_after_quiet_round(NodeId /*nodes*/, Step period) {
    return stop_when_quiet(std::max<Step>(1, period));
}

DefaultStop stop_when_level_or_circling(NodeId nodes, Step period) {
    DefaultStop stop;
    stop.rule.own_termination = false;
    stop.rule.one_balanced = true;
    stop.rule.stable_steps = std::max<Step>(1, period * nodes);
    stop.window_is_proof = false;
    return stop;
}

Step steps_until_quiet(const Task& task, std::uint64_t rounds_by_theorem, Step phases) {
    std::uint64_t rounds = rounds_by_theorem;
    try {
        rounds = std::min(rounds, theory::deal_rounds_by_potential(load::potential(task.loads),
                                                                   task.loads.size()));
    } catch (const OverflowError&) {
        // A potential beyond 128 bits allows more rounds than the theorem.
    }
    return (std::min(rounds, ~std::uint64_t{0} / phases - 1) + 1) * phases;
}

DefaultStop stop_when_one_balanced(const Task& /*task*/) {
    DefaultStop stop;
    stop.rule.own_termination = false;
    stop.rule.one_balanced = true;
    return stop;
}

model::Guarantee promise_one_balanced(const Task& task) {
    return {static_cast<Tokens>(task.facts.diameter().upper),
            {},
            "the state it ends in: neighbours differ by at most 1"};
}

}  // namespace equipoise::catalogue
