#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/node_names.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "equipoise/report/pictures/svg.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

namespace look = report::look;
namespace svg = report::svg;
using optimum::FlowArc;
using optimum::FlowNode;
using report::grouped;
using svg::Point;

constexpr NodeId flow_nodes_max = 12;
constexpr Tokens flow_tokens_max = 999'999;  // a node has room for this many digits
constexpr Step flow_steps_max = 8;
constexpr std::string_view flow_colour = look::colours[0];
constexpr std::string_view cut_colour = look::moving;

/// G_f of Section 2.2: the source; for each step the levels V_i, of nodes that send and of nodes
/// that receive; the last V; the sink. A level has a copy of each node of the network.
class FlowGraph {
  public:
    FlowGraph(const network::AnyNetwork& network, const load::Loads& loads, Step steps, Tokens most)
        : nodes_(network.node_count()), levels_(3 * static_cast<FlowNode>(steps) + 1) {
        flow_network_.nodes = levels_ * nodes_ + 2;
        flow_network_.source = levels_ * nodes_;
        flow_network_.sink = flow_network_.source + 1;
        for (NodeId node = 0; node < nodes_; ++node)
            flow_network_.add_arc(flow_network_.source, copy(0, node), loads[node]);
        for (FlowNode level = 0; level + 1 < levels_; level += 3)
            add_step(network, level);
        for (NodeId node = 0; node < nodes_; ++node)
            flow_network_.add_arc(copy(levels_ - 1, node), flow_network_.sink, most);
        flow_ = optimum::maximum_flow(flow_network_);
        side_ = flow_.source_side;
    }

    /// Puts the source and the copies of some nodes in all V_i on its side of the cut, instead of a
    /// smallest cut.
    void cut(const std::vector<NodeId>& chosen) {
        side_.assign(flow_network_.nodes, 0);
        side_[flow_network_.source] = 1;
        for (FlowNode level = 0; level < levels_; level += 3)
            for (const NodeId node : chosen)
                side_[copy(level, node)] = 1;
    }

    [[nodiscard]] std::string drawn(const network::AnyNetwork& network,
                                    const std::string& title) const;

  private:
    static constexpr double down = 92;
    static constexpr double top = 124;
    static constexpr double radius = 14;
    static constexpr double helper_radius = 8;

    [[nodiscard]] FlowNode copy(FlowNode level, NodeId node) const { return level * nodes_ + node; }
    [[nodiscard]] bool is_main(FlowNode level) const { return level % 3 == 0; }
    void add_step(const network::AnyNetwork& network, FlowNode level) {
        for (NodeId node = 0; node < nodes_; ++node) {
            flow_network_.add_arc(copy(level, node), copy(level + 3, node),
                                  optimum::unlimited_flow);
            flow_network_.add_arc(copy(level, node), copy(level + 1, node), 1);
            flow_network_.add_arc(copy(level + 2, node), copy(level + 3, node), 1);
        }
        for (LinkId link = 0; link < network.link_count(); ++link) {
            const Ends ends = network.ends(link);
            for (const auto& [from, to] : {ends, Ends{ends.head, ends.tail}})
                flow_network_.add_arc(copy(level + 1, from), copy(level + 2, to),
                                      optimum::unlimited_flow);
        }
    }

    [[nodiscard]] double across() const {
        return std::max(58.0, (look::width - 2 * look::margin - 2 * radius) / (levels_ + 1.0));
    }
    [[nodiscard]] Point at(FlowNode node) const {
        const double middle = top + (nodes_ - 1) * down / 2;
        const double left = look::margin + radius + 4;
        if (node == flow_network_.source) return {left, middle};
        if (node == flow_network_.sink) return {left + (levels_ + 1) * across(), middle};
        return {left + (node / nodes_ + 1) * across(), top + node % nodes_ * down};
    }
    [[nodiscard]] double radius_of(FlowNode node) const {
        return node >= flow_network_.source || is_main(node / nodes_) ? radius : helper_radius;
    }
    /// The drawing of an arc, without its words, which come last.
    [[nodiscard]] std::string arc(FlowArc arc, std::string& all_words) const;
    [[nodiscard]] std::string node(FlowNode node, const network::AnyNetwork& network) const;
    [[nodiscard]] std::string captions() const;

    NodeId nodes_;
    FlowNode levels_;
    optimum::FlowNetwork flow_network_;
    optimum::Flow flow_;
    std::vector<std::uint8_t> side_;
};

/// An arc that holds tokens passes above its step, the others are straight.
std::string FlowGraph::arc(FlowArc arc, std::string& all_words) const {
    const FlowNode tail = flow_network_.from[arc];
    const FlowNode head = flow_network_.to[arc];
    const std::int64_t capacity = flow_network_.capacity[arc];
    const std::int64_t flow = flow_.by_arc[arc];
    const bool is_cut = side_[tail] != 0 && side_[head] == 0;
    const std::string_view colour = is_cut ? cut_colour : flow > 0 ? flow_colour : look::link;
    const double width = is_cut ? 2.6 : flow > 0 ? 2 : 1.2;
    const Point a = at(tail);
    const Point b = at(head);
    const double far = std::hypot(b.x - a.x, b.y - a.y);
    const Point along{(b.x - a.x) / far, (b.y - a.y) / far};
    const Point begin{a.x + radius_of(tail) * along.x, a.y + radius_of(tail) * along.y};
    const Point end{b.x - (radius_of(head) + 1) * along.x, b.y - (radius_of(head) + 1) * along.y};
    const bool holds = capacity == optimum::unlimited_flow && is_main(tail / nodes_);
    const std::string words = capacity == optimum::unlimited_flow
                                  ? (holds && flow > 0 ? grouped(flow) : "")
                                  : fmt::format("{}/{}", flow, capacity);
    const std::string style =
        fmt::format(R"(font-size="{}" fill="{}")", look::small_size, look::ink);
    if (!holds) {
        const double part = 0.42;
        if (!words.empty())
            all_words += svg::text_upon_lines(
                {begin.x + part * (end.x - begin.x), begin.y + part * (end.y - begin.y) - 5},
                "middle", words, style);
        return svg::arrow(begin, end, colour, width);
    }
    const double rise = 34;
    const Point from{a.x + 0.7 * radius, a.y - 0.7 * radius};
    const Point to{b.x - 0.7 * radius - 1, b.y - 0.7 * radius - 1};
    const Point bend{(from.x + to.x) / 2, from.y - 1.6 * rise};
    // The last bit is an arrow in the direction in which the curve ends.
    const Point before{to.x - 9, to.y - 9 * (to.y - bend.y) / (to.x - bend.x)};
    if (!words.empty())
        all_words +=
            svg::text_upon_lines({bend.x, from.y - 0.8 * rise - 5}, "middle", words, style);
    return fmt::format(
               "<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" "
               "stroke=\"{}\" stroke-width=\"{}\"/>\n",
               from.x, from.y, bend.x, bend.y, to.x, to.y, colour, width) +
           svg::arrow(before, to, colour, width);
}

std::string FlowGraph::node(FlowNode node, const network::AnyNetwork& network) const {
    const bool is_end = node >= flow_network_.source;
    const bool is_named = is_end || is_main(node / nodes_);
    std::string out =
        svg::circle(at(node), radius_of(node), side_[node] != 0 ? "#fbe3d2" : look::paper,
                    side_[node] != 0 ? cut_colour : look::frame, side_[node] != 0 ? 2.6 : 1.2);
    if (!is_named) return out;
    const std::string words = node == flow_network_.source ? "q"
                              : node == flow_network_.sink ? "s"
                                                           : network.name(node % nodes_);
    return out + svg::text({at(node).x, at(node).y + 4.5}, "middle",
                           look::shortened(words, 2 * radius - 4, look::text_size));
}

std::string FlowGraph::captions() const {
    const double y = top + (nodes_ - 1) * down + 44;
    std::string out;
    for (FlowNode level = 0; level < levels_; ++level) {
        const std::string words = level % 3 == 0   ? fmt::format("V{}", level / 3)
                                  : level % 3 == 1 ? "sends"
                                                   : "receives";
        out += svg::text({at(copy(level, 0)).x, y}, "middle", words,
                         fmt::format(R"(font-size="{}" fill="{}")", look::small_size, look::soft));
    }
    return out;
}

std::string FlowGraph::drawn(const network::AnyNetwork& network, const std::string& title) const {
    const std::string bold = fmt::format(R"(font-size="{}" font-weight="bold")", look::title_size);
    std::string out = svg::text({look::margin, 30}, "start", title, bold);
    const std::string soft = fmt::format(R"(fill="{}")", look::soft);
    out += svg::text(
        {look::margin, 51}, "start",
        fmt::format("Blue: a largest flow, {}. Orange: a cut of capacity {}. Numbers are "
                    "flow/capacity, or flow without limit.",
                    grouped(flow_.value), grouped(optimum::cut_capacity(flow_network_, side_))),
        soft);
    std::string words;
    for (FlowArc each = 0; each < flow_network_.from.size(); ++each)
        out += arc(each, words);
    out += words;
    for (FlowNode each = 0; each < flow_network_.nodes; ++each)
        out += node(each, network);
    out += captions();
    const double width = at(flow_network_.sink).x + radius + look::margin + 4;
    return svg::picture(std::max(width, 700.0), top + (nodes_ - 1) * down + 44 + look::margin,
                        title, out);
}

/// "0+2": names of nodes.
std::vector<NodeId> named_nodes(const network::AnyNetwork& network, std::string_view text) {
    const network::NodeNames names(network);
    std::vector<NodeId> nodes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        const std::string_view name = text.substr(begin, end - begin);
        const auto node = names.find(name);
        if (!node)
            throw InputError("cut=: expected " + names.expected() + ", or several joined by +, " +
                             "found \"" + std::string(name) + '"');
        nodes.push_back(*node);
        begin = end + 1;
    }
    return nodes;
}

std::string draw_flow_graph(const Spec& spec, const StructureInput& input) {
    const network::AnyNetwork& network = input.network();
    const auto steps = static_cast<Step>(spec.whole("steps", 1, flow_steps_max));
    if (network.node_count() > flow_nodes_max)
        throw InputError(
            fmt::format("flow graphs are drawn of networks up to {} nodes, this one "
                        "has {}",
                        flow_nodes_max, network.node_count()));
    const load::Loads loads = input.loads();
    const Tokens tokens = load::total(loads);
    if (tokens > flow_tokens_max)
        throw InputError(fmt::format("flow graphs are drawn of up to {} tokens, found {}",
                                     grouped(flow_tokens_max), grouped(tokens)));
    const auto mean = static_cast<std::uint64_t>(ceil_divide(tokens, Tokens{network.node_count()}));
    const auto most = static_cast<Tokens>(
        spec.whole("most", 0, static_cast<std::uint64_t>(flow_tokens_max), mean));
    FlowGraph graph(network, loads, steps, most);
    const std::string cut = spec.word("cut", "");
    if (!cut.empty()) graph.cut(named_nodes(network, cut));
    return graph.drawn(
        network,
        fmt::format("{} on {}: at most {} each after {}?", report::counted(tokens, "token"),
                    network.labels().origin, grouped(most), report::counted(steps, "step")));
}

}  // namespace

Structure flow_graph_structure() {
    return {{"flow-graph", "flow-graph:steps=2",
             "the network whose flows are schedules, with a largest flow and a smallest cut"},
            {"steps", "most", "cut"},
            draw_flow_graph};
}

}  // namespace equipoise::catalogue
