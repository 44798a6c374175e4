#include "tests/support/connected_graphs.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace equipoise::test {

namespace {

/// The colours of links that share a node with `ends`.
std::set<Colour> colours_around(const network::Network& network, const Ends& ends,
                                const std::vector<Colour>& by_link) {
    std::set<Colour> taken;
    for (const NodeId node : {ends.tail, ends.head})
        for (Port port = 0; port < network.degree(node); ++port)
            taken.insert(by_link[network.link(node, port)]);
    return taken;
}

}  // namespace

network::Network random_connected_graph(NodeId nodes, LinkId extra_links, RandomStream& random) {
    std::set<Ends> links;
    for (NodeId node = 1; node < nodes; ++node)
        links.insert({static_cast<NodeId>(random.below(node)), node});
    for (LinkId i = 0; i < extra_links && nodes >= 2; ++i) {
        const auto a = static_cast<NodeId>(random.below(nodes));
        const auto b = static_cast<NodeId>(random.below(nodes));
        if (a != b) links.insert({std::min(a, b), std::max(a, b)});
    }
    return {nodes, std::vector<Ends>(links.begin(), links.end())};
}

network::EdgeColouring greedy_colouring(const network::Network& network) {
    network::EdgeColouring colouring{0, std::vector<Colour>(network.link_count(), no_colour)};
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const auto taken = colours_around(network, network.ends(link), colouring.by_link);
        Colour colour = 0;
        while (taken.contains(colour))
            ++colour;
        colouring.by_link[link] = colour;
        colouring.colour_count = std::max(colouring.colour_count, colour + 1);
    }
    return colouring;
}

network::EdgeColouring random_colouring(const network::Network& network, RandomStream& random) {
    network::EdgeColouring colouring{network.link_count() == 0 ? 0 : 2 * network.degree_max() - 1,
                                     std::vector<Colour>(network.link_count(), no_colour)};
    std::vector<LinkId> order(network.link_count());
    std::iota(order.begin(), order.end(), LinkId{0});
    std::shuffle(order.begin(), order.end(), random);
    for (const LinkId link : order) {
        const auto taken = colours_around(network, network.ends(link), colouring.by_link);
        std::vector<Colour> free;
        for (Colour colour = 0; colour < colouring.colour_count; ++colour)
            if (!taken.contains(colour)) free.push_back(colour);
        colouring.by_link[link] = free[random.below(free.size())];
    }
    return colouring;
}

load::Loads random_loads(NodeId nodes, Tokens most, RandomStream& random) {
    load::Loads loads(nodes);
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(most) + 1));
    return loads;
}

std::vector<load::Loads> uneven_loads(NodeId nodes, Tokens tokens, int random_count,
                                      RandomStream& random) {
    std::vector<load::Loads> all;
    for (NodeId node = 0; node < nodes; ++node) {
        all.emplace_back(nodes, 0);
        all.back()[node] = tokens;
    }
    for (int i = 0; i < random_count; ++i)
        all.push_back(random_loads(nodes, tokens, random));
    return all;
}

}  // namespace equipoise::test
