#include "equipoise/optimum/steps/minimum_steps.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/steps/layered_network.hpp"
#include "equipoise/optimum/steps/line_schedule.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"

namespace equipoise::optimum {

namespace {

/// Sizes of fat steps that add up to `steps`: the size of a step is a quarter of its distance from
/// the nearer end, rounded down to a power of two.
std::vector<Step> lumped(Step steps) {
    constexpr Step share = 4;
    std::vector<Step> sizes;
    for (Step elapsed = 0; elapsed < steps;) {
        const Step left = steps - elapsed;
        const Step size = std::max<Step>(1, std::min(elapsed, left) / share);
        sizes.push_back(std::bit_floor(size));
        elapsed += sizes.back();
    }
    return sizes;
}

std::vector<Step> sizes_of(const std::vector<FatStep>& steps) {
    std::vector<Step> sizes;
    sizes.reserve(steps.size());
    for (const FatStep& step : steps)
        sizes.push_back(step.size);
    return sizes;
}

/// The routing, in steps of the given sizes, in which every token that may stay where it is stays.
Routing staying(const Problem& problem, const std::vector<Step>& sizes) {
    Routing routing;
    Tokens extras = problem.target.extras;
    for (NodeId node = 0; node < problem.loads.size(); ++node) {
        const Tokens base = problem.target.base[node];
        Tokens stay = std::min(problem.loads[node], base);
        if (problem.loads[node] > base && problem.target.extra_at(node) && extras > 0) {
            ++stay;
            --extras;
        }
        routing.started.push_back(stay);
    }
    for (const Step size : sizes)
        routing.steps.push_back({size, {}});
    return routing;
}

/// Halves the steps of a routing until they are as small as `size_of(index, size)`.
template <class SizeOf>
void split(Routing& routing, const SizeOf& size_of, NodeId nodes) {
    std::vector<FatStep> steps;
    for (std::size_t i = 0; i < routing.steps.size(); ++i) {
        std::vector<FatStep> open;  // the next on top
        open.push_back(std::move(routing.steps[i]));
        const Step size = size_of(i, open.back().size);
        while (!open.empty()) {
            FatStep step = std::move(open.back());
            open.pop_back();
            if (step.size <= size) {
                steps.push_back(std::move(step));
                continue;
            }
            FatStep first;
            FatStep second;
            halve(step, nodes, first, second);
            open.push_back(std::move(second));
            open.push_back(std::move(first));
        }
    }
    routing.steps = std::move(steps);
}

/// Arcs of a network of this many layers, at most.
std::uint64_t arcs_of_layers(const Problem& problem, std::uint64_t layers) {
    return (layers + 1) * 2 * (problem.network->link_count() + 4 * problem.loads.size());
}

enum class Answer : std::uint8_t { enough, too_few, too_large, stopped };

/// Decides whether given numbers of steps are enough.
class Decider {
  public:
    Decider(const Problem& problem, const MinimumStepsOptions& options)
        : problem_(problem),
          options_(options),
          budget_(options.stop, options.looks_max),
          tokens_(load::total(problem.loads)) {}

    /// If enough, `steps` is a schedule; if too few, `certificate` says why.
    Answer decide(Step steps) {
        std::vector<Step> sizes;
        if (problem_.plain()) {
            sizes = lumped(steps);
        } else {
            if (!fits(steps)) return Answer::too_large;
            sizes.assign(steps, 1);
        }
        Routing routing = staying(problem_, sizes);
        Tokens value_before = -1;
        while (true) {
            if (!fits(routing.steps.size())) return Answer::too_large;
            // Building the network costs about as much as a few looks at each arc.
            if (!budget_.spend(4 * arcs(routing.steps.size()))) return Answer::stopped;
            const LayeredNetwork network(problem_, sizes_of(routing.steps));
            const Flow flow = maximum_flow(
                network.flow_network(),
                problem_.plain() ? network.flow_of(routing) : std::vector<std::int64_t>{},
                &budget_);
            if (!flow.complete) return Answer::stopped;
            if (flow.value == tokens_) {
                steps_ = network.routing_of(flow.by_arc).steps;
                return Answer::enough;
            }
            std::vector<std::size_t> coarse;
            for (const std::size_t step : network.changing_steps(flow.source_side))
                if (routing.steps[step].size > 1) coarse.push_back(step);
            const bool stuck = flow.value == value_before;
            value_before = flow.value;
            if (coarse.empty()) {
                prove(network, flow.source_side);
                return Answer::too_few;
            }
            routing = network.routing_of(flow.by_arc);
            refine(routing, coarse, stuck);
        }
    }

    [[nodiscard]] std::vector<FatStep> take_steps() { return std::move(steps_); }
    [[nodiscard]] Certificate take_certificate() { return std::move(certificate_); }
    [[nodiscard]] std::optional<CutOverTime> take_cut() { return std::move(cut_); }

  private:
    void prove(const LayeredNetwork& network, const std::vector<std::uint8_t>& source_side) {
        if (problem_.all_ports) {
            cut_ = network.cut_over_time_of(source_side);
            EQUIPOISE_ASSERT(cut_->crossings < cut_->surplus);
        } else {
            certificate_ = network.certificate_of(source_side);
            EQUIPOISE_ASSERT(certificate_.crossings < certificate_.surplus);
        }
    }
    /// Splits some of the steps: first all of the largest size, as long as tokens that pass through
    /// some node in lumps of that size would overflow it; then those in which the cut changes, and
    /// again all of the largest size if the cut has only moved to the next step.
    void refine(Routing& routing, const std::vector<std::size_t>& changing, bool stuck) const {
        const NodeId nodes = problem_.network->node_count();
        const auto mean_room = static_cast<Step>(problem_.target.room() / Tokens{nodes});
        Step most = 0;
        for (const FatStep& step : routing.steps)
            most = std::max(most, step.size);
        const bool all_largest = stuck || most > std::max<Step>(1, mean_room);
        split(
            routing,
            [&](std::size_t i, Step size) {
                if (all_largest) return size == most ? size / 2 : size;
                const bool changes = std::binary_search(changing.begin(), changing.end(), i);
                return changes ? std::max<Step>(1, size / 4) : size;
            },
            nodes);
    }
    [[nodiscard]] bool fits(std::uint64_t steps) const {
        const std::uint64_t one = LayeredNetwork::memory_bytes(problem_, 0);
        if (steps >= options_.memory_bytes_max / one) return false;
        return arcs(steps) < std::numeric_limits<FlowArc>::max() / 2;  // half arcs have 32 bits
    }
    [[nodiscard]] std::uint64_t arcs(std::uint64_t layers) const {
        return arcs_of_layers(problem_, layers);
    }

    const Problem& problem_;
    const MinimumStepsOptions& options_;
    FlowBudget budget_;
    Tokens tokens_;
    std::vector<FatStep> steps_;
    Certificate certificate_;
    std::optional<CutOverTime> cut_;
};

Certificate certificate_of(const Problem& problem, const StaticBound& bound) {
    Certificate certificate;
    if (bound.steps == 0) return certificate;
    certificate.steps = bound.steps - 1;
    certificate.zones = {{.first = 0,
                          .steps = bound.steps - 1,
                          .nodes = bound.cut.nodes,
                          .senders = bound.cut.senders,
                          .receivers = bound.cut.receivers,
                          .dropped = {}}};
    certificate.last_zone = bound.cut.nodes;
    add_up(problem, certificate);
    EQUIPOISE_ASSERT(certificate.crossings < certificate.surplus);
    return certificate;
}

/// Theorem 1, and what follows from the times at which the first tokens can be at each node.
EnclosedSteps bound_from_below(const Problem& problem, const std::stop_token& stop) {
    if (problem.all_ports) return scaled_bound(problem, stop);
    EnclosedSteps result;
    const StaticBound bound = static_bound(problem, stop);
    result.bound = bound.steps;
    result.at_least = bound.steps;
    result.certificate = certificate_of(problem, bound);
    return result;
}

/// The problem with a target that respects its capacities.
Problem checked(const Problem& problem) {
    Problem clipped = problem;
    clipped.target = within_capacities(std::move(clipped.target), problem.capacities);
    clipped.check();
    return clipped;
}

}  // namespace

EnclosedSteps minimum_steps(const Problem& problem, const MinimumStepsOptions& options) {
    const Problem clipped = checked(problem);
    EnclosedSteps result = bound_from_below(clipped, options.stop);
    const std::uint64_t moves_max = options.memory_bytes_max / (sizeof(FatStep) + sizeof(FatMove));
    if (auto steps =
            clipped.all_ports ? std::nullopt : line_schedule(clipped, result.bound, moves_max)) {
        result.lower(result.bound, std::move(*steps));
        return result;
    }
    narrow(clipped, options, result);
    if (!result.exact() && options.stop.stop_requested()) result.open = asked_to_stop;
    return result;
}

void narrow(const Problem& problem, const MinimumStepsOptions& options, EnclosedSteps& known) {
    const Problem clipped = checked(problem);
    Decider decider(clipped, options);
    Step open = known.at_least;  // all below are too few, or too large to decide
    bool undecided = false;
    known.open.clear();
    const auto attempt = [&](Step steps) {
        const Answer answer = decider.decide(steps);
        if (answer == Answer::stopped) return answer;
        if (answer == Answer::enough) {
            known.lower(steps, decider.take_steps());
            return answer;
        }
        undecided = undecided || answer == Answer::too_large;
        if (answer == Answer::too_few) {
            if (auto cut = decider.take_cut())
                known.raise(steps + 1, std::move(*cut));
            else
                known.raise(steps + 1, decider.take_certificate());
        }
        open = steps + 1;
        return answer;
    };
    // Goes up in growing strides until a schedule is found; then, and if strides are longer, halves
    // the numbers between those that are too few and one that is enough.
    constexpr int tries_in_vain_max = 12;
    int tries_in_vain = 0;
    for (Step stride = 1; !known.at_most || open < *known.at_most; stride *= 2) {
        Step steps = stride == 1 ? open : open + stride / 2 - 1;
        if (known.at_most) steps = std::min(steps, open + (*known.at_most - open) / 2);
        const Answer answer = attempt(steps);
        if (answer == Answer::stopped) {
            known.open = asked_to_stop;
            return;
        }
        if (answer == Answer::too_large && !known.at_most &&
            (!problem.plain() || ++tries_in_vain == tries_in_vain_max))
            break;
    }
    EQUIPOISE_ASSERT(undecided || known.exact());
    if (known.exact()) return;
    known.open = known.at_most ? memory_ran_out : no_schedule_in_memory;
    if (known.at_most || problem.plain()) return;
    // All steps of other problems are expanded, whatever the search has learned.
    constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
    const std::uint64_t one = LayeredNetwork::memory_bytes(problem, 0);
    const UInt128 all = UInt128{one} * (known.at_least + 1);
    known.open += "; " + std::to_string(known.at_least) + " steps take " +
                  load::to_decimal(static_cast<Int128>(all / mib + 1)) + " MiB";
}

std::uint64_t lumped_arcs(const Problem& problem, Step steps) {
    return arcs_of_layers(problem, lumped(steps).size());
}

UInt128 fewest_exchanges_bytes(const Problem& problem, Step steps) {
    // The simplex needs about three times as much memory per arc as the network itself.
    return (UInt128{steps} + 1) * 3 * LayeredNetwork::memory_bytes(problem, 0);
}

std::optional<FewestExchangesWithin> fewest_exchanges_within(const Problem& problem, Step steps,
                                                             const MinimumStepsOptions& options) {
    const Problem clipped = checked(problem);
    if (fewest_exchanges_bytes(problem, steps) > options.memory_bytes_max) return std::nullopt;
    // To make the network takes as long as a search may.
    if (options.stop.stop_requested()) return std::nullopt;
    const LayeredNetwork network(clipped, std::vector<Step>(steps, 1));
    const CheapestFlow flow =
        cheapest_flow(network.flow_network(), network.link_costs(), load::total(problem.loads),
                      [&] { return options.stop.stop_requested(); });
    if (!flow.feasible) return std::nullopt;
    FewestExchangesWithin result;
    result.steps = network.routing_of(flow.by_arc).steps;
    result.exchanges = exchanges_of(result.steps);
    return result;
}

}  // namespace equipoise::optimum
