#include "equipoise/report/runs/extremes.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "equipoise/report/runs/frames.hpp"
#include "equipoise/report/runs/summary.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

std::string how_often(std::uint64_t times, const char* verb) {
    return times == 0 ? fmt::format("never {}", verb)
                      : fmt::format("{} in {}", verb, counted(times, "step"));
}

}  // namespace

std::optional<Extremes> extremes_of(const model::Record& record) {
    if (record.asynchrony) return record.held;
    if (record.level != model::RecordLevel::full || record.initial_loads.empty())
        return std::nullopt;
    const std::vector<Event> events = events_of(record);
    if (events.empty() && record.initial_loads != record.final_loads) return std::nullopt;
    std::vector<Step> moments = {0};
    for (const Event& event : events)
        if (moments.back() != event.step + 1) moments.push_back(event.step + 1);
    Extremes extremes;
    Tokens least = 0;
    Tokens most = 0;
    visit_moments(record, events, moments, [&](Step step, std::span<const Tokens> loads) {
        const auto [low, high] = std::minmax_element(loads.begin(), loads.end());
        if (step == 0) {
            extremes = {*low, *high, 0, 0};
        } else {
            extremes.rises_of_most += *high > most ? 1 : 0;
            extremes.falls_of_least += *low < least ? 1 : 0;
            extremes.least = std::min(extremes.least, *low);
            extremes.most = std::max(extremes.most, *high);
        }
        least = *low;
        most = *high;
    });
    return extremes;
}

std::string extremes_text(const model::Record& record, const Extremes& extremes) {
    return fmt::format("{} to {} at all times{}; the largest {}, the least {}",
                       tokens_text(record, extremes.least), tokens_text(record, extremes.most),
                       record.asynchrony ? ", tokens under way not counted" : "",
                       how_often(extremes.rises_of_most, "rose"),
                       how_often(extremes.falls_of_least, "fell"));
}

}  // namespace equipoise::report
