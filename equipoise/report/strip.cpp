#include "equipoise/report/strip.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/report/frames.hpp"
#include "equipoise/report/layout.hpp"
#include "equipoise/report/look.hpp"
#include "equipoise/report/summary.hpp"
#include "equipoise/report/svg.hpp"
#include "equipoise/report/table.hpp"
#include "equipoise/report/words.hpp"

namespace equipoise::report {

namespace {

using model::Record;
using svg::Point;

constexpr double arrow_length = 28;  ///< at least
constexpr double gap = 26;           ///< between pictures
constexpr double caption = 26;       ///< above each picture
constexpr double name_room = 9;      ///< at the edges of pictures
constexpr NodeId named_nodes_max = 16;

struct Moved {
    NodeId from;
    NodeId to;
    Tokens tokens;
};

/// What one picture shows.
struct Scene {
    std::string words;
    std::vector<Tokens> loads;
    std::vector<Moved> moved;
    std::set<std::pair<NodeId, NodeId>> active;  ///< links, smaller end first
    std::vector<bool> away;                      ///< nodes that have gone
    std::set<std::pair<NodeId, NodeId>> cut;     ///< links that have gone
};

std::pair<NodeId, NodeId> link_key(NodeId a, NodeId b) {
    return {std::min(a, b), std::max(a, b)};
}

/// A load in a node: whole tokens, or three digits of a fraction.
std::string load_text(const Record& record, Tokens units) {
    const auto scale = static_cast<Tokens>(std::max<std::uint64_t>(1, record.load_scale));
    if (units % scale == 0) return grouped(units / scale);
    return fmt::format("{:.3g}", static_cast<double>(units) / static_cast<double>(scale));
}

/// The matchings that were given, if any: which links are active at a step.
const network::MatchingSequence& given_rounds(const Record& record) {
    return record.matchings.empty() ? record.given.colouring : record.matchings;
}

void apply_switches(const Record& record, Step step, Scene& scene, std::size_t& next) {
    for (; next < record.switches.size() && record.switches[next].step <= step; ++next) {
        const model::NetworkSwitch& change = record.switches[next];
        if (change.node == change.other) {
            if (change.node < scene.away.size()) scene.away[change.node] = !change.up;
        } else if (change.up) {
            scene.cut.erase(link_key(change.node, change.other));
        } else {
            scene.cut.insert(link_key(change.node, change.other));
        }
    }
}

std::vector<Scene> scenes_of(const Record& record, std::span<const Step> steps) {
    const std::vector<Event> events = events_of(record);
    if (events.empty() && record.initial_loads != record.final_loads)
        throw InputError("the record of " + record.algorithm +
                         ": its transfers do not lead from its first loads to its last ones");
    std::vector<Step> moments;
    for (const Step step : steps)
        moments.push_back(step - 1);
    if (moments.empty() || moments.back() < steps.back()) moments.push_back(steps.back());
    std::vector<Scene> scenes;
    std::size_t next_switch = 0;
    Scene now;
    now.away.assign(record.node_count, false);
    visit_moments(record, events, moments, [&](Step moment, std::span<const Tokens> loads) {
        apply_switches(record, moment, now, next_switch);
        Scene scene = now;
        scene.loads.assign(loads.begin(), loads.end());
        const bool last = scenes.size() == steps.size();
        scene.words = (last ? "after step " + grouped(moment) : "step " + grouped(moment + 1));
        for (const Event& event : events)
            if (!last && event.step == moment)
                scene.moved.push_back({event.from, event.to, event.tokens});
        if (const network::MatchingSequence& rounds = given_rounds(record);
            !last && !rounds.empty())
            for (const Ends& link : rounds[moment % rounds.size()])
                scene.active.insert(link_key(link.tail, link.head));
        scenes.push_back(std::move(scene));
    });
    return scenes;
}

/// Where nodes lie in every picture.
struct Places {
    std::vector<Point> at;
    double radius = 0;
    double width = 0;
    double height = 0;
    bool wraps = false;
    double arrow_room = 0;  ///< between the edges of two neighbours
    double spacing = 0;     ///< between neighbours on a grid
};

double length(Point a, Point b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

/// The layout, scaled so that neighbours have room for an arrow and no two nodes touch.
Places places_of(const Record& record, std::span<const Ends> links, double radius,
                 double arrow_room) {
    const Drawing drawing = draw_network(record.labels, record.node_count, links);
    Places places;
    places.radius = radius;
    places.wraps = drawing.wraps;
    places.arrow_room = arrow_room;
    for (const network::Position& position : drawing.positions)
        places.at.push_back({position.x, position.y});
    double nearest = std::numeric_limits<double>::max();
    double least_x = nearest;
    double least_y = nearest;
    for (std::size_t a = 0; a < places.at.size(); ++a) {
        least_x = std::min(least_x, places.at[a].x);
        least_y = std::min(least_y, places.at[a].y);
        for (std::size_t b = 0; b < a; ++b)
            nearest = std::min(nearest, length(places.at[a], places.at[b]));
    }
    double shortest = std::numeric_limits<double>::max();
    for (const Ends& link : links)
        shortest = std::min(shortest, length(places.at[link.tail], places.at[link.head]));
    double scale = 1;
    if (places.at.size() > 1) scale = (2 * radius + 6) / std::max(nearest, 1e-9);
    if (!links.empty())
        scale = std::max(scale, (2 * radius + arrow_room) / std::max(shortest, 1e-9));
    const double edge = radius + 3 + (drawing.wraps ? radius + arrow_room / 2 : 0);
    for (Point& point : places.at) {
        point = {edge + scale * (point.x - least_x), edge + scale * (point.y - least_y)};
        places.width = std::max(places.width, point.x + edge);
        places.height = std::max(places.height, point.y + edge);
    }
    places.spacing = scale;
    return places;
}

/// From white to a dark blue, which reads without colour too; loads below 0 are orange.
std::string shade(double fraction, bool negative) {
    static constexpr std::array<double, 3> light = {246, 249, 252};
    static constexpr std::array<double, 3> dark = {0, 84, 138};
    static constexpr std::array<double, 3> below = {213, 94, 0};
    std::array<int, 3> mixed{};
    for (std::size_t k = 0; k < 3; ++k)
        mixed.at(k) = static_cast<int>(
            std::lround(light.at(k) + fraction * ((negative ? below : dark).at(k) - light.at(k))));
    return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

class StripDrawing {
  public:
    StripDrawing(const Record& record, std::span<const Step> steps)
        : record_(&record), scenes_(scenes_of(record, steps)) {
        const network::AnyNetwork network = model::network_of(record);
        for (LinkId link = 0; link < network.link_count(); ++link)
            links_.push_back(network.ends(link));
        double widest = 0;
        double counts = 0;
        for (const Scene& scene : scenes_) {
            for (const Moved& moved : scene.moved)
                counts = std::max(
                    counts, look::text_width(load_text(record, moved.tokens), look::small_size));
            for (const Tokens load : scene.loads) {
                most_ = std::max(most_, std::abs(static_cast<double>(load)));
                widest =
                    std::max(widest, look::text_width(load_text(record, load), look::text_size));
            }
        }
        places_ = places_of(record, links_, std::max(13.0, widest / 2 + 4),
                            std::max(arrow_length, counts + 6));
        named_ = record.node_count <= named_nodes_max;
        for (NodeId node = 0; node < record.node_count; ++node)
            named_ = named_ && record.labels.name(node).size() <= 3;
        if (!named_) return;
        places_.width += 2 * name_room;
        places_.height += 2 * name_room;
        for (Point& point : places_.at)
            point = {point.x + name_room, point.y + name_room};
    }

    [[nodiscard]] std::string drawn() const;

  private:
    [[nodiscard]] std::string scene(const Scene& scene, bool first) const;
    [[nodiscard]] std::string link(const Scene& scene, const Ends& ends) const;
    [[nodiscard]] std::string move(const Moved& moved, bool both_ways) const;
    [[nodiscard]] std::string node(const Scene& scene, NodeId node, bool first) const;
    [[nodiscard]] bool around(NodeId a, NodeId b) const {
        return places_.wraps && length(places_.at[a], places_.at[b]) > 1.5 * places_.spacing;
    }
    /// Where a link around the torus leaves the picture, or anything else that leads outside.
    [[nodiscard]] Point outside(NodeId node, NodeId other) const {
        const Point a = places_.at[node];
        const Point b = places_.at[other];
        const double far = places_.radius + 0.9 * places_.arrow_room;
        return {a.x + far * (a.x - b.x) / length(a, b), a.y + far * (a.y - b.y) / length(a, b)};
    }
    /// Where a name beside the node is farthest from its links.
    [[nodiscard]] Point free_direction(NodeId node) const;
    [[nodiscard]] std::string counted_arrow(Point from, Point to, double from_edge, double to_edge,
                                            double aside, const std::string& words) const;

    const Record* record_;
    std::vector<Scene> scenes_;
    std::vector<Ends> links_;
    Places places_;
    double most_ = 0;
    bool named_ = false;
};

std::string StripDrawing::link(const Scene& scene, const Ends& ends) const {
    if (scene.cut.contains(link_key(ends.tail, ends.head)) || scene.away[ends.tail] ||
        scene.away[ends.head])
        return {};
    const bool active = scene.active.contains(link_key(ends.tail, ends.head));
    const std::string_view colour = active ? look::ink : look::link;
    const double width = active ? 2.6 : 1.2;
    const Point a = places_.at[ends.tail];
    const Point b = places_.at[ends.head];
    if (!around(ends.tail, ends.head)) return svg::line(a, b, colour, width);
    return svg::line(a, outside(ends.tail, ends.head), colour, width) +
           svg::line(b, outside(ends.head, ends.tail), colour, width);
}

std::string StripDrawing::counted_arrow(Point from, Point to, double from_edge, double to_edge,
                                        double aside, const std::string& words) const {
    const double far = length(from, to);
    if (far <= 0) return {};
    const Point along{(to.x - from.x) / far, (to.y - from.y) / far};
    const Point across{-along.y, along.x};
    const Point begin{from.x + from_edge * along.x + aside * across.x,
                      from.y + from_edge * along.y + aside * across.y};
    const Point end{to.x - to_edge * along.x + aside * across.x,
                    to.y - to_edge * along.y + aside * across.y};
    std::string out = svg::arrow(begin, end, look::moving, 2.2);
    if (words.empty()) return out;
    // Above a level arrow, to the right of an upright one; two arrows have it on either side.
    const double side = aside != 0
                            ? aside / std::abs(aside)
                            : (across.y < -1e-9 || (across.y < 1e-9 && across.x > 0) ? 1 : -1);
    const double off = 8 + 0.5 * look::text_width(words, look::small_size) * std::abs(across.x);
    const Point middle{(begin.x + end.x) / 2 + side * off * across.x,
                       (begin.y + end.y) / 2 + side * off * across.y + 4};
    return out + svg::text_upon_lines(
                     middle, "middle", words,
                     fmt::format(R"(font-size="{}" fill="{}")", look::small_size, look::ink));
}

std::string StripDrawing::move(const Moved& moved, bool both_ways) const {
    const std::string words = load_text(*record_, moved.tokens);
    const double edge = places_.radius + 2;
    if (moved.from == no_node || moved.to == no_node) {
        const NodeId node = moved.from == no_node ? moved.to : moved.from;
        return svg::text_upon_lines({places_.at[node].x, places_.at[node].y - places_.radius - 4},
                                    "middle", (moved.from == no_node ? "+" : "−") + words,
                                    fmt::format(R"(font-size="{}" fill="{}" font-weight="bold")",
                                                look::small_size, look::moving));
    }
    const Point from = places_.at[moved.from];
    const Point to = places_.at[moved.to];
    const double aside = both_ways ? -4 : 0;
    if (around(moved.from, moved.to))
        return counted_arrow(from, outside(moved.from, moved.to), edge, 0, aside, words) +
               counted_arrow(outside(moved.to, moved.from), to, 0, edge, aside, "");
    return counted_arrow(from, to, edge, edge, aside, words);
}

Point StripDrawing::free_direction(NodeId node) const {
    Point best{};
    double widest = -1;
    // Below first: above is what comes from outside, and beside lie counts.
    for (int k = 0; k < 16; ++k) {
        const double angle = (90 + 22.5 * k) * std::numbers::pi / 180;
        const Point towards{std::cos(angle), std::sin(angle)};
        double nearest = 2;
        for (const Ends& ends : links_) {
            if (ends.tail != node && ends.head != node) continue;
            const NodeId other = ends.tail == node ? ends.head : ends.tail;
            const Point from = places_.at[node];
            const Point to = around(node, other) ? outside(node, other) : places_.at[other];
            const double far = std::max(length(from, to), 1e-9);
            const double cosine = ((to.x - from.x) * towards.x + (to.y - from.y) * towards.y) / far;
            nearest = std::min(nearest, 1 - cosine);
        }
        if (nearest > widest + 1e-6) {
            widest = nearest;
            best = towards;
        }
    }
    return best;
}

std::string StripDrawing::node(const Scene& scene, NodeId node, bool first) const {
    const Point at = places_.at[node];
    const auto load = static_cast<double>(scene.loads[node]);
    const double fraction = most_ > 0 ? std::sqrt(std::abs(load) / most_) : 0;
    std::string out = svg::circle(at, places_.radius, shade(fraction, load < 0), look::frame, 1.2,
                                  scene.away[node] ? "3 3" : "");
    out += svg::text({at.x, at.y + 4.5}, "middle", load_text(*record_, scene.loads[node]),
                     fmt::format(R"(fill="{}")", fraction > 0.62 ? look::paper : look::ink));
    if (first && named_) {
        const Point towards = free_direction(node);
        const double far = places_.radius + 8;
        out += svg::text_upon_lines({at.x + far * towards.x, at.y + far * towards.y + 4}, "middle",
                                    record_->labels.name(node),
                                    fmt::format(R"(font-size="{}" fill="{}" font-style="italic")",
                                                look::small_size, look::soft));
    }
    return out;
}

std::string StripDrawing::scene(const Scene& scene, bool first) const {
    std::string out = svg::text({places_.width / 2, 14}, "middle", scene.words,
                                fmt::format(R"(fill="{}")", look::soft));
    out += fmt::format("<g transform=\"translate(0 {})\">\n", caption);
    for (const Ends& ends : links_)
        out += link(scene, ends);
    for (NodeId k = 0; k < record_->node_count; ++k)
        out += node(scene, k, first);
    std::map<std::pair<NodeId, NodeId>, Tokens> sums;
    for (const Moved& moved : scene.moved)
        sums[{moved.from, moved.to}] += moved.tokens;
    for (const auto& [ends, tokens] : sums)
        out += move({ends.first, ends.second, tokens}, sums.contains({ends.second, ends.first}));
    return out + "</g>\n";
}

std::string StripDrawing::drawn() const {
    const double across = std::max(places_.width, 84.0) + gap;
    const double down = places_.height + caption + gap;
    const double inside = look::width - 2 * look::margin + gap;
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(inside / across)));
    const std::string title = record_->algorithm + " on " + network_name(*record_);
    const double title_width =
        std::min(look::width - 2 * look::margin, look::text_width(title, look::title_width_size));
    const double inner = std::max(
        static_cast<double>(std::min(columns, scenes_.size())) * across - gap, title_width);
    std::string out;
    double y = 12;
    for (const std::string& words : svg::wrapped(title, inner, look::title_width_size)) {
        y += 18;
        out += svg::text({look::margin, y}, "start", words,
                         fmt::format(R"(font-size="{}" font-weight="bold")", look::title_size));
    }
    y += 16;
    for (std::size_t k = 0; k < scenes_.size(); ++k)
        out += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n",
                           look::margin + static_cast<double>(k % columns) * across,
                           y + static_cast<double>(k / columns) * down, scene(scenes_[k], k == 0));
    const std::size_t rows = (scenes_.size() + columns - 1) / columns;
    return svg::picture(inner + 2 * look::margin,
                        y + static_cast<double>(rows) * down - gap + look::margin, title, out);
}

void expect_drawable(const Record& record) {
    if (record.level != model::RecordLevel::full)
        throw InputError("the record of " + record.algorithm +
                         " does not hold every move: expected one of --record-level full");
    if (record.node_count > strip_nodes_max)
        throw InputError(
            fmt::format("steps are drawn on networks of at most {} nodes, this one has {}",
                        strip_nodes_max, record.node_count));
}

Step whole_step(std::string_view text, const Record& record) {
    Step step = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
    if (error != std::errc() || end != text.data() + text.size() || step < 1 ||
        step > record.costs.steps)
        throw InputError(fmt::format(
            "--steps: expected steps from 1 to {}, as 1..6,9, or \"moves\"; found \"{}\"",
            record.costs.steps, text));
    return step;
}

}  // namespace

std::vector<Step> steps_from_text(std::string_view text, const Record& record) {
    expect_drawable(record);
    std::set<Step> steps;
    const auto add = [&](Step step) {
        steps.insert(step);
        if (steps.size() > strip_steps_max)
            throw InputError(
                fmt::format("--steps: expected at most {} steps, found more", strip_steps_max));
    };
    if (text == "moves") {
        for (const Event& event : events_of(record))
            add(event.step + 1);
        if (steps.empty())
            throw InputError("--steps: no token moves in the run of " + record.algorithm);
        return {steps.begin(), steps.end()};
    }
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view item = text.substr(begin, end - begin);
        const std::size_t dots = std::min(item.find(".."), item.size());
        const Step first = whole_step(item.substr(0, dots), record);
        const Step last = dots < item.size() ? whole_step(item.substr(dots + 2), record) : first;
        if (first > last)
            throw InputError(fmt::format(
                "--steps: expected a range that ends after it begins, found \"{}\"", item));
        for (Step step = first; step <= last; ++step)
            add(step);
        begin = end + 1;
    }
    return {steps.begin(), steps.end()};
}

std::string strip_svg(const Record& record, std::span<const Step> steps) {
    expect_drawable(record);
    return StripDrawing(record, steps).drawn();
}

}  // namespace equipoise::report
