#include "equipoise/report/pictures/network_panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/report/pictures/layout.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/svg.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

constexpr double arrow_length = 28;  ///< at least
constexpr double gap = 26;           ///< between panels
constexpr double caption = 26;       ///< above each panel
constexpr double name_room = 9;      ///< at the edges of panels
constexpr NodeId named_nodes_max = 16;
constexpr std::string_view dashes = "4 3";

/// Where nodes lie in every panel.
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

/// The layout, scaled so that neighbours have room for an arrow between them and no two nodes
/// touch.
Places places_of(const NetworkPanels& panels, double radius, double arrow_room) {
    const Drawing drawing = draw_network(panels.labels, panels.node_count, panels.links);
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
    for (const Ends& link : panels.links)
        shortest = std::min(shortest, length(places.at[link.tail], places.at[link.head]));
    double scale = 1;
    if (places.at.size() > 1) scale = (2 * radius + 6) / std::max(nearest, 1e-9);
    if (!panels.links.empty())
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

class PanelDrawing {
  public:
    explicit PanelDrawing(const NetworkPanels& panels) : panels_(&panels) {
        double inside = 0;
        double beside = 0;
        double words = 0;
        for (const Panel& panel : panels.panels) {
            EQUIPOISE_ASSERT(panel.nodes.size() == panels.node_count);
            for (const PanelNode& node : panel.nodes) {
                inside = std::max(inside, look::text_width(node.inside, look::text_size));
                beside = std::max(beside, look::text_width(node.beside, look::small_size));
            }
            for (const PanelArrow& arrow : panel.arrows)
                words = std::max(words, look::text_width(arrow.words, look::small_size));
            for (const PanelLink& link : panel.links)
                words = std::max(words, look::text_width(link.words, look::small_size));
        }
        places_ = places_of(panels, std::max(13.0, inside / 2 + 4),
                            std::max({arrow_length, words + 6, 1.2 * beside, panels.room}));
        named_ = panels.names && panels.node_count <= named_nodes_max;
        for (NodeId node = 0; node < panels.node_count; ++node)
            named_ = named_ && panels.labels.name(node).size() <= 3;
        if (named_ || beside > 0)
            add_room(std::max(name_room, beside + 2), std::max(name_room, look::small_size + 2));
        width_ = std::max(84.0, places_.width);
        for (const Panel& panel : panels.panels)
            width_ = std::max(width_, look::text_width(panel.words, look::text_size));
    }

    [[nodiscard]] std::string drawn() const;

  private:
    /// Adds room for names, on all sides.
    void add_room(double x, double y) {
        places_.width += 2 * x;
        places_.height += 2 * y;
        for (Point& point : places_.at)
            point = {point.x + x, point.y + y};
    }
    [[nodiscard]] std::string panel(const Panel& panel, bool first) const;
    [[nodiscard]] std::string link(const PanelLink& link) const;
    [[nodiscard]] std::string arrow(const PanelArrow& arrow, bool both_ways) const;
    [[nodiscard]] std::string node(const PanelNode& look, NodeId node, bool first) const;
    [[nodiscard]] std::string meanings(double& y) const;
    [[nodiscard]] bool around(NodeId a, NodeId b) const {
        return places_.wraps && length(places_.at[a], places_.at[b]) > 1.5 * places_.spacing;
    }
    /// The point at which a link around the torus, or anything else that leads outside, leaves the
    /// panel.
    [[nodiscard]] Point outside(NodeId node, NodeId other) const {
        const Point a = places_.at[node];
        const Point b = places_.at[other];
        const double far = places_.radius + 0.9 * places_.arrow_room;
        return {a.x + far * (a.x - b.x) / length(a, b), a.y + far * (a.y - b.y) / length(a, b)};
    }
    /// The direction in which a name beside the node is farthest from its links.
    [[nodiscard]] Point free_direction(NodeId node) const;
    [[nodiscard]] static std::string words_beside(Point begin, Point end, double aside,
                                                  const std::string& words);
    [[nodiscard]] std::string line_of(Point from, Point to, double from_edge, double to_edge,
                                      double aside, const PanelArrow& arrow, bool with_words) const;

    const NetworkPanels* panels_;
    Places places_;
    bool named_ = false;
    double width_ = 0;  ///< of a panel, with the words above it
};

std::string PanelDrawing::link(const PanelLink& link) const {
    const Point a = places_.at[link.ends.tail];
    const Point b = places_.at[link.ends.head];
    const std::string_view dashed = link.dashed ? dashes : "";
    const std::string words = words_beside(a, b, 0, link.words);
    if (!around(link.ends.tail, link.ends.head))
        return svg::line(a, b, link.colour, link.width, dashed) + words;
    const Point out = outside(link.ends.tail, link.ends.head);
    return svg::line(a, out, link.colour, link.width, dashed) +
           svg::line(b, outside(link.ends.head, link.ends.tail), link.colour, link.width, dashed) +
           words_beside(a, out, 0, link.words);
}

/// Words stand above a level line, to the right of an upright one; with two lines, on either side.
std::string PanelDrawing::words_beside(Point begin, Point end, double aside,
                                       const std::string& words) {
    const double far = length(begin, end);
    if (words.empty() || far <= 0) return {};
    const Point across{-(end.y - begin.y) / far, (end.x - begin.x) / far};
    const double side = aside != 0
                            ? aside / std::abs(aside)
                            : (across.y < -1e-9 || (across.y < 1e-9 && across.x > 0) ? 1 : -1);
    const double off = 8 + 0.5 * look::text_width(words, look::small_size) * std::abs(across.x);
    // Two arrows have their words nearer to their tails, so that those of neighbours do not meet.
    const double along = aside != 0 ? 0.36 : 0.5;
    const Point middle{begin.x + along * (end.x - begin.x) + side * off * across.x,
                       begin.y + along * (end.y - begin.y) + side * off * across.y + 4};
    return svg::text_upon_lines(
        middle, "middle", words,
        fmt::format(R"(font-size="{}" fill="{}")", look::small_size, look::ink));
}

std::string PanelDrawing::line_of(Point from, Point to, double from_edge, double to_edge,
                                  double aside, const PanelArrow& arrow, bool with_words) const {
    const double far = length(from, to);
    if (far <= 0) return {};
    const Point along{(to.x - from.x) / far, (to.y - from.y) / far};
    const Point across{-along.y, along.x};
    const Point begin{from.x + from_edge * along.x + aside * across.x,
                      from.y + from_edge * along.y + aside * across.y};
    const Point end{to.x - to_edge * along.x + aside * across.x,
                    to.y - to_edge * along.y + aside * across.y};
    return svg::arrow(begin, end, arrow.colour, arrow.width, arrow.dashed ? dashes : "") +
           (with_words ? words_beside(begin, end, aside, arrow.words) : "");
}

std::string PanelDrawing::arrow(const PanelArrow& arrow, bool both_ways) const {
    const double edge = places_.radius + 2;
    if (arrow.from == no_node || arrow.to == no_node) {
        const NodeId node = arrow.from == no_node ? arrow.to : arrow.from;
        return svg::text_upon_lines({places_.at[node].x, places_.at[node].y - places_.radius - 4},
                                    "middle", arrow.words,
                                    fmt::format(R"(font-size="{}" fill="{}" font-weight="bold")",
                                                look::small_size, arrow.colour));
    }
    const Point from = places_.at[arrow.from];
    const Point to = places_.at[arrow.to];
    const double aside = both_ways ? -4 : 0;
    if (around(arrow.from, arrow.to))
        return line_of(from, outside(arrow.from, arrow.to), edge, 0, aside, arrow, true) +
               line_of(outside(arrow.to, arrow.from), to, 0, edge, aside, arrow, false);
    return line_of(from, to, edge, edge, aside, arrow, true);
}

Point PanelDrawing::free_direction(NodeId node) const {
    Point best{};
    double widest = -1;
    // Below comes first: above is the place of what arrives from outside, and beside that of
    // counts.
    for (int k = 0; k < 16; ++k) {
        const double angle = (90 + 22.5 * k) * std::numbers::pi / 180;
        const Point towards{std::cos(angle), std::sin(angle)};
        double nearest = 2;
        for (const Ends& ends : panels_->links) {
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

std::string PanelDrawing::node(const PanelNode& look, NodeId node, bool first) const {
    const Point at = places_.at[node];
    std::string out;
    if (!look.ring.empty()) out += svg::circle(at, places_.radius + 3.5, "none", look.ring, 3);
    out += svg::circle(at, places_.radius, look.fill.empty() ? shade_colour(look.shade) : look.fill,
                       look::frame, 1.2, look.away ? "3 3" : "");
    if (!look.inside.empty())
        out += svg::text(
            {at.x, at.y + 4.5}, "middle", look.inside,
            fmt::format(R"(fill="{}")", std::abs(look.shade) > 0.62 ? look::paper : look::ink));
    std::string beside = look.beside;
    if (beside.empty() && first && named_) beside = panels_->labels.name(node);
    if (beside.empty()) return out;
    const Point towards = free_direction(node);
    const double half = look::text_width(beside, look::small_size) / 2;
    const double far = places_.radius + 8 + (look.ring.empty() ? 0 : 4);
    const double x = at.x + (far + std::max(0.0, half - 6) * std::abs(towards.x)) * towards.x;
    return out + svg::text_upon_lines({x, at.y + far * towards.y + 4}, "middle", beside,
                                      fmt::format(R"(font-size="{}" fill="{}" font-style="italic")",
                                                  look::small_size, look::soft));
}

std::string PanelDrawing::panel(const Panel& panel, bool first) const {
    std::string out =
        svg::text({width_ / 2, 14}, "middle", panel.words, fmt::format(R"(fill="{}")", look::soft));
    out += fmt::format("<g transform=\"translate({:.1f} {})\">\n", (width_ - places_.width) / 2,
                       caption);
    for (const PanelLink& each : panel.links)
        out += link(each);
    for (NodeId k = 0; k < panels_->node_count; ++k)
        out += node(panel.nodes[k], k, first);
    std::set<std::pair<NodeId, NodeId>> ways;
    for (const PanelArrow& each : panel.arrows)
        ways.emplace(each.from, each.to);
    for (const PanelArrow& each : panel.arrows)
        out += arrow(each, ways.contains({each.to, each.from}));
    return out + "</g>\n";
}

std::string PanelDrawing::meanings(double& y) const {
    std::string out;
    for (const PanelMeaning& meaning : panels_->meanings) {
        y += 18;
        out += svg::circle({look::margin + 6, y - 4.5}, 5, meaning.colour, look::frame, 1);
        out += svg::text({look::margin + 18, y}, "start", meaning.words,
                         fmt::format(R"(fill="{}")", look::soft));
    }
    return out;
}

std::string PanelDrawing::drawn() const {
    const double across = width_ + gap;
    const double down = places_.height + caption + gap;
    const double inside = look::width - 2 * look::margin + gap;
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(inside / across)));
    double least = look::text_width(panels_->title, look::title_width_size);
    for (const PanelMeaning& meaning : panels_->meanings)
        least = std::max(least, 18 + look::text_width(meaning.words, look::text_size));
    const double inner =
        std::max(static_cast<double>(std::min(columns, panels_->panels.size())) * across - gap,
                 std::min(look::width - 2 * look::margin, least));
    std::string out;
    double y = 12;
    for (const std::string& words : svg::wrapped(panels_->title, inner, look::title_width_size)) {
        y += 18;
        out += svg::text({look::margin, y}, "start", words,
                         fmt::format(R"(font-size="{}" font-weight="bold")", look::title_size));
    }
    out += meanings(y);
    y += 16;
    for (std::size_t k = 0; k < panels_->panels.size(); ++k)
        out += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n",
                           look::margin + static_cast<double>(k % columns) * across,
                           y + static_cast<double>(k / columns) * down,
                           panel(panels_->panels[k], k == 0));
    const std::size_t rows = (panels_->panels.size() + columns - 1) / columns;
    return svg::picture(inner + 2 * look::margin,
                        y + static_cast<double>(rows) * down - gap + look::margin, panels_->title,
                        out);
}

}  // namespace

std::string shade_colour(double shade) {
    static constexpr std::array<double, 3> light = {246, 249, 252};
    static constexpr std::array<double, 3> dark = {0, 84, 138};
    static constexpr std::array<double, 3> below = {213, 94, 0};
    std::array<int, 3> mixed{};
    for (std::size_t k = 0; k < 3; ++k)
        mixed.at(k) = static_cast<int>(std::lround(
            light.at(k) + std::abs(shade) * ((shade < 0 ? below : dark).at(k) - light.at(k))));
    return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

NetworkPanels panels_of(const network::AnyNetwork& network, std::string title) {
    NetworkPanels panels;
    panels.title = std::move(title);
    panels.labels = network.labels();
    panels.node_count = network.node_count();
    for (LinkId link = 0; link < network.link_count(); ++link)
        panels.links.push_back(network.ends(link));
    return panels;
}

Panel plain_panel(const NetworkPanels& panels, std::string words) {
    Panel panel;
    panel.words = std::move(words);
    panel.nodes.resize(panels.node_count);
    for (const Ends& ends : panels.links)
        panel.links.push_back({.ends = ends});
    return panel;
}

double load_shade(Tokens load, Tokens most) {
    if (most <= 0) return 0;
    const double shade = std::sqrt(std::abs(static_cast<double>(load)) / static_cast<double>(most));
    return load < 0 ? -shade : shade;
}

void show_loads(Panel& panel, std::span<const Tokens> loads, Tokens most) {
    EQUIPOISE_ASSERT(loads.size() == panel.nodes.size());
    for (std::size_t node = 0; node < loads.size(); ++node) {
        panel.nodes[node].inside = grouped(loads[node]);
        panel.nodes[node].shade = load_shade(loads[node], most);
    }
}

std::string panels_svg(const NetworkPanels& panels) {
    if (panels.node_count > panel_nodes_max)
        throw InputError(
            fmt::format("networks of at most {} nodes are drawn node by node, this one has {}",
                        panel_nodes_max, panels.node_count));
    return PanelDrawing(panels).drawn();
}

}  // namespace equipoise::report
