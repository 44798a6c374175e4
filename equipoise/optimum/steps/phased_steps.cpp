#include "equipoise/optimum/steps/phased_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/network/network.hpp"
#include "equipoise/optimum/steps/delayed_flow.hpp"
#include "equipoise/optimum/steps/phased_flow.hpp"
#include "equipoise/optimum/steps/phases.hpp"
#include "equipoise/optimum/steps/places.hpp"
#include "equipoise/optimum/steps/refined_flow.hpp"

namespace equipoise::optimum {

namespace {

constexpr std::uint32_t few_pieces = 8;
constexpr std::uint32_t some_pieces = 64;
constexpr std::uint32_t all_pieces = std::uint32_t{1} << 31U;

/// On a network in one piece.
bool has_circles(const Problem& problem) {
    return problem.network->link_count() >= problem.network->node_count();
}

class PhasedSearch {
  public:
    PhasedSearch(const Problem& problem, const PhasedStepsOptions& options,
                 std::vector<std::uint32_t> places, EnclosedSteps& known)
        : problem_(problem),
          options_(options),
          places_(std::move(places)),
          known_(known),
          open_(known.at_least) {}

    void search() {
        if (options_.briefly) {
            static_cast<void>(is_enough(known_.at_least, few_pieces));
            return;
        }
        for (const std::uint32_t pieces : {few_pieces, some_pieces, all_pieces})
            if (!known_.exact() && !options_.stop.stop_requested()) ascend(pieces);
    }

  private:
    void ascend(std::uint32_t pieces) {
        constexpr Step strides_max = Step{1} << 30U;
        Step open = std::max(open_, known_.at_least);
        for (Step stride = 1; stride <= strides_max; stride *= 2) {
            const Step steps = stride == 1 ? open : open + stride / 2 - 1;
            if (known_.at_most && steps >= *known_.at_most) break;
            if (is_enough(steps, pieces)) break;
            if (options_.stop.stop_requested()) return;
            open = steps + 1;
        }
        if (pieces != all_pieces || !known_.at_most) return;
        while (open < *known_.at_most && !options_.stop.stop_requested()) {
            const Step middle = open + (*known_.at_most - open) / 2;
            if (!is_enough(middle, pieces)) open = middle + 1;
        }
    }
    bool is_enough(Step steps, std::uint32_t pieces_max) {
        RefinedFlow refined = refined_flow(problem_, places_, steps,
                                           {options_.memory_bytes_max, options_.stop, pieces_max});
        if (refined.hopeless) open_ = std::max(open_, steps + 1);
        if (!refined.flow) return false;
        known_.lower(steps, std::move(*refined.flow));
        return true;
    }

    const Problem& problem_;
    const PhasedStepsOptions& options_;
    const std::vector<std::uint32_t> places_;
    EnclosedSteps& known_;
    Step open_;  ///< fewer steps are too few at these places
};

/// Lowers the upper end by a flow in one phase, delayed. Returns whether it carries all tokens.
bool lower_by_delays(const Problem& problem, Phases one, const PhasedStepsOptions& options,
                     EnclosedSteps& known) {
    if (PhasedFlow::bytes(problem, one) > options.memory_bytes_max) return false;
    PhasedFlow flow(problem, std::move(one));
    if (flow.carry(options.stop) != FlowOutcome::carried) return false;
    flow.shrink();
    FlowOverTime delayed = delayed_flow(problem, flow.over_links());
    const Step steps = delayed.steps;
    if (!known.at_most || steps < *known.at_most) known.lower(steps, std::move(delayed));
    return true;
}

}  // namespace

void lower_by_short_ways(const Problem& problem, const PhasedStepsOptions& options,
                         EnclosedSteps& known) {
    if (known.exact() || known.at_least == 0 || !has_circles(problem)) return;
    const std::vector<std::uint32_t> places = places_from_root(problem);
    if (places.empty()) return;
    static_cast<void>(
        lower_by_delays(problem, Phases(problem, places, known.at_least, 0), options, known));
}

void lower_by_delayed_ways(const Problem& problem, const PhasedStepsOptions& options,
                           EnclosedSteps& known) {
    if (known.exact() || known.at_least == 0 || !known.at_most || !has_circles(problem)) return;
    const std::vector<std::uint32_t> places = places_from_root(problem);
    if (places.empty()) return;
    constexpr int tries_max = 3;
    const auto is_enough = [&](Step steps) {
        return lower_by_delays(problem, Phases::delayed(problem, places, steps), options, known);
    };
    Step open = known.at_least;
    if (options.briefly) {
        static_cast<void>(is_enough(open));
        return;
    }
    for (int tries = 0; tries < tries_max && open < *known.at_most; ++tries) {
        const Step middle = open + (*known.at_most - open) / 2;
        if (!is_enough(middle)) open = middle + 1;
    }
}

void lower_by_phases(const Problem& problem, const PhasedStepsOptions& options,
                     EnclosedSteps& known) {
    const auto search = [&](std::vector<std::uint32_t> places) {
        if (!places.empty()) PhasedSearch(problem, options, std::move(places), known).search();
    };
    const auto ended = [&] { return known.exact() || options.stop.stop_requested(); };
    if (ended() || known.at_least == 0) return;
    if (has_circles(problem)) search(places_from_root(problem));
    if (!ended() && places_along_flow_bytes(problem) <= options.memory_bytes_max)
        search(places_along_flow(problem, known.at_least, options.stop));
    if (known.exact()) known.open.clear();
}

}  // namespace equipoise::optimum
