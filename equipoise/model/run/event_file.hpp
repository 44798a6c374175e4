#pragma once
// Events of a changing world in a file, one per line, each at a step.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/table_reader.hpp"

namespace equipoise::model {

/// Events sorted by step, handed out round by round.
template <class Event>
class EventQueue {
  public:
    /// Sorts the events by step; those of one step keep their order.
    explicit EventQueue(std::vector<std::pair<Step, Event>> events) : events_(std::move(events)) {
        std::stable_sort(events_.begin(), events_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    /// Visits the events up to a step that have not been visited yet.
    template <class Visit>
    void take_until(Step step, const Visit& visit) {
        for (; next_ < events_.size() && events_[next_].first <= step; ++next_)
            visit(events_[next_].second);
    }
    void restart() { next_ = 0; }

  private:
    std::vector<std::pair<Step, Event>> events_;
    std::size_t next_ = 0;
};

/// Reads a file whose first line is `header` and whose other lines are turned into events by
/// `parse(fields, source)`; the first field is the step. Throws InputError naming file and line.
template <class Event>
[[nodiscard]] EventQueue<Event> read_events(
    const std::string& path, std::string_view header,
    const std::function<Event(const std::vector<std::string>&, const LineSource&)>& parse) {
    LineSource source(path);
    TableReader lines(source, {std::string(header)}, TableReader::Lines::of_any_length);
    std::vector<std::pair<Step, Event>> events;
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        const auto step = whole_number(fields.front());
        if (!step) source.fail("a step (a whole number)", fields.front());
        events.emplace_back(*step, parse(fields, source));
    }
    return EventQueue<Event>(std::move(events));
}

}  // namespace equipoise::model
