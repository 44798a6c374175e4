#include "equipoise/optimum/steps/fewest_steps.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/phased_steps.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"

namespace equipoise::optimum {

namespace {

/// The better of both ends.
EnclosedSteps both(EnclosedSteps one, EnclosedSteps other) {
    if (other.at_least > one.at_least) {
        if (other.cut)
            one.raise(other.at_least, std::move(*other.cut));
        else
            one.raise(other.at_least, std::move(other.certificate));
    }
    if (other.at_most && (!one.at_most || *other.at_most < *one.at_most)) {
        if (other.flow)
            one.lower(*other.at_most, std::move(*other.flow));
        else
            one.lower(*other.at_most, std::move(other.steps));
    }
    one.bound = std::max(one.bound, other.bound);
    one.open = one.exact() ? std::string() : std::move(other.open);
    return one;
}

}  // namespace

std::uint64_t bounds_memory_bytes(const Problem& problem) {
    // Only the bound of one port is found on a network of arcs that are stored.
    if (!problem.plain() && !problem.all_ports) return static_bound_bytes(problem);
    constexpr std::uint64_t bytes_per_link = 100;  // two flows, and windows for some of the links
    constexpr std::uint64_t bytes_per_node = 250;
    return bytes_per_link * problem.network->link_count() + bytes_per_node * problem.loads.size();
}

EnclosedSteps fewest_steps(const Problem& problem, const FewestStepsOptions& options) {
    MinimumStepsOptions layers{.memory_bytes_max = options.memory_bytes_max, .stop = options.stop};
    if (!problem.plain()) return minimum_steps(problem, layers);
    EnclosedSteps found;
    // Steps are lumped the more the longer they are; their number hardly matters.
    constexpr Step some_steps = 100;
    if (lumped_arcs(problem, some_steps) <= options.small_arcs_max) {
        MinimumStepsOptions at_first = layers;
        const bool has_circles = problem.network->link_count() >= problem.loads.size();
        at_first.looks_max = has_circles ? options.small_looks_max : options.tree_looks_max;
        found = minimum_steps(problem, at_first);
        if (found.exact()) return found;
    }
    // From here on bounds, or the proofs that they gave, are in memory as well.
    const std::uint64_t bounds = bounds_memory_bytes(problem);
    const std::uint64_t rest =
        options.memory_bytes_max - std::min(options.memory_bytes_max, bounds);
    layers.memory_bytes_max = rest;
    found = both(std::move(found),
                 scaled_steps(problem, {.stop = options.stop, .memory_bytes_max = rest}));
    if (!found.exact() && lumped_arcs(problem, found.at_least) <= options.medium_arcs_max) {
        MinimumStepsOptions before_phases = layers;
        before_phases.looks_max = options.medium_looks_max;
        narrow(problem, before_phases, found);
    }
    lower_by_phases(problem, {rest, options.stop}, found);
    if (!found.exact() && !options.stop.stop_requested()) narrow(problem, layers, found);
    if (!found.exact() && options.stop.stop_requested()) found.open = asked_to_stop;
    return found;
}

}  // namespace equipoise::optimum
