#include "equipoise/report/runs/frames.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "equipoise/base/assert.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::report {

namespace {

using model::Record;

void apply(const Event& event, std::vector<Tokens>& loads) {
    if (event.from != no_node) loads[event.from] -= event.tokens;
    if (event.to != no_node) loads[event.to] += event.tokens;
}

bool in_range(const Event& event, NodeId node_count) {
    return (event.from == no_node || event.from < node_count) &&
           (event.to == no_node || event.to < node_count);
}

/// Indices of up to `most` of `count` things, evenly spread, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
    EQUIPOISE_ASSERT(most >= 2);
    std::vector<std::size_t> chosen;
    const std::size_t kept = std::min(count, most);
    for (std::size_t index = 0; index < kept; ++index)
        chosen.push_back(kept == 1 ? 0 : index * (count - 1) / (kept - 1));
    return chosen;
}

}  // namespace

std::vector<Event> events_of(const Record& record) {
    if (record.transfers.empty()) return {};
    std::vector<Event> events;
    events.reserve(record.transfers.size() + record.created.size() + record.destroyed.size());
    for (const model::Transfer& made : record.created)
        events.push_back({made.step, no_node, made.to, made.tokens});
    for (const model::Transfer& moved : record.transfers)
        events.push_back({moved.step, moved.from, moved.to, moved.tokens});
    for (const model::Transfer& gone : record.destroyed)
        events.push_back({gone.step, gone.from, no_node, gone.tokens});
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& a, const Event& b) { return a.step < b.step; });
    std::vector<Tokens> loads = record.initial_loads;
    for (const Event& event : events) {
        if (!in_range(event, static_cast<NodeId>(loads.size()))) return {};
        apply(event, loads);
    }
    if (loads != record.final_loads) return {};
    return events;
}

void visit_moments(const Record& record, std::span<const Event> events,
                   std::span<const Step> moments, const FrameVisitor& visit) {
    std::vector<Tokens> loads = record.initial_loads;
    std::size_t next = 0;
    for (const Step step : moments) {
        while (next < events.size() && events[next].step < step)
            apply(events[next++], loads);
        visit(step, loads);
    }
}

void visit_frames(const Record& record, std::span<const Event> events, std::size_t frames_max,
                  const FrameVisitor& visit) {
    const Step last = record.costs.steps;
    if (!events.empty()) {
        const std::vector<std::size_t> moments =
            spread(static_cast<std::size_t>(last) + 1, frames_max);
        visit_moments(record, events, std::vector<Step>(moments.begin(), moments.end()), visit);
        return;
    }
    std::vector<std::pair<Step, std::span<const Tokens>>> known = {{0, record.initial_loads}};
    for (const model::Sample& sample : record.samples) {
        if (sample.loads.size() == record.node_count && sample.step > known.back().first &&
            sample.step < last)
            known.emplace_back(sample.step, sample.loads);
    }
    if (last > 0) known.emplace_back(last, record.final_loads);
    for (const std::size_t index : spread(known.size(), frames_max))
        visit(known[index].first, known[index].second);
}

Curve curve_of(const Record& record, std::span<const Event> events, std::size_t points_max) {
    Curve curve;
    const auto add = [&](Step step, Tokens discrepancy, const std::string& potential) {
        curve.steps.push_back(step);
        curve.discrepancies.push_back(discrepancy);
        double value = 0;
        std::from_chars(potential.data(), potential.data() + potential.size(), value);
        curve.potentials.push_back(value);
    };
    const auto measure = [&](Step step, std::span<const Tokens> loads) {
        add(step, load::discrepancy(loads), load::to_decimal(load::potential(loads)));
    };
    if (!events.empty()) {
        visit_frames(record, events, points_max, measure);
        return curve;
    }
    measure(0, record.initial_loads);
    std::vector<const model::Sample*> between;
    for (const model::Sample& sample : record.samples)
        if (sample.step > 0 && sample.step < record.costs.steps) between.push_back(&sample);
    for (const std::size_t index : spread(between.size(), points_max))
        add(between[index]->step, between[index]->discrepancy, between[index]->potential);
    if (record.costs.steps > 0) measure(record.costs.steps, record.final_loads);
    return curve;
}

void VariableBytes::add(std::uint64_t value) {
    while (value >= 0x80U) {
        bytes_.push_back(static_cast<std::uint8_t>((value & 0x7fU) | 0x80U));
        value >>= 7U;
    }
    bytes_.push_back(static_cast<std::uint8_t>(value));
}

void VariableBytes::add_signed(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    add(value < 0 ? ~(bits << 1U) : bits << 1U);
}

void VariableBytes::add_differences(std::span<const Tokens> previous, std::span<const Tokens> now) {
    for (std::size_t index = 0; index < now.size();) {
        if (now[index] != previous[index]) {
            add_signed(now[index] - previous[index]);
            ++index;
            continue;
        }
        const std::size_t begin = index;
        while (index < now.size() && now[index] == previous[index])
            ++index;
        add(0);
        add(index - begin - 1);
    }
}

std::string VariableBytes::base64() const {
    static constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes_.size() + 2) / 3 * 4);
    for (std::size_t index = 0; index < bytes_.size(); index += 3) {
        const std::size_t held = std::min<std::size_t>(3, bytes_.size() - index);
        std::uint32_t word = 0;
        for (std::size_t place = 0; place < 3; ++place)
            word = (word << 8U) | (place < held ? bytes_[index + place] : 0U);
        for (std::size_t place = 0; place < 4; ++place)
            text += place <= held ? digits[(word >> (18U - 6U * place)) & 63U] : '=';
    }
    return text;
}

}  // namespace equipoise::report
