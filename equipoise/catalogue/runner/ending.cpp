#include "equipoise/catalogue/runner/ending.hpp"

#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::catalogue {

namespace {

/// Whether this many stable steps prove that no link becomes steep again: only if the algorithm's
/// own window proves that and is not longer.
bool proves_stability(Step steps, const DefaultStop& own) {
    return own.window_is_proof && own.rule.stable_steps && steps >= *own.rule.stable_steps;
}

/// Whether a rule that was asked for waits in vain with an algorithm that ends by its discrepancy:
/// for a lower discrepancy than whole tokens allow, or for a sign of its own.
bool waits_in_vain(const model::StopRule& asked, const DefaultStop& own, const Task& task) {
    if (!own.rule.discrepancy || own.rule.own_termination) return false;
    if (!asked.discrepancy) return asked.own_termination;
    return *asked.discrepancy < *own.rule.discrepancy && task.speeds.empty() &&
           load::total(task.loads) % static_cast<Tokens>(task.loads.size()) != 0;
}

/// Whether a run ended as its caller asked.
bool satisfies(const model::StopRule& asked, const DefaultStop& stop, const Ending& ending) {
    using model::StopReason;
    const StopReason reason = ending.reason;
    const bool at_rest = reason == StopReason::quiet || reason == StopReason::own_termination ||
                         reason == StopReason::nothing_to_do;
    return (reason == StopReason::discrepancy && stop.rule.discrepancy == asked.discrepancy) ||
           (asked.discrepancy && ending.discrepancy <= *asked.discrepancy) ||
           (asked.one_balanced &&
            (reason == StopReason::one_balanced || ending.local_imbalance <= 1)) ||
           (asked.own_termination && at_rest) || (asked.quiet_steps && at_rest) ||
           (asked.stable_steps && (at_rest || reason == StopReason::stable));
}

}  // namespace

std::optional<model::StopRule> asked_stop(const Task& task, const RunOptions& options) {
    std::optional<model::StopRule> rule = options.stop;
    if (rule && rule->discrepancy && !options.stop_in_units)
        rule->discrepancy =
            checked_multiply(*rule->discrepancy, static_cast<Tokens>(task.load_scale));
    return rule;
}

DefaultStop planned_stop(const Algorithm& algorithm, const Task& task, const RunOptions& options) {
    DefaultStop stop;
    if (options.stop) {
        stop.rule = *asked_stop(task, options);
        stop.window_is_proof = false;
        if (!options.world_changes()) {
            const DefaultStop own = algorithm.default_stop(task);
            if (!options.steps_max) {
                const bool in_vain = waits_in_vain(stop.rule, own, task);
                stop = with_own_ends(stop.rule, own);
                if (in_vain) stop.rule.discrepancy = own.rule.discrepancy;
            } else if (stop.rule.stable_steps) {
                stop.window_is_proof = proves_stability(*stop.rule.stable_steps, own);
            }
        }
    } else if (options.world_changes()) {
        // A level network is not an end if tokens may arrive in the next round.
        stop.rule.own_termination = false;
    } else {
        stop = algorithm.default_stop(task);
    }
    if (options.world_changes() && !options.steps_max) stop.rule.steps_max = world_steps_default;
    if (options.steps_max && *options.steps_max < stop.rule.steps_max) {
        stop.rule.steps_max = *options.steps_max;
        stop.cap_means.clear();
    }
    return stop;
}

DefaultStop with_own_ends(const model::StopRule& asked, const DefaultStop& own) {
    constexpr Step patience = 10;
    DefaultStop stop;
    stop.rule = asked;
    stop.rule.own_termination = asked.own_termination || own.rule.own_termination;
    stop.rule.one_balanced = asked.one_balanced || own.rule.one_balanced;
    if (!asked.quiet_steps) stop.rule.quiet_steps = own.rule.quiet_steps;
    if (!asked.stable_steps) stop.rule.stable_steps = own.rule.stable_steps;
    stop.window_is_proof = stop.rule.stable_steps && proves_stability(*stop.rule.stable_steps, own);
    if (own.rule.steps_max <= ~Step{0} / patience)
        stop.rule.steps_max = own.rule.steps_max * patience;
    return stop;
}

bool reached_end(const Algorithm& algorithm, const std::optional<model::StopRule>& asked,
                 const DefaultStop& stop, const Ending& ending) {
    using model::StopReason;
    if (ending.reason == StopReason::interrupted) return false;
    if (ending.reason == StopReason::steps_max && stop.cap_means.empty()) return false;
    if (asked) return satisfies(*asked, stop, ending);
    if (algorithm.goal_one_balanced && ending.equal_speeds && ending.local_imbalance > 1)
        return false;
    return !algorithm.goal_discrepancy || ending.discrepancy <= *algorithm.goal_discrepancy;
}

std::string reason_of(model::StopReason reason, const DefaultStop& stop) {
    if (reason == model::StopReason::stable && !stop.window_is_proof) return "no-progress";
    if (reason == model::StopReason::steps_max && !stop.cap_means.empty()) return stop.cap_means;
    return model::to_string(reason);
}

}  // namespace equipoise::catalogue
