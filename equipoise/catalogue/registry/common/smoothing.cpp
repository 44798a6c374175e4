#include "equipoise/catalogue/registry/common/smoothing.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue {

namespace {

constexpr double rounds_most = 1e15;

/// The bits below the token with which the idealised diffusion is played in fixed point.
unsigned fraction_bits_of(const load::Loads& loads) {
    constexpr unsigned bits_most = 20;
    const Tokens total = std::max<Tokens>(1, load::total(loads));
    unsigned bits = bits_most;
    while (bits > 0 && total > tokens_max >> bits)
        --bits;
    return bits;
}

/// Plays a rule only to count its steps: without observers or arrivals.
engine::RoundOutcome play_alone(const AnyRule& rule, const Links& links, const Task& task,
                                const engine::RoundOptions& as, const model::StopRule& stop) {
    engine::RoundOptions options;
    options.seed = as.seed;
    options.threads = as.threads;
    options.interrupt = as.interrupt;
    options.fabric = as.fabric;
    options.partition = as.partition;
    options.stop = stop;
    return play_rule(rule, links, task, options);
}

AnyRule diffusion_by(Tokens divisor) {
    return AnyRule(protocols::Diffusion(divisor));
}

}  // namespace

Parameter rounds_parameter() {
    return whole_parameter("rounds", "0", {0, rounds_most},
                           "rounds of diffusion, which all nodes know; 0: as many as the idealised "
                           "diffusion takes from these loads until it is 1-smooth");
}

engine::RoundOutcome play_diffusion(Tokens divisor, const Task& task,
                                    const engine::RoundOptions& options) {
    return play_rule(diffusion_by(divisor), all_links(), task, options);
}

std::optional<Step> steps_until_smooth(const Task& task, const AnyRule& ideal, const Links& links,
                                       const model::StopRule& standstill,
                                       const engine::RoundOptions& options) {
    const unsigned bits = fraction_bits_of(task.loads);
    load::Loads scaled = task.loads;
    for (Tokens& load : scaled)
        load <<= bits;
    const Task in_units{task.facts, scaled, task.parameters};
    model::StopRule stop = standstill;
    stop.own_termination = false;
    stop.discrepancy = Tokens{1} << bits;
    const engine::RoundOutcome played = play_alone(ideal, links, in_units, options, stop);
    if (played.stopped_because == model::StopReason::interrupted) return std::nullopt;
    return played.costs.steps;
}

Step smoothing_steps(const Task& task, Tokens divisor, const engine::RoundOptions& options,
                     model::Notes& notes) {
    if (const Step rounds = task.parameters.whole("rounds"); rounds > 0) return rounds;
    const Step steps = task.facts.steps_from(task.loads, divisor, [&] {
        model::StopRule stop;
        stop.quiet_steps = 1;
        return steps_until_smooth(task, diffusion_by(divisor), all_links(), stop, options);
    });
    notes.constants["rounds"] = std::to_string(steps);
    return steps;
}

std::optional<double> smoothness_at_end(const Task& task, const analysis::Convergence& convergence,
                                        Tokens divisor_max, double deviation) {
    if (const Step rounds = task.parameters.whole("rounds"); rounds > 0) {
        const std::optional<Step> enough = smoothing_rounds(task, convergence);
        if (!enough || rounds < *enough) return std::nullopt;
        return 1;
    }
    const double unit = std::ldexp(1.0, -static_cast<int>(fraction_bits_of(task.loads)));
    const Tokens frozen =
        theory::frozen_discrepancy(divisor_max, task.facts.diameter().upper);  // in units
    return std::max(1.0, static_cast<double>(frozen) * unit) + 2 * deviation * unit;
}

Step frozen_steps(const Task& task, const engine::RoundOptions& options) {
    model::StopRule stop;
    stop.own_termination = false;
    stop.quiet_steps = 1;
    const Step steps = play_alone(diffusion_by(0), all_links(), task, options, stop).costs.steps;
    return std::max<Step>(1, steps) - 1;  // nothing moved in the last one
}

}  // namespace equipoise::catalogue
