#include "equipoise/load/line_timetable.hpp"

#include <algorithm>
#include <numeric>

#include "equipoise/base/assert.hpp"

namespace equipoise::load {

void level_targets(std::span<const Tokens> supply, Extras extras, std::span<Tokens> targets) {
    EQUIPOISE_ASSERT(!supply.empty() && supply.size() == targets.size());
    const auto cells = static_cast<Tokens>(supply.size());
    const Tokens total = std::accumulate(supply.begin(), supply.end(), Tokens{0});
    const Tokens level = total / cells;
    Tokens left = total % cells;
    // How far the tokens of the cells so far exceed `level` each and the extras already given.
    Tokens surplus = 0;
    for (Tokens cell = 0; cell < cells; ++cell) {
        const auto i = static_cast<std::size_t>(cell);
        surplus += supply[i] - level;
        const bool must = left == cells - cell;
        const bool wants = extras == Extras::first || surplus >= 1;
        const Tokens extra = left > 0 && (must || wants) ? 1 : 0;
        targets[i] = level + extra;
        surplus -= extra;
        left -= extra;
    }
}

Step make_timetable(std::span<const Tokens> supply, std::span<const Tokens> targets,
                    std::vector<LinkTimes>& links) {
    EQUIPOISE_ASSERT(!supply.empty() && supply.size() == targets.size());
    links.resize(supply.size() - 1);
    Tokens steps = 0;
    Tokens flow = 0;    // over the link before
    Tokens window = 0;  // K or D of the link before
    for (std::size_t e = 0; e < links.size(); ++e) {
        const Tokens before = flow;
        flow += supply[e] - targets[e];
        const Tokens amount = flow < 0 ? -flow : flow;
        const Tokens window_before = window;
        window = amount;
        if (flow > supply[e] && before > 0) window = std::max(flow, window_before + 1 - targets[e]);
        if (amount > targets[e] && flow < 0 && before < 0)
            window = std::max(amount, window_before + 1 - supply[e]);
        // A cell that sends both ways, or receives from both sides, does one after the other.
        const bool both = (before < 0 && flow > 0) || (before > 0 && flow < 0);
        steps = std::max(steps, both ? window_before + amount : window);
        links[e] = {flow, static_cast<Step>(window)};
    }
    for (LinkTimes& link : links)
        link.first = link.flow > 0 ? link.first - static_cast<Step>(link.flow)
                                   : static_cast<Step>(steps) - link.first;
    return static_cast<Step>(steps);
}

namespace {

/// Whether `steps` steps are enough: finds, link by link, the interval of possible flows.
bool can_level(std::span<const Tokens> supply, Tokens level, Tokens extras, Tokens steps) {
    // For every number of extras given so far the flow is known; possible numbers form an interval.
    Tokens prefix = 0;
    Tokens least = 0;
    Tokens most = 0;
    for (std::size_t i = 0; i < supply.size(); ++i) {
        const Tokens change = supply[i] - level;
        const bool may_take = change - 1 >= -steps && change - 1 <= steps;
        const bool may_leave = change >= -steps && change <= steps;
        if (!may_take && !may_leave) return false;
        least += may_leave ? 0 : 1;
        most += may_take ? 1 : 0;
        prefix += change;
        const bool last = i + 1 == supply.size();
        const Tokens slack = last ? 0 : steps;
        least = std::max({least, prefix - slack, Tokens{0}});
        most = std::min({most, prefix + slack, extras});
        if (least > most) return false;
    }
    return true;
}

}  // namespace

Step fewest_steps(std::span<const Tokens> supply) {
    EQUIPOISE_ASSERT(!supply.empty());
    const Tokens total = std::accumulate(supply.begin(), supply.end(), Tokens{0});
    const auto cells = static_cast<Tokens>(supply.size());
    Tokens low = 0;
    Tokens high = total;
    while (low < high) {
        const Tokens middle = low + (high - low) / 2;
        if (can_level(supply, total / cells, total % cells, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return static_cast<Step>(low);
}

}  // namespace equipoise::load
