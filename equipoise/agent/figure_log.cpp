#include "equipoise/agent/figure_log.hpp"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace equipoise::agent {

FigureLog::FigureLog(Log log) : log_(std::move(log)) {}

void FigureLog::note(const Carriers& carriers, const Core& core, std::uint64_t malformed) {
    carriers.each([&](const std::string& name, Carrier& carrier) {
        const Carrier::Counts counts = carrier.new_counts();
        if (counts.stored > 0)
            log_(LogEvent::moved,
                 {{"neighbour", name}, {"jobs", counts.stored}, {"backlog", core.backlog()}});
        if (counts.perhaps_twice > 0)
            log_(LogEvent::repeated,
                 {{"neighbour", name}, {"perhaps_twice", counts.perhaps_twice}});
        if (counts.refused > 0)
            log_(LogEvent::refused, {{"count", counts.refused}, {"why", counts.why}});
    });
    note_count(LogEvent::malformed, core.counts().malformed + malformed);
    note_count(LogEvent::excess, core.counts().excess);
    note_count(LogEvent::withdrawn, core.counts().withdrawn);
}

void FigureLog::note_count(LogEvent event, std::uint64_t count) {
    std::uint64_t& logged = logged_[event];
    if (count < logged) logged = 0;  // another core counts since the links have changed
    if (count > logged) log_(event, {{"count", count - logged}});
    logged = count;
}

}  // namespace equipoise::agent
