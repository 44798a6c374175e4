#pragma once
// Small networks drawn side by side: the same nodes at the same places, and in each panel the state
// at one moment or the answer to one question.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/report/pictures/look.hpp"

namespace equipoise::report {

/// The largest network that is drawn in panels.
inline constexpr NodeId panel_nodes_max = 60;

struct PanelNode {
    std::string inside = {};  ///< text in the node
    std::string beside = {};  ///< text beside it; empty: in the first panel its short name
    double shade = 0;         ///< from 0, paper, to 1, a dark blue; below 0, to -1, orange
    std::string fill = {};    ///< a colour instead of the shade; empty: none
    std::string ring = {};    ///< the colour of a ring around it; empty: none
    bool away = false;        ///< a dashed edge
};

struct PanelLink {
    Ends ends;
    std::string colour = std::string(look::link);
    double width = 1.2;
    bool dashed = false;
    std::string words = {};  ///< beside its middle
};

/// Something that goes from a node to a neighbour, or to another place. If one end is `no_node`,
/// only the words are drawn, above the other end.
struct PanelArrow {
    NodeId from = no_node;
    NodeId to = no_node;
    std::string words = {};
    std::string colour = std::string(look::moving);
    bool dashed = false;
    double width = 2.2;
};

struct Panel {
    std::string words;  ///< above it
    std::vector<PanelNode> nodes;
    std::vector<PanelLink> links;  ///< those that are drawn, in this order
    std::vector<PanelArrow> arrows;
};

/// The meaning of a colour, shown below the title.
struct PanelMeaning {
    std::string colour;
    std::string words = {};
};

struct NetworkPanels {
    std::string title;
    network::Labels labels;
    NodeId node_count = 0;
    std::vector<Ends> links;  ///< of the network; the layout depends on them
    double room = 0;          ///< between neighbours, to place them farther apart than usual
    bool names = true;        ///< whether nodes have their short names beside them
    std::vector<PanelMeaning> meanings;
    std::vector<Panel> panels;
};

/// Panels of a network with plain nodes and all links; no panel yet.
[[nodiscard]] NetworkPanels panels_of(const network::AnyNetwork& network, std::string title);
/// A panel with plain nodes and all links.
[[nodiscard]] Panel plain_panel(const NetworkPanels& panels, std::string words);
/// The colour of a shade: from white to a dark blue, which reads without colour too; below 0 to
/// orange.
[[nodiscard]] std::string shade_colour(double shade);
/// How dark a node with this load is drawn; `most` is the load of the darkest.
[[nodiscard]] double load_shade(Tokens load, Tokens most);
/// Shades nodes by these loads and writes the loads into them; `most` as above.
void show_loads(Panel& panel, std::span<const Tokens> loads, Tokens most);

/// The panels in rows. Throws InputError if the network has more than `panel_nodes_max` nodes.
[[nodiscard]] std::string panels_svg(const NetworkPanels& panels);

}  // namespace equipoise::report
