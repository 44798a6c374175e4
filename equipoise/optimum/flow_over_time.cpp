#include "equipoise/optimum/flow_over_time.hpp"

namespace equipoise::optimum {

FlowOverTime flow_of(std::span<const FatStep> steps) {
    FlowOverTime flow;
    for (const FatStep& step : steps) {
        for (const FatMove& move : step.moves)
            if (move.tokens > 0)
                flow.windows.push_back({move.from, move.to, flow.steps, step.size, move.tokens});
        flow.steps += step.size;
    }
    return flow;
}

}  // namespace equipoise::optimum
