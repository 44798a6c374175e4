#include "equipoise/optimum/steps/scaled_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/steps/delayed_flow.hpp"
#include "equipoise/optimum/steps/flow_windows.hpp"
#include "equipoise/optimum/steps/gate_limits.hpp"
#include "equipoise/optimum/steps/layered_flow.hpp"
#include "equipoise/optimum/steps/phased_steps.hpp"
#include "equipoise/optimum/steps/static_flow.hpp"

namespace equipoise::optimum {

namespace {

/// By node, the first step before which a token can be there; `CutOverTime::never` if none can.
std::vector<Step> first_arrivals(const Problem& problem) {
    const network::Network& network = *problem.network;
    std::vector<Step> arrivals(network.node_count(), CutOverTime::never);
    std::vector<NodeId> found;
    found.reserve(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (problem.loads[node] == 0) continue;
        arrivals[node] = 0;
        if (problem.ports_of(node) > 0) found.push_back(node);
    }
    for (std::size_t at = 0; at < found.size(); ++at)
        for (const NodeId other : network.neighbours(found[at])) {
            if (problem.ports_of(other) == 0 || arrivals[other] != CutOverTime::never) continue;
            arrivals[other] = arrivals[found[at]] + 1;
            found.push_back(other);
        }
    return arrivals;
}

/// The cut that a flow ran into, over `steps` steps. A node joins when the first token can be
/// there.
CutOverTime cut_of(const Problem& problem, const StaticFlow& flow,
                   const std::vector<Step>& arrivals, Step steps) {
    using Side = StaticFlow::Side;
    const std::vector<Side> sides = flow.sides();
    CutOverTime cut;
    cut.steps = steps;
    cut.nodes.resize(sides.size());
    for (NodeId node = 0; node < sides.size(); ++node) {
        CutOverTime::Node& at = cut.nodes[node];
        const Step arrival = arrivals[node];
        if (sides[node] == Side::receives && arrival != CutOverTime::never) {
            at.receive_first = std::min(steps, arrival == 0 ? 0 : arrival - 1);
            at.receive_end = steps;
        }
        if (sides[node] != Side::inside && sides[node] != Side::sends) continue;
        if (arrival > steps) continue;
        at.inside = arrival;
        if (sides[node] == Side::sends) {
            at.send_first = std::min(steps, arrival);
            at.send_end = steps;
        }
    }
    add_up(problem, cut);
    return cut;
}

[[noreturn]] void throw_unreachable(const Problem& problem, const StaticFlow& flow) {
    const CutOverTime cut = cut_of(problem, flow, first_arrivals(problem), 1);
    NodeId first = no_node;
    std::uint64_t nodes = 0;
    for (NodeId node = 0; node < cut.nodes.size(); ++node) {
        if (cut.nodes[node].inside != 0) continue;
        if (nodes++ == 0) first = node;
    }
    const bool one = nodes == 1;
    throw UnsuitableError("the target cannot be reached: " +
                          (one ? "node " + std::to_string(first) + " (counted from 0) holds "
                               : std::to_string(nodes) + " nodes (one of them is node " +
                                     std::to_string(first) + ", counting from 0) hold ") +
                          with_noun(static_cast<std::uint64_t>(cut.surplus), "token", "tokens") +
                          " more than " + (one ? "its" : "their") + " target, and " +
                          (cut.surplus == 1 ? "this token" : "these tokens") + " cannot leave " +
                          (one ? "it" : "them"));
}

/// Both bounds, which share their flow.
class Search {
  public:
    Search(const Problem& problem, const ScaledStepsOptions& options)
        : problem_(problem), options_(options), flow_(problem) {}

    void find_bound() {
        arrivals_ = first_arrivals(problem_);
        // One step less than a single node needs, so that a cut is found.
        flow_.lengthen(std::max<Step>(1, single_nodes()) - 1);
        // In trees there is one way only, which a search goes along link by link, again and again.
        if (problem_.network->link_count() < problem_.loads.size() && all_room_is_needed())
            if (const auto flow = forest_flow(problem_)) flow_.follow(*flow);
        std::vector<Step> at_once(arrivals_.size(), 0);
        raise(at_once);
        result_.bound = proved();
        open_gates_late();
        raise(arrivals_);
        result_.at_least = proved();
    }
    void find_flow() {
        if (result_.at_least == 0 && !stopped())
            result_.lower(0, FlowOverTime{});
        else
            enclose();
        if (result_.exact())
            result_.open.clear();
        else if (stopped())
            result_.open = asked_to_stop;
    }
    [[nodiscard]] EnclosedSteps take() { return std::move(result_); }

  private:
    /// What the last cut proves; a search that is stopped may have none yet.
    [[nodiscard]] Step proved() const { return result_.cut ? result_.cut->steps + 1 : 0; }
    /// Whether all nodes end with as many tokens as they may hold.
    [[nodiscard]] bool all_room_is_needed() const {
        return problem_.target.room() == load::total(problem_.loads);
    }
    /// The steps that some node needs to send or receive all that it must.
    [[nodiscard]] Step single_nodes() const {
        Tokens most = 0;
        const bool exact = all_room_is_needed();
        for (NodeId node = 0; node < problem_.loads.size(); ++node) {
            const Tokens ways = problem_.all_ports ? Tokens{problem_.network->degree(node)}
                                                   : problem_.ports_of(node);
            if (ways == 0 || problem_.ports_of(node) == 0) continue;
            const Tokens above = problem_.loads[node] - problem_.target.base[node];
            if (above > 1) most = std::max(most, ceil_divide(above - 1, ways));
            if (exact && above < 0) most = std::max(most, ceil_divide(-above, ways));
        }
        return static_cast<Step>(most);
    }
    /// Raises T until all tokens pass; the last cut stays.
    void raise(const std::vector<Step>& arrivals) {
        while (true) {
            const FlowOutcome outcome = flow_.carry(options_.stop);
            if (outcome != FlowOutcome::blocked) return;
            const auto missing = flow_.missing();
            if (!missing) throw_unreachable(problem_, flow_);
            const Step steps = flow_.steps() + *missing;
            CutOverTime cut = cut_of(problem_, flow_, arrivals, steps - 1);
            EQUIPOISE_ASSERT(cut.surplus > cut.crossings);
            result_.cut = std::move(cut);
            flow_.lengthen(steps);
        }
    }
    void open_gates_late() {
        const Step steps = flow_.steps();
        const auto lower = [&](Gate gate, Step late, Tokens ports) {
            if (late == 0 || late == CutOverTime::never) return;
            flow_.limit(gate,
                        most_passing(ports, static_cast<Tokens>(steps - std::min(late, steps))));
        };
        const network::Network& network = *problem_.network;
        if (problem_.all_ports) {
            for (LinkId link = 0; link < network.link_count(); ++link) {
                lower(2 * link, arrivals_[network.ends(link).tail], 1);
                lower(2 * link + 1, arrivals_[network.ends(link).head], 1);
            }
            return;
        }
        for (NodeId node = 0; node < network.node_count(); ++node)
            if (arrivals_[node] > 0) lower(node, arrivals_[node] - 1, problem_.ports_of(node));
    }
    /// Lays the flow that shows the bound into `steps` steps, without any change to it.
    [[nodiscard]] bool lay(Step steps) {
        FlowWindows windows(problem_, flow_);
        const auto tight = windows.lay(order_, steps, false, options_.stop);
        if (!tight || !tight->empty()) return false;
        result_.lower(steps, windows.flow_over_time());
        return true;
    }
    enum class Attempt : std::uint8_t { fits, failed, unfinished };
    static constexpr int few_rounds = 3;
    static constexpr int rounds_max = 24;
    /// Narrows gates, at most so many times, until all windows fit.
    [[nodiscard]] Attempt attempt(Step steps, int rounds_max) {
        StaticFlow flow = flow_;
        flow.lengthen(steps);
        std::vector<NodeId> order = order_;
        constexpr std::size_t gates_to_hurry_max = 50;
        for (int round = 0; round < rounds_max; ++round) {
            if (round == few_rounds && !short_ways_tried_) {
                shorten_ways();
                if (result_.exact()) return Attempt::fits;
            }
            if (round > 0) {
                if (flow.carry(options_.stop) != FlowOutcome::carried) return Attempt::failed;
                order = flow.straighten(options_.stop);
                if (order.empty()) return Attempt::failed;
            }
            FlowWindows windows(problem_, flow);
            auto tight = windows.lay(order, steps, false, options_.stop);
            if (tight && !tight->empty() && tight->size() <= gates_to_hurry_max)
                if (auto fewer = windows.lay(order, steps, true, options_.stop);
                    fewer && fewer->size() < tight->size())
                    tight = std::move(fewer);
            if (!tight) return Attempt::failed;
            if (tight->empty()) {
                result_.lower(steps, windows.flow_over_time());
                return Attempt::fits;
            }
            for (const TightGate& gate : *tight)
                if (gate.most < flow.most(gate.gate)) flow.limit(gate.gate, gate.most);
            if (stopped()) return Attempt::failed;
        }
        return Attempt::unfinished;
    }
    [[nodiscard]] bool fits(Step steps) { return attempt(steps, rounds_max) == Attempt::fits; }
    /// Where windows are not soon found.
    void shorten_ways() {
        short_ways_tried_ = true;
        lower_by_short_ways(problem_, phased_options(true), result_);
        lower_by_delayed_ways(problem_, phased_options(true), result_);
    }
    [[nodiscard]] PhasedStepsOptions phased_options(bool briefly) const {
        return {.memory_bytes_max = options_.memory_bytes_max,
                .stop = options_.stop,
                .briefly = briefly};
    }
    /// Some number of steps that is enough, however little time there is.
    void find_any_flow() {
        std::optional<LinkFlow> flow;
        if (flow_.carry(options_.stop) == FlowOutcome::carried)
            order_ = flow_.straighten(options_.stop);
        if (order_.empty())
            flow = forest_flow(problem_);
        else
            flow = flow_.over_links();
        if (!flow) return;
        FlowOverTime delayed = delayed_flow(problem_, *flow);
        const Step steps = delayed.steps;
        result_.lower(steps, std::move(delayed));
    }
    void enclose() {
        find_any_flow();
        // Few steps are decided layer by layer, in less time than many rounds take; more in phases,
        // which take more than these.
        const Step attempted = result_.at_least;
        const bool by_layers = attempted <= options_.layers_max;
        if (result_.exact() || stopped()) return;
        const Attempt first = attempt(attempted, by_layers ? few_rounds : rounds_max);
        if (first == Attempt::fits) return;
        if (by_layers) {
            decide_few_steps();
        } else {
            if (!short_ways_tried_) shorten_ways();
            lower_by_delayed_ways(problem_, phased_options(false), result_);
            lower_by_phases(problem_, phased_options(true), result_);
        }
        if (result_.exact() || stopped()) return;
        if (by_layers && first == Attempt::unfinished && result_.at_least == attempted &&
            fits(attempted))
            return;
        shorten(std::max(result_.at_least, attempted + 1));
    }
    /// Bisects from `open` steps on: first without a change to the flow, which is soon done.
    void shorten(Step open) {
        for (Step low = open; low < *result_.at_most && !stopped();) {
            const Step middle = low + (*result_.at_most - low) / 2;
            if (!lay(middle)) low = middle + 1;
        }
        for (Step stride = 2; open < *result_.at_most && !stopped(); stride *= 2) {
            const Step steps = open + stride / 2 - 1;
            if (steps >= *result_.at_most || fits(steps)) break;
            open = steps + 1;
        }
        while (open < *result_.at_most && !stopped()) {
            const Step middle = open + (*result_.at_most - open) / 2;
            if (!fits(middle)) open = middle + 1;
        }
        if (!result_.exact())
            result_.open = "neither a better cut nor a shorter flow in windows was found";
    }
    /// Decides layer by layer, where rates are too coarse.
    void decide_few_steps() {
        const auto worthwhile = [&] {
            return !result_.exact() && !stopped() && result_.at_least <= options_.layers_max &&
                   LayeredFlow::fits(problem_, result_.at_least, options_.memory_bytes_max);
        };
        if (!worthwhile()) return;
        LayeredFlow layers(problem_, result_.at_least);
        layers.follow(flow_.over_links());
        while (true) {
            const FlowOutcome outcome = layers.carry(options_.stop);
            if (outcome == FlowOutcome::stopped) return;
            if (outcome == FlowOutcome::carried) {
                layers.shrink();
                result_.lower(layers.steps(), layers.flow_over_time());
                return;
            }
            result_.raise(layers.steps() + 1, layers.cut());
            if (!worthwhile()) return;
            layers.add_step();
        }
    }
    [[nodiscard]] bool stopped() const { return options_.stop.stop_requested(); }
    const Problem& problem_;
    const ScaledStepsOptions& options_;
    StaticFlow flow_;
    std::vector<Step> arrivals_;
    std::vector<NodeId> order_;  ///< in which tokens of `flow_` only go forward; none if not found
    EnclosedSteps result_;
    bool short_ways_tried_ = false;
};

}  // namespace

EnclosedSteps scaled_bound(const Problem& problem, const std::stop_token& stop) {
    const ScaledStepsOptions options{.stop = stop};
    Search search(problem, options);
    search.find_bound();
    return search.take();
}

EnclosedSteps scaled_steps(const Problem& problem, const ScaledStepsOptions& options) {
    EQUIPOISE_ASSERT(problem.plain());
    Search search(problem, options);
    search.find_bound();
    search.find_flow();
    return search.take();
}

}  // namespace equipoise::optimum
