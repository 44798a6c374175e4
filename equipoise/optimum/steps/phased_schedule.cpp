#include "equipoise/optimum/steps/phased_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/view.hpp"
#include "equipoise/optimum/steps/halver.hpp"
#include "equipoise/optimum/steps/phases.hpp"
#include "equipoise/optimum/steps/places.hpp"
#include "equipoise/optimum/steps/refined_flow.hpp"

namespace equipoise::optimum {

namespace {

/// Nothing if there are too many moves, or if asked to stop.
std::optional<Schedule> halved_phases(const Problem& problem, View<std::uint32_t> places,
                                      FlowOverTime flow, const PhasedScheduleOptions& options) {
    // From here on `first` counts moments, from the first at which the furthest node may send.
    const std::uint32_t furthest = *std::max_element(places.begin(), places.end());
    Tokens moves = 0;
    for (Window& window : flow.windows) {
        window.first += furthest - places[window.from];
        moves = checked_add(moves, window.tokens);
    }
    if (!MovesLimit{options.memory_bytes_max, options.moves_max}.allows(moves)) return std::nullopt;
    std::sort(flow.windows.begin(), flow.windows.end(),
              [](const Window& a, const Window& b) { return a.first < b.first; });
    Schedule schedule;
    schedule.reserve(static_cast<std::size_t>(moves));
    Halver halver(problem.network->node_count(), schedule, options.stop);
    std::vector<FatMove> totals;
    for (std::size_t i = 0; i < flow.windows.size();) {
        const auto [from, to, first, steps, tokens] = flow.windows[i];
        totals.clear();
        for (; i < flow.windows.size() && flow.windows[i].first == first; ++i) {
            const Window& window = flow.windows[i];
            EQUIPOISE_ASSERT(window.steps == steps);
            totals.push_back({window.from, window.to, window.tokens});
        }
        if (!halver.play(totals, first, steps)) return std::nullopt;
    }
    for (Move& move : schedule)
        move.step -= furthest - places[move.from];
    std::stable_sort(schedule.begin(), schedule.end(),
                     [](const Move& a, const Move& b) { return a.step < b.step; });
    return schedule;
}

}  // namespace

std::optional<Schedule> phased_schedule(const Problem& problem, Step steps,
                                        const PhasedScheduleOptions& options) {
    if (steps == 0) return Schedule{};
    const auto schedule_at = [&](const std::vector<std::uint32_t>& places) {
        std::optional<Schedule> schedule;
        if (places.empty()) return schedule;
        RefinedFlow refined = refined_flow(
            problem, places, steps,
            {options.memory_bytes_max, options.stop, Phases::whole, options.units_max});
        if (refined.flow)
            schedule = halved_phases(problem, places, std::move(*refined.flow), options);
        return schedule;
    };
    auto schedule = schedule_at(places_from_root(problem));
    if (!schedule && !options.stop.stop_requested() &&
        places_along_flow_bytes(problem) <= options.memory_bytes_max)
        schedule = schedule_at(places_along_flow(problem, steps, options.stop));
    return schedule;
}

}  // namespace equipoise::optimum
