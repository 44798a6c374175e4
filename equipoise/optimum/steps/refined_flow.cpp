#include "equipoise/optimum/steps/refined_flow.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "equipoise/optimum/steps/phased_flow.hpp"
#include "equipoise/optimum/steps/phases.hpp"

namespace equipoise::optimum {

RefinedFlow refined_flow(const Problem& problem, View<std::uint32_t> places, Step steps,
                         const RefinedFlowOptions& options) {
    constexpr std::uint64_t rounds_of_coarse = 4;
    constexpr std::uint64_t rounds_unlimited = std::numeric_limits<std::uint64_t>::max();
    const bool whole = options.pieces_max == Phases::whole;
    const auto fits = [&](const Phases& phases, const Phases* coarse) {
        const std::uint64_t held =
            coarse == nullptr ? 0 : PhasedFlow::bytes_shrunk(problem, *coarse);
        return phases.units() <= options.units_max && held <= options.memory_bytes_max &&
               PhasedFlow::bytes(problem, phases) <= options.memory_bytes_max - held;
    };
    const auto finer_than = [&](const Phases& phases, std::uint32_t pieces) {
        std::pair<std::optional<Phases>, std::uint32_t> finer;
        if (pieces >= options.pieces_max || (phases.finest() && !whole)) return finer;
        const std::uint32_t more = pieces == 0 ? 1 : std::min(2 * pieces, options.pieces_max);
        finer = {Phases(problem, places, steps, more), more};
        if (whole && (finer.first->finest() || !fits(*finer.first, &phases)))
            finer = {Phases(problem, places, steps, Phases::whole), Phases::whole};
        if (!fits(*finer.first, &phases)) finer.first.reset();
        return finer;
    };
    Phases phases(problem, places, steps, 0);
    if (!fits(phases, nullptr)) return {};
    if (whole && !fits(Phases(problem, places, steps, Phases::whole), nullptr)) return {};
    std::unique_ptr<PhasedFlow> flow;
    for (std::uint32_t pieces = 0;;) {
        auto [finer, more] = finer_than(phases, pieces);
        flow = std::make_unique<PhasedFlow>(problem, std::move(phases), flow.get());
        const FlowOutcome outcome =
            flow->carry(options.stop, finer ? rounds_of_coarse : rounds_unlimited);
        if (outcome == FlowOutcome::carried && pieces > 0 && (!whole || pieces == Phases::whole)) {
            flow->shrink();
            return {flow->flow_over_time(), false};
        }
        if (pieces == 0 && outcome == FlowOutcome::blocked) return {std::nullopt, true};
        if (!finer || outcome == FlowOutcome::stopped) return {};
        flow->shrink();
        phases = std::move(*finer);
        pieces = more;
    }
}

}  // namespace equipoise::optimum
